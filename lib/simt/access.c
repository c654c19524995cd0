// Every access is checked: it has to be aligned, inside one object, and what it reads written.
#include "races.h"

#include <string.h>

typedef struct place {
  uint8_t *bytes, *written;
} place;

static const char *const space_name[] = {"global", "shared", "local"};

// ---- objects -----------------------------------------------------------------------------------

// The variable among `list`, sorted by address, that holds `size` bytes at `offset`.
static const simt_variable *variable_at(const simt_variable *list, uint32_t count, uint64_t offset,
                                        uint64_t size) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i].address <= offset && offset + size <= list[i].address + list[i].size)
      return &list[i];
  return NULL;
}

// Local memory belongs to the frame at work, to its callers, or to the launch (byval parameters).
static bool is_local_variable(const simt_warp *warp, uint64_t offset, uint64_t size) {
  const simt_frame *frame = simt_current((simt_warp *)(uintptr_t)warp)->frame;
  while (frame != NULL && frame->local_base > offset)
    frame = frame->parent;
  if (frame == NULL)
    return variable_at(warp->machine->by_value, warp->machine->num_by_value, offset, size) != NULL;
  const simt_function *f = frame->function;
  return variable_at(f->local, f->num_locals, offset - frame->local_base, size) != NULL;
}

static simt_space space_of(uint64_t address) {
  uint64_t window = address & SIMT_WINDOW_MASK;
  return window == SIMT_SHARED_WINDOW  ? SIMT_SHARED
         : window == SIMT_LOCAL_WINDOW ? SIMT_LOCAL
                                       : SIMT_GENERIC;
}

static bool find_place(simt_warp *warp, unsigned lane, uint64_t address, uint64_t size,
                       place *found, const simt_object **object) {
  simt_space space = space_of(address);
  *object = NULL;
  if (space == SIMT_LOCAL) {
    uint64_t offset = address & ~SIMT_WINDOW_MASK;
    if (offset + size > warp->local_capacity || !is_local_variable(warp, offset, size))
      return false;
    *found = (place){warp->local[lane] + offset, warp->local_written[lane] + offset};
    return true;
  }
  const simt_memory *memory = space == SIMT_SHARED ? &warp->worker->shared : &warp->machine->global;
  uint64_t base = space == SIMT_SHARED ? SIMT_SHARED_WINDOW : 0;
  const simt_object *at = *object = simt_memory_find(memory, address - base, size);
  if (at == NULL)
    return false;
  uint64_t offset = address - base - at->address;
  *found = (place){at->bytes + offset, at->written + offset};
  return true;
}

// ---- faults ------------------------------------------------------------------------------------

// Fails with `what` happened at `address`: where in an object, or in its space.
static void fail_at(simt_warp *warp, unsigned lane, const char *what, uint64_t size,
                    uint64_t address, const char *why) {
  simt_space space = space_of(address);
  uint64_t offset = space == SIMT_GENERIC ? address : address & ~SIMT_WINDOW_MASK;
  const simt_memory *memory = space == SIMT_SHARED ? &warp->worker->shared : &warp->machine->global;
  const simt_object *near = space == SIMT_LOCAL ? NULL : simt_memory_near(memory, offset);
  if (near == NULL)
    simt_fail(warp, lane, "%s of %llu bytes%s at 0x%llx in %s memory", what,
              (unsigned long long)size, why, (unsigned long long)offset, space_name[space]);
  else
    simt_fail(warp, lane, "%s of %llu bytes%s at offset %llu of '%s', which has %llu bytes", what,
              (unsigned long long)size, why, (unsigned long long)(offset - near->address),
              near->name, (unsigned long long)near->size);
}

// Where an access of one lane goes; false after a fault.
static bool check(simt_warp *warp, unsigned lane, const char *what, uint64_t address, uint64_t size,
                  uint64_t alignment, bool writes, place *found) {
  const simt_object *object;
  if (address % alignment != 0) {
    simt_fail(warp, lane, "misaligned: %s of %llu bytes at 0x%llx, which %llu doesn't divide", what,
              (unsigned long long)size, (unsigned long long)(address & ~SIMT_WINDOW_MASK),
              (unsigned long long)alignment);
    return false;
  }
  if (!find_place(warp, lane, address, size, found, &object)) {
    char out_of_bounds[64];
    snprintf(out_of_bounds, sizeof out_of_bounds, "out of bounds: %s", what);
    fail_at(warp, lane, out_of_bounds, size, address, "");
    return false;
  }
  if (writes && object != NULL && object->is_constant) {
    simt_fail(warp, lane, "%s to constant memory: '%s'", what, object->name);
    return false;
  }
  return true;
}

static bool check_written(simt_warp *warp, unsigned lane, uint64_t address, uint64_t size,
                          const place *at) {
  if (warp->machine->launch.allow_unwritten || memchr(at->written, 0, size) == NULL)
    return true;
  fail_at(warp, lane, "read", size, address, " that nobody wrote,");
  return false;
}

