// How threads find their new places: a station asks in two steps, with a barrier as the last thing
// of the first. What is between is the station's: nobody may have a key, so that nothing has to be
// moved.
//
//     count      what threads have to know of each other; then all wait
//     place      where this thread's work goes, or where the work comes from that it does next
//
// Places are numbers of threads in the block, rotated (lanes.h). Threads with a key come first, by
// their keys, then those without, who only wait.
#ifndef LIN_LLVM_REGROUP_SEARCH_H
#define LIN_LLVM_REGROUP_SEARCH_H

#include "emit.h"
#include "lanes.h"

typedef struct lin_ir_search {
  const lin_ir_emitter *e;
  const lin_ir_lanes *lanes;
  uint32_t keys;        // 1 or more: 0 to keys - 1
  uint32_t neighbours;  // of DGI
  uint32_t least_gain;  // runs of a key by a warp that have to be saved, or places stay as they are
  LLVMValueRef key;     // any for threads without one
  LLVMValueRef has_key; // NULL: all have one
  bool drops;           // what threads without one have is of no use: it isn't moved, and warps of
                        // such threads leave

  // By count:
  LLVMValueRef nobody; // no thread has a key; NULL if all have one
  // By place:
  LLVMValueRef place;
  bool comes_from;       // place is where the work comes from; else where it goes
  LLVMValueRef stays;    // all places stay as they are; NULL: never
  LLVMValueRef num_keys; // how many threads have one
  LLVMValueRef places;   // how many threads are left
  LLVMValueRef rotation; // what places are rotated by

  // Between the two, for the algorithms alone:
  LLVMValueRef who, mine, rank, table, told, runs;
} lin_ir_search;

// A counting sort by votes. Stable.
void lin_ir_votes_count(lin_ir_search *s);
void lin_ir_votes_place(lin_ir_search *s);

// Head-or-Tail: two sorts of threads, by key, or with and without one.
void lin_ir_hot_count(lin_ir_search *s);
void lin_ir_hot_place(lin_ir_search *s);

// Data Group Indexing. Stable.
void lin_ir_dgi_count(lin_ir_search *s);
void lin_ir_dgi_place(lin_ir_search *s);

// Sets `places` and `rotation`, once num_keys is known, or if all have keys. O(1).
void lin_ir_find_rotation(lin_ir_search *s);

// A place that begins at 0, turned as all are; and the place that this thread has before that. Both
// need s->rotation. O(1).
LLVMValueRef lin_ir_rotate(const lin_ir_search *s, LLVMValueRef place);
LLVMValueRef lin_ir_unrotated(const lin_ir_search *s);

// Whether this thread gets work that has a key. O(1).
LLVMValueRef lin_ir_gets_work(const lin_ir_search *s);

// A loop that counts from `first` up by `step`, as long as it is below `end`, which holds at first.
// All lanes of a warp have to leave it at the same time: ptxas forgets to have them come together
// behind it (docs/limits.md).
//
//     lin_ir_uniform_loop loop = lin_ir_begin_loop(e, first, carried, 2);
//     ... uses loop.index, loop.was[0]; sets next[0] ...
//     lin_ir_end_loop(e, &loop, step, end, next);
//     ... next[0] is what it was at the end
typedef struct lin_ir_uniform_loop {
  LLVMBasicBlockRef body;
  LLVMValueRef index, was[4];
  uint32_t count;
} lin_ir_uniform_loop;

lin_ir_uniform_loop lin_ir_begin_loop(const lin_ir_emitter *e, LLVMValueRef first,
                                      LLVMValueRef *carried, uint32_t count);
void lin_ir_end_loop(const lin_ir_emitter *e, lin_ir_uniform_loop *loop, LLVMValueRef step,
                     LLVMValueRef end, LLVMValueRef *next);

// The same, as long as `condition` holds. O(1).
void lin_ir_end_loop_if(const lin_ir_emitter *e, lin_ir_uniform_loop *loop, LLVMValueRef index,
                        LLVMValueRef condition, LLVMValueRef *next);

#endif
