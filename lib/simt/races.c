#include "races.h"

#include <string.h>

typedef enum access_kind {
  READS = 1u << 0,
  READS_ATOMICALLY = 1u << 1,
  WRITES = 1u << 2,
  WRITES_ATOMICALLY = 1u << 3,
} access_kind;

// What the lanes of a group are going to do.
typedef struct access {
  const char *what; // "store"
  access_kind kind;
  const simt_instruction *in; // WRITES: tells the value
  const uint64_t *address;    // [SIMT_LANES]
} access;

// An access that is remembered: when it was, by which thread of the block, and kinds of accesses
// between which that thread met no other. 0: none.
typedef uint64_t simt_mark;

enum { KIND_BITS = 4, THREAD_BITS = 10, NUM_OTHERS = 2 };

struct simt_trail {
  simt_mark write; // the last plain one
  simt_mark other[NUM_OTHERS];
};

static simt_mark make_mark(uint64_t time, uint32_t thread, unsigned kinds) {
  return (time << THREAD_BITS | thread) << KIND_BITS | kinds;
}

static unsigned kinds_of(simt_mark mark) { return mark & ((1u << KIND_BITS) - 1); }

static uint32_t thread_of(simt_mark mark) { return mark >> KIND_BITS & ((1u << THREAD_BITS) - 1); }

static uint64_t time_of(simt_mark mark) { return mark >> (KIND_BITS + THREAD_BITS); }

static simt_trail **new_trails(lin_arena *arena, const simt_memory *memory) {
  simt_trail **trails = LIN_ARRAY(arena, simt_trail *, memory->count);
  for (uint32_t i = 0; i < memory->count; i++)
    if (!memory->object[i].is_constant)
      trails[i] = LIN_ARRAY(arena, simt_trail, memory->object[i].size);
  return trails;
}

simt_races *simt_races_new(simt_worker *worker) {
  lin_arena *arena = &worker->arena;
  simt_races *races = LIN_NEW(arena, simt_races);
  races->arena = arena;
  races->order = simt_order_new(arena, worker->machine->num_warps);
  races->global = new_trails(arena, &worker->machine->global);
  races->shared = new_trails(arena, &worker->shared);
  return races;
}

void simt_races_begin_block(simt_worker *worker) {
  simt_races *races = worker->races;
  simt_order_begin(&races->order);
  races->began = LIN_ROOM(races->arena, races->began, races->num_blocks, &races->capacity_blocks);
  races->began[races->num_blocks++] = races->order.block;
  for (uint32_t i = 0; i < worker->shared.count; i++)
    memset(races->shared[i], 0, worker->shared.object[i].size * sizeof(simt_trail));
}

static uint32_t thread_number(const simt_warp *warp, unsigned lane) {
  return warp->number * SIMT_LANES + lane;
}

// What is volatile is strong, as PTX says, like what is atomic.
static access_kind reads(const simt_instruction *in) {
  return (in->flags & SIMT_POLLS) != 0 ? READS_ATOMICALLY : READS;
}

static access_kind writes(const simt_instruction *in) {
  return (in->flags & SIMT_POLLS) != 0 ? WRITES_ATOMICALLY : WRITES;
}

// ---- what is written ---------------------------------------------------------------------------

static simt_space space_of(uint64_t address) { return (simt_space)(address >> 56); }

// The object in global or shared memory that holds `size` bytes at `address`; else NULL.
static const simt_object *object_at(const simt_warp *warp, uint64_t address, uint64_t size) {
  uint64_t offset = address & ~SIMT_WINDOW_MASK;
  switch (space_of(address)) {
  case SIMT_GENERIC:
    return simt_memory_find(&warp->machine->global, offset, size);
  case SIMT_SHARED:
    return simt_memory_find(&warp->worker->shared, offset, size);
  default:
    return NULL;
  }
}

static uint8_t byte_at(const simt_warp *warp, unsigned lane, uint64_t address) {
  uint64_t offset = address & ~SIMT_WINDOW_MASK;
  if (space_of(address) == SIMT_LOCAL)
    return offset < warp->local_capacity ? warp->local[lane][offset] : 0;
  const simt_object *object = object_at(warp, address, 1);
  return object == NULL ? 0 : object->bytes[offset - object->address];
}

