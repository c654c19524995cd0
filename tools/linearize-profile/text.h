// What is printed.
#ifndef LIN_TOOLS_PROFILE_TEXT_H
#define LIN_TOOLS_PROFILE_TEXT_H

#include "estimate.h"

// At most `rows` blocks, those that cost most first. O(blocks log blocks).
void profile_print(FILE *file, const profile_estimate *estimate, uint32_t rows);

// A place in the source, as it is named from the folder that this program runs in, or as it is:
// points into `source`. O(length).
const char *profile_place(const char *source);

// The blocks in that order, in `order`, [num_blocks].
void profile_order_blocks(const profile_estimate *estimate, uint32_t *order);

// What a remedy is called.
extern const char *const profile_remedy_names[PROFILE_NUM_REMEDIES];

// A number of cycles as time where that was measured, else as cycles: at most 31 characters.
void profile_format_time(const profile_estimate *estimate, double cycles, char text[32]);

// Launches of the kernel with that shape, whether they were counted or not.
uint64_t profile_launches(const profile_estimate *estimate);

// What all of them took, in nanoseconds; 0: not measured.
double profile_time(const profile_estimate *estimate);

// Whether the time of any of the launches was measured. Then that is what they took, else cycles:
// of one, and of all, which is never 0. O(launches).
bool profile_are_timed(const profile_estimate *estimates, uint32_t count);
double profile_time_of(const profile_estimate *estimate, bool timed);
double profile_time_of_all(const profile_estimate *estimates, uint32_t count, bool timed);

// Cycles before by cycles after; 1 where there is nothing.
double profile_gain(const profile_estimate *estimate, double cycles);

// The part of the time that divergence costs, 0 to 1.
double profile_share(const profile_estimate *estimate, double cost);

#endif
