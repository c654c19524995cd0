// What of the program may be under way on the GPU: streams that had work since somebody waited for
// them.
//
//     launch on a      {a}         a launch of a's may be timed
//     launch on b      {a, b}      disturbed: what was timed on a by then is no time of one launch
//     wait for a       {b}
//     wait for all     {}
//
// Work either ends whatever else is launched, or may wait for what others do: nobody may be made to
// wait for the latter. Streams are known until they are destroyed, as far as there is room.
//
// Any thread, without a lock that others could keep. A launch behind one of the same stream costs
// one load.
#ifndef LIN_TOOLS_VERSIONS_ACTIVITY_H
#define LIN_TOOLS_VERSIONS_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

// The stream, as gpu_stream has it, gets work, which ends by itself or not. In that context, or
// NULL: nobody knows which. What may not end by itself is told of before it is enqueued and behind
// it: so who waited meanwhile forgets none. O(1), or O(streams) where it isn't what came last.
void activity_begin(void *stream, bool ends, const void *context);

// Whether that is what came last. O(1).
bool activity_is_last(void *stream, bool ends);

// What came last is to take so many nanoseconds; 0: nobody knows. By a guess where several threads
// launch. O(1).
void activity_add(uint64_t time);

// Before anybody waits: what begins later isn't over behind that. O(1).
uint64_t activity_mark(void);

// All that was in the stream, or in any, is over, as of that mark. O(streams).
void activity_end(void *stream, uint64_t mark);
void activity_end_all(uint64_t mark);

// The handle is nobody's from now on; or those of the context are, NULL: of any. O(streams).
void activity_forget(void *stream);
void activity_forget_all(const void *context);

// Whether no other stream than that one may be at work. O(streams).
bool activity_is_alone(void *stream);

// How many streams may be at work. O(1).
uint32_t activity_streams(void);

// How often a stream got work while another one may have been at it. O(1).
uint64_t activity_disturbed(void);

// How often work was other than what came last; and of these, on a stream that wasn't known. O(1).
uint64_t activity_begun(void);
uint64_t activity_strangers(void);

// The other streams than that one; those that may be at work come first.
enum { ACTIVITY_MOST_OTHERS = 7 };
typedef struct activity_others {
  uint32_t active, count;
  uint64_t uneven; // ns by which one of all these streams has more to do than another, at most
  void *stream[ACTIVITY_MOST_OTHERS];
} activity_others;

// False: work of that stream or of another one may not end by itself, streams are or were of
// several contexts at a time, or of another one, or threads' own, or too many. O(streams).
bool activity_find_others(void *stream, const void *context, activity_others *others);

// All streams wait for one event from now on: none has more to do than another. O(streams).
void activity_align(void);

// The program has called what makes streams wait for things that nobody sees here: from now on no
// work is known to end. O(1).
void activity_is_unseen(void);

#endif