static uint64_t source_of(const simt_warp *warp, const simt_instruction *in, unsigned lane) {
  const simt_frame *frame = warp->group[warp->current].frame;
  return frame->registers[in->b][lane] + ((uint64_t)in->offset << 56);
}

// What a plain write of `lane` is going to make of the byte at `address`.
static uint8_t new_byte(const simt_warp *warp, unsigned lane, const access *a, uint64_t address) {
  const simt_frame *frame = warp->group[warp->current].frame;
  const simt_instruction *in = a->in;
  uint64_t offset = address - a->address[lane], element = in->width / 8u;
  if (in->opcode == SIMT_MEMSET)
    return (uint8_t)frame->registers[in->b][lane];
  if (in->opcode == SIMT_MEMCPY)
    return byte_at(warp, lane, source_of(warp, in, lane) + offset);
  simt_register value = frame->function->operand[in->b + offset / element];
  return (uint8_t)(frame->registers[value][lane] >> 8 * (offset % element));
}

// ---- one byte ----------------------------------------------------------------------------------

static bool is_known(const simt_races *races, simt_mark mark, uint32_t thread) {
  return simt_order_knows(&races->order, thread, thread_of(mark), time_of(mark));
}

// Kinds of accesses that `kind` races with.
static unsigned against(access_kind kind) {
  switch (kind) {
  case READS:
    return WRITES | WRITES_ATOMICALLY;
  case READS_ATOMICALLY:
    return WRITES;
  case WRITES_ATOMICALLY:
    return WRITES | READS;
  default:
    return WRITES | WRITES_ATOMICALLY | READS | READS_ATOMICALLY;
  }
}

// Whether `mark` is a write of the instruction at work.
static bool is_written_now(const simt_races *races, simt_mark mark) {
  return kinds_of(mark) == WRITES && time_of(mark) == races->order.now;
}

// An access of the trail that races with one of `lane` to the byte at `address`, or 0.
static simt_mark find_race(const simt_warp *warp, unsigned lane, const access *a, uint64_t address,
                           const simt_trail *trail) {
  const simt_races *races = warp->worker->races;
  const simt_mark marks[] = {trail->write, trail->other[0], trail->other[1]};
  for (unsigned i = 0; i < sizeof marks / sizeof *marks; i++) {
    if ((kinds_of(marks[i]) & against(a->kind)) == 0 ||
        is_known(races, marks[i], thread_number(warp, lane)))
      continue;
    unsigned other = thread_of(marks[i]) % SIMT_LANES;
    if (a->kind != WRITES || !is_written_now(races, marks[i]) ||
        new_byte(warp, lane, a, address) != new_byte(warp, other, a, address))
      return marks[i];
  }
  return 0;
}

// Whether an access of `thread` may take the place of `mark`: one that it knows, and whoever
// doesn't know that one doesn't know this one either; or one that races with less.
static bool may_replace(const simt_races *races, simt_mark mark, uint32_t thread,
                        access_kind kind) {
  return mark == 0 || is_known(races, mark, thread) ||
         (kinds_of(mark) == READS_ATOMICALLY && kind != READS_ATOMICALLY);
}

static void note_other(const simt_races *races, simt_trail *trail, uint32_t thread,
                       access_kind kind) {
  for (unsigned i = 0; i < NUM_OTHERS; i++) {
    simt_mark mark = trail->other[i];
    if (mark != 0 && thread_of(mark) == thread &&
        time_of(mark) >= simt_order_last(&races->order, thread)) {
      trail->other[i] |= kind;
      return;
    }
  }
  for (unsigned i = 0; i < NUM_OTHERS; i++)
    if (may_replace(races, trail->other[i], thread, kind)) {
      trail->other[i] = make_mark(races->order.now, thread, kind);
      return;
    }
}

static void note(const simt_races *races, simt_trail *trail, uint32_t thread, access_kind kind) {
  if (kind == WRITES && !is_written_now(races, trail->write))
    *trail = (simt_trail){.write = make_mark(races->order.now, thread, kind)};
  else
    note_other(races, trail, thread, kind);
}

// ---- accesses ----------------------------------------------------------------------------------

