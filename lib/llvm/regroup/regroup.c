// 1. Marks elsewhere than in kernels, and marks that say nothing that can be done, go.
// 2. The plan of a kernel; a station that is refused loses its marks, and there is another plan,
//    until none is refused.
// 3. Cuts, state, rounds; remarks. From here on the kernel is changed.
// 4. Values are carried, stations are built.
#include "regroup.h"

#include "again.h"
#include "beside.h"
#include "carry.h"
#include "counts/profile.h"
#include "cuts.h"
#include "gpu/rounds.h"
#include "homes.h"
#include "lanes.h"
#include "refuse.h"
#include "station.h"
#include "llvm/ask/kernels.h"
#include "llvm/ask/occupancy.h"
#include "llvm/ask/target.h"
#include "llvm/edit/unreachable.h"
#include "llvm/read/live.h"
#include "llvm/read/registers.h"
#include "llvm/tell/message.h"

#include <string.h>

typedef struct marks {
  LLVMValueRef *mark;
  uint32_t count, capacity;
} marks;

static marks find_marks(lin_arena *arena, LLVMValueRef function) {
  marks found = {0};
  lin_ir_point point;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (lin_ir_is_point(at, &point)) {
        found.mark = LIN_ROOM(arena, found.mark, found.count, &found.capacity);
        found.mark[found.count++] = at;
      }
  return found;
}

static lin_ir_function *read_all(lin_arena *arena, LLVMValueRef function) {
  const lin_ir_read_options options = {.force = true};
  return lin_ir_read(arena, function, &options);
}

// ---- remarks

// What remarks go to, and who is told before what they point to goes.
typedef struct listener {
  const linearize_options *options;
  linearize_report *report;
} listener;

// How many threads the blocks have that a kernel is made for.
typedef struct size_of_blocks {
  uint32_t threads; // at most; 0: nobody knows
  bool is_exact;    // no fewer
  bool is_counted;  // by a profile alone: thread blocks of other sizes take the plain form
} size_of_blocks;

static void refuse(lin_arena *arena, LLVMValueRef mark, const char *reason, const listener *to) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(mark);
  lin_ir_function *f = read_all(arena, LLVMGetBasicBlockParent(block));
  lin_ir_message m = {.used = 0};
  lin_block number = 0;
  while (f->block[number] != block)
    number++;
  lin_ir_say(&m, "threads aren't regrouped here: %s", reason);
  lin_ir_send_near(to->report, f, LINEARIZE_MISSED, "NotRegrouped", number, mark, &m);
  if (to->options->changing != NULL)
    to->options->changing(to->options->context);
  LLVMInstructionEraseFromParent(mark);
}

static const char *name_of(lin_algorithm algorithm) {
  static const char *const names[] = {"", "votes", "HoT", "DGI"};
  return names[algorithm];
}

static void tell(const lin_ir_function *f, const lin_ir_station_cut *cut, const lin_ir_cargo *cargo,
                 const lin_round *round, uint32_t bytes, const lin_ir_homes *homes,
                 const size_of_blocks *size, const listener *to) {
  lin_ir_message m = {.used = 0};
  lin_block number = 0;
  while (f->block[number] != cut->before)
    number++;
  lin_ir_say(&m, "threads are regrouped here by ");
  lin_ir_say_count(&m, "Bits", cut->point.bits, "bit");
  lin_ir_say(&m, ", with %s", name_of(round->algorithm));
  lin_ir_say(&m, ": ");
  lin_ir_say_count(&m, "Words", cargo->layout.num_words, "word");
  lin_ir_say(&m, cargo->layout.num_words == 1 ? " moves" : " move");
  lin_ir_begin_details(&m);
  lin_ir_say(&m, ", ");
  if (round->at_once < cargo->layout.num_words) {
    lin_ir_say_number(&m, "AtOnce", round->at_once);
    lin_ir_say(&m, " at a time");
    if (round->small > 0) {
      lin_ir_say(&m, " in blocks of more than ");
      lin_ir_say_number(&m, "Small", round->small);
      lin_ir_say(&m, " threads");
    }
    lin_ir_say(&m, ", ");
  }
  lin_ir_say_count(&m, "Again", cargo->num_again, "value");
  lin_ir_say(&m, cargo->num_again == 1 ? " is computed again; " : " are computed again; ");
  lin_ir_say_count(&m, "Bytes", bytes, "byte");
  lin_ir_say(&m, " of shared memory");
  if (homes->count > 0) {
    lin_ir_say(&m, ", and for ");
    lin_ir_say_count(&m, "Homes", homes->count, "variable");
    lin_ir_say(&m, " of each thread ");
    lin_ir_say_count(&m, "BytesOfHomes", homes->stride, "byte");
    lin_ir_say(&m, " more, where they stay");
  }
  if (round->dropped > 0) {
    lin_ir_say(&m, "; for want of room without the lowest ");
    lin_ir_say_count(&m, "Dropped", round->dropped, "bit");
  }
  if (round->is_other)
    lin_ir_say(&m, "; the algorithm asked for can't be used here");
  if (size->is_counted) {
    lin_ir_say(&m, ", in blocks of ");
    lin_ir_say_number(&m, "Threads", size->threads);
    lin_ir_say(&m, " threads%s, as the profile has them", size->is_exact ? "" : " or fewer");
  }
  LLVMValueRef last = LLVMGetPreviousInstruction(LLVMGetBasicBlockTerminator(cut->before));
  lin_ir_send_near(to->report, f, LINEARIZE_PASSED, "Regrouped", number, last, &m);
}