// ---- loads and stores --------------------------------------------------------------------------

static void count_traffic(simt_warp *warp, const uint64_t *address, uint32_t mask, uint32_t size,
                          bool loads, bool stores) {
  simt_space space = space_of(address[simt_first_lane(mask)]);
  uint32_t sectors;
  if (space == SIMT_LOCAL) { // words of the lanes lie side by side
    uint64_t interleaved[SIMT_LANES];
    for (uint32_t left = mask; left != 0; left &= left - 1) {
      unsigned lane = simt_first_lane(left);
      interleaved[lane] =
          (address[lane] & ~SIMT_WINDOW_MASK) / 4 * (uint64_t)(4 * SIMT_LANES) + lane * UINT64_C(4);
    }
    sectors = simt_count_sectors(interleaved, mask, 4) * ((size + 3) / 4);
  } else {
    sectors = simt_count_sectors(address, mask, size);
  }
  if (loads) {
    warp->counts->load[space].instructions++;
    warp->counts->load[space].sectors += sectors;
  }
  if (stores) {
    warp->counts->store[space].instructions++;
    warp->counts->store[space].sectors += sectors;
  }
}

static uint64_t window_of(unsigned space) { return (uint64_t)space << 56; }

static void load(simt_warp *warp, const simt_instruction *in, const uint64_t *address) {
  const simt_group *group = simt_current(warp);
  uint32_t element = in->width / 8u, size = element * in->count;
  for (uint32_t left = group->mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    place at;
    if (!check(warp, lane, "load", address[lane], size, in->align, false, &at) ||
        ((in->flags & SIMT_IS_COPY) == 0 && !check_written(warp, lane, address[lane], size, &at)))
      return;
    for (uint32_t i = 0; i < in->count; i++)
      group->frame->registers[in->dst + i][lane] = simt_bytes_read(at.bytes + i * element, element);
  }
}

static void store(simt_warp *warp, const simt_instruction *in, const uint64_t *address) {
  const simt_group *group = simt_current(warp);
  const simt_register *value = group->frame->function->operand + in->b;
  uint32_t element = in->width / 8u, size = element * in->count;
  for (uint32_t left = group->mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    place at;
    if (!check(warp, lane, "store", address[lane], size, in->align, true, &at))
      return;
    for (uint32_t i = 0; i < in->count; i++)
      simt_bytes_write(at.bytes + i * element, element, group->frame->registers[value[i]][lane]);
    memset(at.written, 1, size);
  }
}

// ---- atomics -----------------------------------------------------------------------------------

static int64_t sign_extend(uint64_t value, unsigned width) {
  return (int64_t)(value << (64 - width)) >> (64 - width);
}

static uint64_t combine_floats(simt_atomic operation, double a, double b, unsigned width) {
  double result = operation == SIMT_ATOMIC_FADD   ? a + b
                  : operation == SIMT_ATOMIC_FSUB ? a - b
                  : operation == SIMT_ATOMIC_FMAX ? (a < b || a != a ? b : a)
                                                  : (a > b || a != a ? b : a);
  return width == 32 ? simt_float_bits((float)result) : simt_double_bits(result);
}

static uint64_t combine(simt_atomic operation, uint64_t old, uint64_t value, unsigned width) {
  bool is_less = sign_extend(old, width) < sign_extend(value, width);
  switch (operation) {
  case SIMT_ATOMIC_EXCHANGE:
    return value;
  case SIMT_ATOMIC_ADD:
    return old + value;
  case SIMT_ATOMIC_SUB:
    return old - value;
  case SIMT_ATOMIC_AND:
    return old & value;
  case SIMT_ATOMIC_NAND:
    return ~(old & value);
  case SIMT_ATOMIC_OR:
    return old | value;
  case SIMT_ATOMIC_XOR:
    return old ^ value;
  case SIMT_ATOMIC_SMAX:
    return is_less ? value : old;
  case SIMT_ATOMIC_SMIN:
    return is_less ? old : value;
  case SIMT_ATOMIC_UMAX:
    return old < value ? value : old;
  case SIMT_ATOMIC_UMIN:
    return old < value ? old : value;
  case SIMT_ATOMIC_INC:
    return old >= value ? 0 : old + 1;
  case SIMT_ATOMIC_DEC:
    return old == 0 || old > value ? value : old - 1;
  default:
    return width == 32
               ? combine_floats(operation, (double)simt_float(old), (double)simt_float(value), 32)
               : combine_floats(operation, simt_double(old), simt_double(value), 64);
  }
}

