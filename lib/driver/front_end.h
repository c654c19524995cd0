// What a front end does for the driver (driver.h), beside answering questions (front/front.h): it
// reads a function, finds out what costs more, changes it, and tells people.
//
//  read ─▶ drop_unreachable ─▶ read_effects, ... ─▶ apply (edits) ─▶ ... ─▶ write (plan) ─▶ finish
//                                    ▲                   │                     │
//                                    └───────────────────┴── read again ◀──────┘
//
// `lin_code` is the function as it was read last. Whatever changes the function reads it anew, and
// all that was found out about it before is gone.
#ifndef LIN_DRIVER_FRONT_END_H
#define LIN_DRIVER_FRONT_END_H

#include "front/edit.h"
#include "front/front.h"
#include "linearize/minimal.h"
#include "pipeline.h"

typedef struct lin_driver lin_driver;

typedef struct lin_code {
  lin_graph *graph;
  const lin_front *front; // answers about it
  const char *refused;    // why the function as a whole is refused, or NULL
  lin_block refused_at;   // the block at fault, LIN_NONE for the function itself
  bool is_unwanted;       // somebody asked for it to be left alone
} lin_code;

// A function before it was edited.
typedef struct lin_former {
  const lin_order *order;
  const lin_minimal *minimal; // NULL unless copies are put behind the other blocks
  uint32_t num_blocks;
  bool again; // a round before it has changed the function: its numbers say nothing to people
} lin_former;

// Each function gets `context` first. What a front end doesn't have is NULL where it says so.
typedef struct lin_front_end {
  void *context;

  // ---- reading: all live in the driver's arena

  // The function as it is, with blocks that nothing reaches.
  void (*read)(void *context, lin_code *code);

  // Flags the blocks with what their instructions do to other threads. NULL: they are read so.
  void (*read_effects)(void *context);

  // Flags the branches that the threads of a warp take together. NULL: nobody knows.
  void (*read_uniform)(void *context);

  // Fills in graph->sharing: what threads of a warp may exchange. NULL: they exchange nothing.
  void (*read_sharing)(void *context);

  // Fills in graph->most_trips. NULL: nobody knows.
  void (*read_trips)(void *context);

  // Whether the function takes so many registers that they bound how many warps there are. NULL:
  // nobody knows.
  bool (*has_many_registers)(void *context);

  // ---- changing

  // Comes before each change: what was said so far may point to what goes then. NULL: nothing does.
  void (*changing)(void *context);

  // Takes out blocks that nothing reaches, and reads the function again; names of blocks stay.
  // Returns whether there were any. NULL: they stay, and nothing minds.
  bool (*drop_unreachable)(void *context, lin_code *code);

  // Makes the edits, all of one kind and proposed for `code`, of which `result` is; reads the
  // function again, without blocks that nothing reaches. Returns for each block which one of
  // lin_edit_apply's graph ends as it does, or LIN_NONE: with the same edges in the same order. (Of
  // blocks that have become one, that is the last one.)
  const lin_block *(*apply)(void *context, const lin_result *result, const lin_edits *edits,
                            lin_code *code);

  // Gives the function the control flow of the plan.
  void (*write)(void *context, const lin_result *result);

  // The last touches, if anything but blocks that nothing reaches was changed. NULL: none.
  void (*finish)(void *context);

  // ---- telling

  // The function is left as it is although there is something to do: see `code`. NULL: `code` never
  // asks for that.
  void (*tell_left)(void *context, const lin_driver *driver);

  // It takes `work` to find out where threads part, more than the `most` that is allowed.
  void (*tell_over_budget)(void *context, const lin_driver *driver, uint64_t work, uint64_t most);

  // The graph has no good shape.
  void (*tell_bad)(void *context, lin_status status);

  // What the first plan found, before anything was changed. NULL: `tell` says enough.
  void (*tell_before)(void *context, const lin_driver *driver);

  // Arms of branches of `code` that are not cut: edits->hidden. NULL: there are no `pieces` to cut.
  void (*tell_hidden)(void *context, const lin_edits *edits);

  // These edits are about to be made.
  void (*tell_edits)(void *context, const lin_former *former, const lin_edits *edits);

  // These edits have been made: `names` are the numbers that minimal regions have for people,
  // those of before. NULL: `tell` says enough.
  void (*tell_settled)(void *context, const lin_former *former, const lin_edits *edits,
                       const uint32_t *names, uint32_t num_names);

  // What became of each region. With a plan: it has been written, and `driver->code` is still what
  // it was before.
  void (*tell)(void *context, const lin_driver *driver);
} lin_front_end;

#endif