// ---- the plan

static lin_wish wish_of(lin_arena *arena, const lin_ir_plan *plan, uint32_t station) {
  const lin_graph *graph = plan->order->graph;
  const lin_stations *s = plan->stations;
  uint32_t *bits = LIN_ARRAY(arena, uint32_t, graph->num_blocks);
  lin_wish wish = {.key_bits = bits, .words = 1, .waits = !s->is_together[station]};
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    lin_ir_point point;
    LLVMBasicBlockRef block = lin_ir_block(plan->f, plan->order, b);
    LLVMValueRef last = LLVMGetPreviousInstruction(LLVMGetBasicBlockTerminator(block));
    if (s->station_of[b] != station || !lin_ir_is_point(last, &point))
      continue;
    bits[wish.num_points++] = point.bits;
    if (point.algorithm != LIN_BEST) {
      wish.algorithm = (lin_algorithm)point.algorithm;
      wish.neighbours = point.neighbours;
    }
  }
  return wish;
}

// What the kernel says of it; if that is nothing, what the counts do.
static size_of_blocks find_size(const lin_ir_function *f, const lin_counts *counts) {
  size_of_blocks size = {0};
  size.threads = lin_ir_block_threads(f->function, &size.is_exact);
  if (size.threads > 0 || counts == NULL)
    return size;
  for (uint32_t i = 0; i < counts->num_launches; i++) {
    const lin_counts_launch *launch = &counts->launch[i];
    const uint64_t own = lin_counts_block_threads(launch);
    if (strcmp(launch->kernel, f->graph->title) != 0 || own > LIN_LARGEST_BLOCK)
      continue;
    size.is_exact = !size.is_counted || (size.is_exact && own == size.threads);
    size.is_counted = true;
    size.threads = own > size.threads ? (uint32_t)own : size.threads;
  }
  return size;
}

static lin_room room_of(const lin_ir_function *f, const size_of_blocks *size) {
  uint32_t live = lin_ir_most_live(f);
  return (lin_room){.target = lin_ir_target(f->function),
                    .threads = size->threads,
                    .shared = (uint32_t)lin_ir_shared(f->function),
                    .is_dynamic = lin_ir_has_dynamic_shared(f->function),
                    .registers = live == UINT32_MAX ? 0 : live + LIN_ROUND_REGISTERS};
}

// Why a station is refused, or NULL; of several, the first.
static const char *find_refused(lin_arena *arena, const lin_ir_plan *plan,
                                const lin_ir_homes *homes, const lin_room *room,
                                uint32_t *station) {
  const uint32_t count = plan->stations->num_stations;
  lin_wish *wish = LIN_ARRAY(arena, lin_wish, count);
  for (*station = 0; *station < count; ++*station) {
    const char *reason = lin_ir_refuse_station(arena, plan, *station, homes);
    if (reason != NULL)
      return reason;
    wish[*station] = wish_of(arena, plan, *station);
  }
  lin_rounds rounds = lin_rounds_choose(arena, room, wish, count);
  for (*station = 0; *station < count; ++*station)
    if (rounds.round[*station].algorithm == LIN_BEST)
      return "there is no shared memory left for it, unless a multiprocessor were to have fewer "
             "warps";
  return NULL;
}

static void refuse_station(lin_arena *arena, const lin_ir_plan *plan, uint32_t station,
                           const lin_ir_halves *halves, const char *reason, const listener *to) {
  marks found = {0};
  for (lin_block b = 0; b < plan->order->graph->num_blocks; b++) {
    lin_ir_point point;
    LLVMBasicBlockRef block = lin_ir_block(plan->f, plan->order, b);
    LLVMValueRef last = LLVMGetPreviousInstruction(LLVMGetBasicBlockTerminator(block));
    if (plan->stations->station_of[b] != station || !lin_ir_is_point(last, &point))
      continue;
    found.mark = LIN_ROOM(arena, found.mark, found.count, &found.capacity);
    found.mark[found.count++] = last;
  }
  lin_ir_merge_halves(halves);
  for (uint32_t i = 0; i < found.count; i++)
    refuse(arena, found.mark[i], reason, to);
}