// Lane by lane, the lowest first.
static void update(simt_warp *warp, const simt_instruction *in, const uint64_t *address) {
  const simt_group *group = simt_current(warp);
  simt_lanes *r = group->frame->registers;
  uint32_t size = in->width / 8u;
  for (uint32_t left = group->mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    place at;
    if (!check(warp, lane, "atomic operation", address[lane], size, in->align, true, &at) ||
        !check_written(warp, lane, address[lane], size, &at))
      return;
    uint64_t old = simt_bytes_read(at.bytes, size);
    if (in->opcode == SIMT_ATOMIC) {
      simt_bytes_write(at.bytes, size,
                       combine((simt_atomic)in->extra, old, r[in->b][lane], in->width));
    } else if (old == r[in->b][lane]) {
      simt_bytes_write(at.bytes, size, r[in->c][lane]);
      r[in->dst + 1][lane] = 1;
    } else {
      r[in->dst + 1][lane] = 0;
    }
    r[in->dst][lane] = old;
    memset(at.written, 1, size);
  }
}

// ---- whole blocks of memory --------------------------------------------------------------------

static void set_bytes(simt_warp *warp, const simt_instruction *in, const uint64_t *address) {
  const simt_group *group = simt_current(warp);
  for (uint32_t left = group->mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    uint64_t size = group->frame->registers[in->c][lane];
    place at;
    if (size == 0)
      continue;
    if (!check(warp, lane, "memset", address[lane], size, 1, true, &at))
      return;
    memset(at.bytes, (int)group->frame->registers[in->b][lane], size);
    memset(at.written, 1, size);
  }
}

// What is not written stays so in the copy: a structure's padding is copied with it.
static void copy_bytes(simt_warp *warp, const simt_instruction *in, const uint64_t *address) {
  const simt_group *group = simt_current(warp);
  for (uint32_t left = group->mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    uint64_t size = group->frame->registers[in->c][lane];
    uint64_t source = group->frame->registers[in->b][lane] + window_of(in->offset);
    place to, from;
    if (size == 0)
      continue;
    if (!check(warp, lane, "copy to memory", address[lane], size, 1, true, &to) ||
        !check(warp, lane, "copy from memory", source, size, 1, false, &from))
      return;
    memmove(to.bytes, from.bytes, size);
    memmove(to.written, from.written, size);
  }
}

void simt_access(simt_warp *warp, const simt_instruction *in) {
  const simt_group *group = simt_current(warp);
  simt_lanes *r = group->frame->registers;
  uint64_t address[SIMT_LANES];
  if (in->opcode == SIMT_ALLOCA) {
    uint64_t at =
        in->offset + group->frame->local_base + (in->from == SIMT_GENERIC ? SIMT_LOCAL_WINDOW : 0);
    for (uint32_t left = group->mask; left != 0; left &= left - 1)
      r[in->dst][simt_first_lane(left)] = at;
    return;
  }
  uint64_t add = window_of(in->from) + (in->opcode == SIMT_MEMCPY ? 0 : in->offset);
  for (uint32_t left = group->mask; left != 0; left &= left - 1)
    address[simt_first_lane(left)] = r[in->a][simt_first_lane(left)] + add;
  if (warp->worker->races != NULL && !simt_races_check(warp, in, address))
    return;
  bool block = in->opcode == SIMT_MEMCPY || in->opcode == SIMT_MEMSET;
  if (!block)
    count_traffic(warp, address, group->mask, in->width / 8u * in->count, in->opcode != SIMT_STORE,
                  in->opcode != SIMT_LOAD);
  switch ((simt_opcode)in->opcode) {
  case SIMT_LOAD:
    load(warp, in, address);
    if ((in->flags & SIMT_IS_INPUT) != 0 && warp->worker->inputs != NULL)
      simt_inputs_take(warp->worker->inputs, in, (const simt_lanes *)r, warp->number * SIMT_LANES,
                       group->mask);
    break;
  case SIMT_STORE:
    store(warp, in, address);
    break;
  case SIMT_MEMSET:
    set_bytes(warp, in, address);
    break;
  case SIMT_MEMCPY:
    copy_bytes(warp, in, address);
    break;
  default:
    update(warp, in, address);
  }
}

bool simt_access_read(simt_warp *warp, unsigned lane, uint64_t address, uint32_t size,
                      uint64_t *value) {
  place at;
  if (!check(warp, lane, "load", address, size, 1, false, &at) ||
      !check_written(warp, lane, address, size, &at) ||
      (warp->worker->races != NULL && !simt_races_check_read(warp, lane, address, size)))
    return false;
  *value = simt_bytes_read(at.bytes, size);
  return true;
}

bool simt_access_text(simt_warp *warp, unsigned lane, uint64_t address, char *text, size_t size) {
  size_t length = 0;
  for (uint64_t byte = 1; byte != 0 && length + 1 < size; length++) {
    if (!simt_access_read(warp, lane, address + length, 1, &byte))
      return false;
    text[length] = (char)byte;
  }
  text[length] = '\0';
  return true;
}
