#include "ptx_program.h"

#include <stdlib.h>

enum { MOST_FRAMES = 16 }; // of calls

uint32_t ptx_machine_functions(const ptx_machine *machine) { return machine->num_functions; }

const char *ptx_machine_name(const ptx_machine *machine, uint32_t number) {
  return machine->function[number].name;
}

// ---- running

// What is stored at an address, or in a parameter.
typedef struct cell {
  uint64_t key, value;
  bool is_used;
} cell;

typedef struct memory {
  cell *cell; // open addressing
  uint32_t size, used;
} memory;

typedef struct frame {
  const function *f;
  uint64_t *reg;
  memory parameter; // of .param space
  uint32_t at;
  const instruction *call; // that waits for this frame's end
} frame;

typedef struct thread {
  const ptx_machine *machine;
  uint64_t number, unset;
  memory memory;
  frame frame[MOST_FRAMES];
  uint32_t depth;
  ptx_trace *trace;
} thread;

// Where it stands, or would.
static cell *slot_of(const memory *m, uint64_t key) {
  uint32_t at = (uint32_t)(mix(key, 3) % m->size);
  while (m->cell[at].is_used && m->cell[at].key != key)
    at = (at + 1) % m->size;
  return &m->cell[at];
}

static cell *find_cell(memory *m, uint64_t key) {
  if (2 * m->used >= m->size) {
    uint32_t size = m->size == 0 ? 64 : 2 * m->size;
    memory larger = {calloc(size, sizeof *larger.cell), size, m->used};
    for (uint32_t i = 0; i < m->size; i++)
      if (m->cell[i].is_used)
        *slot_of(&larger, m->cell[i].key) = m->cell[i];
    free(m->cell);
    *m = larger;
  }
  return slot_of(m, key);
}

static void store(memory *m, uint64_t key, uint64_t value) {
  cell *c = find_cell(m, key);
  m->used += !c->is_used;
  *c = (cell){key, value, true};
}

static uint64_t load(memory *m, uint64_t key) {
  const cell *c = find_cell(m, key);
  return c->is_used ? c->value : mix(key, 11);
}

static void note(thread *t, uint64_t event) {
  if (t->trace->count < t->trace->capacity)
    t->trace->event[t->trace->count++] = event;
}

static uint64_t masked(uint64_t value, uint32_t width) {
  return width == 64 ? value : value & ((1ull << width) - 1);
}

static uint64_t get(const thread *t, const frame *f, const operand *o) {
  uint64_t value = o->kind == REGISTER  ? f->reg[o->value]
                   : o->kind == SPECIAL ? (o->value == 0 ? t->number : mix(o->value, t->number))
                                        : o->value;
  if (o->kind == SYMBOL) // the frame's own variables are each call's
    value = mix(value, 5) & ~7ull;
  value += o->offset;
  return o->is_negated ? !value : value;
}

static void set(frame *f, const operand *o, uint64_t value) {
  if (o->kind == REGISTER)
    f->reg[o->value] = masked(value, f->f->width[o->value]);
}

static int64_t sign(uint64_t value, uint32_t width) {
  return width == 64 ? (int64_t)value : (int64_t)(value << (64 - width)) >> (64 - width);
}

static bool has(const char *opcode, const char *part) { return strstr(opcode, part) != NULL; }

static uint64_t compare(const char *opcode, uint64_t a, uint64_t b) {
  uint32_t width = has(opcode, "64") ? 64 : has(opcode, "16") ? 16 : 32;
  a = masked(a, width);
  b = masked(b, width);
  if (has(opcode, ".eq."))
    return a == b;
  if (has(opcode, ".ne."))
    return a != b;
  bool is_signed = has(opcode, ".s16") || has(opcode, ".s32") || has(opcode, ".s64");
  bool less = is_signed ? sign(a, width) < sign(b, width) : a < b;
  if (has(opcode, ".lt.") || has(opcode, ".lo."))
    return less;
  if (has(opcode, ".le.") || has(opcode, ".ls."))
    return less || a == b;
  if (has(opcode, ".gt.") || has(opcode, ".hi."))
    return !less && a != b;
  return !less;
}