// The variables that get homes, and the plan and the room with them.
static lin_ir_homes find_homes(lin_arena *arena, LLVMValueRef function, lin_ir_plan *plan,
                               lin_room *room) {
  lin_ir_homes homes = lin_ir_find_homes(arena, plan, room);
  if (homes.count > 0)
    *plan = lin_ir_plan_cuts(arena, function, &homes.number);
  room->shared += lin_ir_bytes_of_homes(&homes, room);
  return homes;
}

// A plan without stations that are refused, for which halves are made; false if none is left.
static bool make_plan(lin_arena *arena, LLVMValueRef function, lin_room *room, lin_ir_plan *plan,
                      lin_ir_homes *homes, const listener *to) {
  const uint32_t shared = room->shared;
  while (find_marks(arena, function).count > 0) {
    uint32_t station;
    lin_ir_halves halves = lin_ir_cut_halves(arena, function);
    *plan = lin_ir_plan_cuts(arena, function, NULL);
    room->shared = shared;
    *homes = find_homes(arena, function, plan, room);
    const char *reason = find_refused(arena, plan, homes, room, &station);
    if (reason == NULL)
      return true;
    refuse_station(arena, plan, station, &halves, reason, to);
  }
  return false;
}

// ---- the change

// The work's index is what the thread's was at first, and moves like other values.
static void read_index_once(const lin_ir_emitter *e) {
  LLVMValueRef first[3] = {NULL};
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
  for (LLVMBasicBlockRef block = entry; block != NULL; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != NULL; at = next) {
      next = LLVMGetNextInstruction(at);
      int dimension = lin_ir_index_dimension(at);
      if (dimension < 0 || at == first[dimension])
        continue;
      if (first[dimension] == NULL) {
        LLVMPositionBuilderBefore(e->builder, LLVMGetFirstInstruction(entry));
        first[dimension] = lin_ir_special(e, LIN_NVPTX_TID, dimension);
      }
      LLVMReplaceAllUsesWith(at, first[dimension]);
      LLVMInstructionEraseFromParent(at);
    }
}

static void make_slots(lin_ir_carry *carry, uint32_t words) {
  const lin_ir_emitter *e = carry->e;
  carry->label = lin_ir_new_slot(e, e->word, "linearize.label");
  carry->word = LIN_ARRAY(carry->arena, LLVMValueRef, words);
  for (uint32_t i = 0; i < words; i++)
    carry->word[i] = lin_ir_new_slot(e, e->word, "linearize.word");
}

static bool has_barriers(const lin_ir_cuts *cuts) {
  for (uint32_t i = 0; i < cuts->count; i++)
    if (cuts->cut[i].kind == LIN_CUT_BARRIER)
      return true;
  return false;
}

static void change(lin_arena *arena, const lin_ir_emitter *e, const lin_ir_plan *plan,
                   const lin_ir_homes *homes, const lin_room *room, const size_of_blocks *size,
                   const listener *to) {
  const uint32_t stations = plan->stations->num_stations;
  LLVMValueRef key = lin_ir_new_slot(e, e->word, "linearize.key");
  lin_ir_build_homes(e, homes, room);
  read_index_once(e);
  lin_wish *wish = LIN_ARRAY(arena, lin_wish, stations);
  for (uint32_t i = 0; i < stations; i++)
    wish[i] = wish_of(arena, plan, i);
  lin_ir_cuts cuts = lin_ir_make_cuts(arena, e, plan, key);
  lin_ir_function *f = read_all(arena, e->function);
  lin_ir_state state = lin_ir_find_state(arena, f, &cuts);
  uint32_t words = 0;
  for (uint32_t i = 0; i < stations; i++) {
    wish[i].words = state.num_words[i];
    words = words < state.num_words[i] ? state.num_words[i] : words;
  }
  lin_rounds rounds = lin_rounds_choose(arena, room, wish, stations);
  for (uint32_t i = 0; i < cuts.count; i++)
    if (cuts.cut[i].kind == LIN_CUT_POINT)
      tell(f, &cuts.cut[i], &state.cargo[i], &rounds.round[cuts.cut[i].station], rounds.bytes,
           homes, size, to);
  if (to->options->changing != NULL)
    to->options->changing(to->options->context);
  lin_ir_carry carry = lin_ir_carry_values(arena, e, &state);
  make_slots(&carry, words);
  uint32_t most = size->threads == 0 ? LIN_LARGEST_BLOCK : size->threads;
  bool may_leave = cuts.stations->has_ends && !has_barriers(&cuts);
  lin_ir_lanes lanes = lin_ir_make_lanes(e, most, size->is_exact, may_leave, &rounds);
  for (uint32_t i = 0; i < stations; i++)
    lin_ir_build_station(arena, e, &cuts, &carry, &lanes, i,
                         &(lin_ir_station){&rounds.round[i], /*least_gain=*/1});
}

