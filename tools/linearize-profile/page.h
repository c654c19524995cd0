// The page of --html: for each launch bars of the predicted times, the text, and the source with
// what divergence costs in each line. It needs nothing else, and no script.
#ifndef LIN_TOOLS_PROFILE_PAGE_H
#define LIN_TOOLS_PROFILE_PAGE_H

#include "estimate.h"
#include "lanes.h"

// `title` and `verdict`, which it begins with (answer.h), are text; `lanes` are of the only launch,
// or NULL. O(blocks log blocks + lines of sources * launches).
void profile_print_page(FILE *file, const char *title, const char *verdict,
                        const profile_estimate *estimate, uint32_t num_launches,
                        const profile_lanes *lanes);

#endif
