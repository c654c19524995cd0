// How threads find their new places: a station asks in two steps, with a barrier as the last thing of the
// first. What is between is the station's: nobody may have a key, so that nothing has to be moved.
//
//     count      what threads have to know of each other; then all wait
//     place      where this thread's work goes, or where the work comes from that it does next
//
// Places are numbers of threads in the block, rotated (lanes.h). Threads with a key come first, by their
// keys, then those without, who only wait.
#ifndef LIN_LLVM_REGROUP_SEARCH_H
#define LIN_LLVM_REGROUP_SEARCH_H

#include "emit.h"
#include "lanes.h"

typedef struct lin_ir_search {
  const lin_ir_emitter *e;
  const lin_ir_lanes *lanes;
  uint32_t keys;          // 1 or more: 0 to keys - 1
  uint32_t neighbours;    // of DGI
  uint32_t least_gain;    // passes of warps that have to be saved, or places stay as they are
  LLVMValueRef key;       // any for threads without one
  LLVMValueRef has_key;   // NULL: all have one

  // By count:
  LLVMValueRef nobody;    // no thread has a key; NULL if all have one
  // By place:
  LLVMValueRef place;
  bool comes_from;        // place is where the work comes from; else where it goes
  LLVMValueRef stays;     // all places stay as they are; NULL: never
  LLVMValueRef num_keys;  // how many threads have one
  LLVMValueRef rotation;  // what places are rotated by

  // Between the two:
  LLVMValueRef table, ballot[32], who, rank, pairs;
} lin_ir_search;

// A counting sort by votes. Stable. Shared memory: lin_votes_bytes.
void lin_ir_votes_count(lin_ir_search *s);
void lin_ir_votes_place(lin_ir_search *s);
uint32_t lin_votes_bytes(uint32_t keys, uint32_t threads);

// A place that begins at 0, turned as all are. O(1).
LLVMValueRef lin_ir_rotate(const lin_ir_search *s, LLVMValueRef place);

#endif