// Thread blocks of other sizes than those that were counted take the plain form.
static void keep_plain(const lin_ir_emitter *e, LLVMValueRef plain, const size_of_blocks *size) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function),
                    first = LLVMInsertBasicBlockInContext(e->context, entry, "linearize.size");
  lin_ir_go_on(e, first);
  LLVMValueRef x = lin_ir_special(e, LIN_NVPTX_NTID, 0), y = lin_ir_special(e, LIN_NVPTX_NTID, 1),
               z = lin_ir_special(e, LIN_NVPTX_NTID, 2),
               all = lin_ir_multiply(e, lin_ir_multiply(e, x, y), z);
  lin_ir_put_beside(e->function, plain, first,
                    size->is_exact ? lin_ir_is(e, all, size->threads)
                                   : lin_ir_below(e, all, lin_ir_word(e, size->threads + 1)));
}

static void erase_marks(lin_arena *arena, LLVMValueRef function) {
  const marks found = find_marks(arena, function);
  for (uint32_t i = 0; i < found.count; i++)
    LLVMInstructionEraseFromParent(found.mark[i]);
}

static void regroup_kernel(lin_arena *arena, LLVMValueRef function, const listener *to) {
  const lin_ir_read_options options = {.force = true};
  lin_ir_function *f = read_all(arena, function);
  if (lin_ir_has_unreachable(arena, f))
    f = lin_ir_drop_unreachable(arena, f, &options);
  const size_of_blocks size = find_size(f, lin_profile_launches(to->options->profile));
  LLVMValueRef plain = size.is_counted ? lin_ir_copy_plain(function) : NULL;
  lin_room room = room_of(f, &size);
  lin_ir_emitter e = lin_ir_emitter_new(function);
  lin_ir_plan plan;
  lin_ir_homes homes;
  if (make_plan(arena, function, &room, &plan, &homes, to)) {
    change(arena, &e, &plan, &homes, &room, &size, to);
    lin_ir_mark_regrouped(function);
    if (plain != NULL) {
      erase_marks(arena, plain);
      keep_plain(&e, plain, &size);
    }
    lin_ir_limit_registers(function, lin_ir_registers(function, LIN_LARGEST_BLOCK / LIN_WARP));
  } else if (plain != NULL) {
    lin_ir_drop_plain(plain);
  }
  LLVMDisposeBuilder(e.builder);
}

// ---- modules

static const char *refuse_mark(const lin_ir_function *f, const char *of_function,
                               LLVMValueRef mark) {
  lin_ir_point point;
  if (!lin_ir_is_kernel(f->function))
    return "this function is no kernel, and isn't inlined into one: declare it __forceinline__";
  if (of_function != NULL || !lin_ir_is_point(mark, &point))
    return of_function;
  return lin_ir_refuse_point(&point);
}

static bool regroup_function(LLVMValueRef function, const listener *to) {
  lin_arena arena = {0};
  marks found = find_marks(&arena, function);
  if (to->options->no_reorder) {
    for (uint32_t i = 0; i < found.count; i++)
      LLVMInstructionEraseFromParent(found.mark[i]);
  } else if (found.count > 0) {
    lin_ir_function *f = read_all(&arena, function);
    const char *of_function = lin_ir_refuse_function(&arena, f);
    uint32_t left = 0;
    for (uint32_t i = 0; i < found.count; i++) {
      const char *reason = refuse_mark(f, of_function, found.mark[i]);
      if (reason != NULL)
        refuse(&arena, found.mark[i], reason, to);
      left += reason == NULL;
    }
    if (left > 0)
      regroup_kernel(&arena, function, to);
  }
  lin_arena_release(&arena);
  return found.count > 0;
}

bool lin_ir_regroup(LLVMModuleRef module, const linearize_options *options,
                    linearize_report *report) {
  const listener to = {options, report};
  bool changed = lin_ir_mark_points(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      changed |= regroup_function(f, &to);
  return changed;
}