// What an opcode computes from its operands.
static uint64_t compute(const instruction *i, const uint64_t *v, uint32_t count) {
  const char *o = i->opcode;
  bool is_whole = !has(o, ".f16") && !has(o, ".f32") && !has(o, ".f64") && !has(o, ".bf16") &&
                  !has(o, ".hi.") && !has(o, ".cc") && !has(o, ".sat") && !has(o, "x2");
  if (count == 1 && (begins(o, "mov.") || begins(o, "cvta.")))
    return v[0];
  if (count == 3 && begins(o, "selp."))
    return (v[2] & 1) != 0 ? v[0] : v[1];
  if (count == 1 && strcmp(o, "not.pred") == 0)
    return ~v[0];
  if (is_whole && count == 1 && begins(o, "not."))
    return ~v[0];
  if (is_whole && count == 2) {
    if (begins(o, "add."))
      return v[0] + v[1];
    if (begins(o, "sub."))
      return v[0] - v[1];
    if (begins(o, "mul.lo."))
      return v[0] * v[1];
    if (begins(o, "and."))
      return v[0] & v[1];
    if (begins(o, "or."))
      return v[0] | v[1];
    if (begins(o, "xor."))
      return v[0] ^ v[1];
    if (begins(o, "shl.") && v[1] < 64)
      return v[0] << v[1];
    if (begins(o, "shr.u") && v[1] < 64)
      return v[0] >> v[1];
    if (begins(o, "rem.u") && v[1] != 0)
      return v[0] % v[1];
  }
  if (is_whole && count == 3 && begins(o, "mad.lo."))
    return v[0] * v[1] + v[2];
  if (begins(o, "setp.") && is_whole && count >= 2) {
    uint64_t result = compare(o, v[0], v[1]);
    if (count == 3)
      result = has(o, ".and.") ? result & v[2] : has(o, ".or.") ? result | v[2] : result ^ v[2];
    return result;
  }
  uint64_t result = i->hash;
  for (uint32_t k = 0; k < count; k++)
    result = mix(result, v[k]);
  return result;
}

// ---- calls

static const function *find_function(const thread *t, const operand *o) {
  for (uint32_t i = 0; o->kind == SYMBOL && i < t->machine->num_functions; i++)
    if (hash_text(t->machine->function[i].name) == o->value)
      return &t->machine->function[i];
  return NULL;
}

static void open_frame(thread *t, const function *f, const instruction *call) {
  frame *new = &t->frame[t->depth++];
  *new =
      (frame){.f = f, .call = call, .reg = calloc((size_t)f->num_registers + 1, sizeof *new->reg)};
  for (uint32_t i = 0; i < f->num_registers; i++)
    new->reg[i] = masked(mix(f->hash[i], t->unset), f->width[i]);
}

static void close_frame(thread *t) {
  frame *f = &t->frame[--t->depth];
  free(f->reg);
  free(f->parameter.cell);
}

// A parameter's cells, from one frame to another: those of its first 256 bytes.
static void copy_parameter(frame *from, uint64_t source, frame *to, uint64_t target) {
  for (uint64_t offset = 0; offset < 256; offset++) {
    const cell *c = find_cell(&from->parameter, (mix(source, 5) & ~7ull) + offset);
    if (c->is_used)
      store(&to->parameter, (mix(target, 5) & ~7ull) + offset, c->value);
  }
}

// Operands of a call: results, if any, in the list before the callee's; arguments behind it.
static const operand *callee_of(const frame *f, const instruction *i) {
  const operand *o = &f->f->operand[i->first];
  uint32_t at = 0;
  while (i->has_result && at < i->count && o[at].list == 1)
    at++;
  return &o[at];
}

static void pass(frame *from, const operand *o, frame *to, uint32_t parameter) {
  uint32_t own = to->f->own[parameter];
  if (own != LIN_NONE)
    to->reg[own] = o->kind == REGISTER ? from->reg[o->value] : o->value;
  else
    copy_parameter(from, o->value, to, to->f->result[parameter]);
}

static void call(thread *t, frame *f, const instruction *i) {
  const operand *first = &f->f->operand[i->first], *last = first + i->count,
                *callee = callee_of(f, i);
  const function *known = callee == last ? NULL : find_function(t, callee);
  if (known != NULL && t->depth < MOST_FRAMES) {
    open_frame(t, known, i);
    uint32_t parameter = known->num_results;
    for (const operand *o = callee + 1; o < last && parameter < known->num_parameters; o++)
      pass(f, o, &t->frame[t->depth - 1], parameter++);
    return;
  }
  uint64_t event = i->hash;
  for (const operand *o = callee; o < last; o++) {
    event = mix(event, o->kind == REGISTER ? f->reg[o->value] : o->value);
    for (uint64_t offset = 0; o->kind == SYMBOL && offset < 256; offset++) {
      const cell *c = find_cell(&f->parameter, (mix(o->value, 5) & ~7ull) + offset);
      event = c->is_used ? mix(event, c->value) : event;
    }
  }
  note(t, event);
  for (const operand *o = first; o < callee; o++) {
    set(f, o, mix(event, t->trace->count));
    for (uint64_t offset = 0; o->kind == SYMBOL && offset < 64; offset++)
      store(&f->parameter, (mix(o->value, 5) & ~7ull) + offset, mix(event, offset));
  }
}