static uint64_t block_at(const simt_races *races, uint64_t time) {
  uint32_t low = 0, high = races->num_blocks;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (races->began[middle] <= time)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// The access is one of `size` bytes, and the byte at `address` is where it races with `mark`.
static void fail(simt_warp *warp, unsigned lane, const access *a, const simt_object *object,
                 uint64_t size, uint64_t address, simt_mark mark) {
  const uint32_t *grid = warp->machine->launch.grid, *block = warp->machine->launch.block;
  uint64_t number = block_at(warp->worker->races, time_of(mark));
  uint64_t begin = (a->address[lane] & ~SIMT_WINDOW_MASK) - object->address;
  uint64_t byte = (address & ~SIMT_WINDOW_MASK) - object->address;
  uint32_t thread = thread_of(mark);
  unsigned kinds = kinds_of(mark) & against(a->kind);
  simt_fail(
      warp, lane,
      "race: %s of %llu bytes at offset %llu of '%s': block (%u,%u,%u), thread (%u,%u,%u) has "
      "%s byte %llu%s, and nothing orders the two",
      a->what, (unsigned long long)size, (unsigned long long)begin, object->name,
      (unsigned)(number % grid[0]), (unsigned)(number / grid[0] % grid[1]),
      (unsigned)(number / grid[0] / grid[1]), thread % block[0], thread / block[0] % block[1],
      thread / block[0] / block[1],
      (kinds & (WRITES | WRITES_ATOMICALLY)) != 0 ? "written" : "read", (unsigned long long)byte,
      (kinds & (WRITES | READS)) != 0 ? "" : " atomically");
}

static simt_trail *trails_of(const simt_warp *warp, uint64_t address, const simt_object *object) {
  const simt_races *races = warp->worker->races;
  return space_of(address) == SIMT_SHARED ? races->shared[object - warp->worker->shared.object]
                                          : races->global[object - warp->machine->global.object];
}

static bool check_lane(simt_warp *warp, unsigned lane, const access *a, uint64_t size) {
  const simt_object *object = object_at(warp, a->address[lane], size);
  simt_trail *trails = object == NULL ? NULL : trails_of(warp, a->address[lane], object);
  if (trails == NULL)
    return true;
  uint64_t offset = (a->address[lane] & ~SIMT_WINDOW_MASK) - object->address;
  for (uint64_t i = 0; i < size; i++) {
    simt_trail *trail = &trails[offset + i];
    simt_mark race = find_race(warp, lane, a, a->address[lane] + i, trail);
    if (race != 0) {
      fail(warp, lane, a, object, size, a->address[lane] + i, race);
      return false;
    }
    note(warp->worker->races, trail, thread_number(warp, lane), a->kind);
  }
  return true;
}

static bool check_lanes(simt_warp *warp, const access *a) {
  const simt_group *group = simt_current(warp);
  bool is_block = a->in->opcode == SIMT_MEMCPY || a->in->opcode == SIMT_MEMSET;
  for (uint32_t left = group->mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    uint64_t size =
        is_block ? group->frame->registers[a->in->c][lane] : a->in->width / 8u * a->in->count;
    if (!check_lane(warp, lane, a, size))
      return false;
  }
  return true;
}

static bool check_sources(simt_warp *warp, const simt_instruction *in) {
  uint64_t source[SIMT_LANES];
  for (uint32_t left = simt_current(warp)->mask; left != 0; left &= left - 1)
    source[simt_first_lane(left)] = source_of(warp, in, simt_first_lane(left));
  return check_lanes(warp, &(access){"copy from memory", reads(in), in, source});
}

bool simt_races_check(simt_warp *warp, const simt_instruction *in, const uint64_t *address) {
  simt_order_step(&warp->worker->races->order);
  switch ((simt_opcode)in->opcode) {
  case SIMT_LOAD:
    return check_lanes(warp, &(access){"load", reads(in), in, address});
  case SIMT_STORE:
    return check_lanes(warp, &(access){"store", writes(in), in, address});
  case SIMT_MEMSET:
    return check_lanes(warp, &(access){"memset", writes(in), in, address});
  case SIMT_MEMCPY:
    return check_sources(warp, in) &&
           check_lanes(warp, &(access){"copy to memory", writes(in), in, address});
  default:
    return check_lanes(warp, &(access){"atomic operation", WRITES_ATOMICALLY, in, address});
  }
}

bool simt_races_check_read(simt_warp *warp, unsigned lane, uint64_t address, uint64_t size) {
  uint64_t addresses[SIMT_LANES];
  addresses[lane] = address;
  return check_lane(warp, lane, &(access){"load", READS, NULL, addresses}, size);
}