static void finish_call(thread *t) {
  frame *callee = &t->frame[t->depth - 1], *f = callee - 1;
  const instruction *i = callee->call;
  const operand *o = &f->f->operand[i->first], *behind = callee_of(f, i);
  for (uint32_t k = 0; o < behind && k < callee->f->num_results; o++, k++) {
    uint32_t own = callee->f->own[k];
    if (own != LIN_NONE)
      set(f, o, callee->reg[own]);
    else
      copy_parameter(callee, callee->f->result[k], f, o->value);
  }
  close_frame(t);
}

// ---- steps

static void run_plain(thread *t, frame *f, const instruction *i) {
  const operand *o = &f->f->operand[i->first];
  uint64_t value[MOST_OPERANDS], address = 0;
  uint32_t count = 0, results = 0;
  while (i->has_result && results < i->count && o[results].list == 1)
    results++;
  for (uint32_t at = results; at < i->count; at++) {
    value[count++] = get(t, f, &o[at]);
    if (o[at].is_address)
      address = value[count - 1];
  }
  bool is_parameter = has(i->opcode, ".param");
  memory *m = is_parameter ? &f->parameter : &t->memory;
  uint32_t width = has(i->opcode, "64")   ? 8
                   : has(i->opcode, "16") ? 2
                   : has(i->opcode, "8")  ? 1
                                          : 4;
  uint64_t result = 0, place = address;
  switch (i->kind) {
  case STORE:
    for (uint32_t k = 1; k < count; k++) {
      store(m, address + (uint64_t)(k - 1) * width, masked(value[k], 8 * width));
      if (!is_parameter)
        note(t, mix(mix(i->hash, address), mix(k, masked(value[k], 8 * width))));
    }
    return;
  case LOAD:
    for (uint32_t k = 0; k < results; k++)
      set(f, &o[k], load(m, address + (uint64_t)k * width));
    return;
  case ATOMIC:
    result = load(m, address);
    for (uint32_t k = 0; k < count; k++)
      address = mix(address, value[k]);
    note(t, mix(i->hash, address));
    store(m, place, mix(result, address));
    break;
  case EVENT:
    result = i->hash;
    for (uint32_t k = 0; k < count; k++)
      result = mix(result, value[k]);
    note(t, result);
    result = mix(result, t->trace->count);
    break;
  default:
    result = compute(i, value, count);
  }
  for (uint32_t k = 0; k < results; k++)
    set(f, &o[k], k == 0 ? result : begins(i->opcode, "setp") ? ~result : mix(result, k));
}

void ptx_machine_run(const ptx_machine *machine, uint32_t number, uint32_t thread_number,
                     uint64_t unset, uint32_t steps, ptx_trace *trace) {
  thread *t = calloc(1, sizeof *t);
  t->machine = machine;
  t->number = thread_number;
  t->unset = unset;
  t->trace = trace;
  trace->count = 0;
  trace->end = PTX_SPUN;
  open_frame(t, &machine->function[number], NULL);
  for (; steps > 0; steps--) {
    if (trace->count == trace->capacity) {
      trace->end = PTX_FULL;
      break;
    }
    frame *f = &t->frame[t->depth - 1];
    bool is_over = f->at >= f->f->num_instructions;
    const instruction *i = is_over ? NULL : &f->f->instruction[f->at++];
    if (i != NULL && i->predicate != LIN_NONE && (f->reg[i->predicate] != 0) == i->is_negated)
      continue;
    kind what = is_over ? RETURN : i->kind;
    if (what == EXIT || what == TRAP || (what == RETURN && t->depth == 1)) {
      trace->end = what == TRAP ? PTX_TRAPPED : PTX_RETURNED;
      break;
    }
    if (what == RETURN) {
      finish_call(t);
    } else if (what == BRANCH) {
      f->at = i->target;
    } else if (what == SWITCH) {
      uint64_t way = get(t, f, &f->f->operand[i->first]);
      if (way >= i->num_ways) {
        trace->end = PTX_UNDEFINED;
        break;
      }
      f->at = i->way[way];
    } else if (what == CALL) {
      call(t, f, i);
    } else {
      run_plain(t, f, i);
    }
  }
  while (t->depth > 0)
    close_frame(t);
  free(t->memory.cell);
  free(t);
}
