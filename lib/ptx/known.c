// 1. The blocks before, as far as one leads to the next alone, up to `from`, and `block` itself: a
//    way that all take who come from there.
// 2. Along it, in its order, what registers are known to hold.
#include "known.h"

#include "moves.h"

#include <assert.h>
#include <string.h>

// Of one question: blocks, instructions of each, and registers that are known.
enum { MOST_BLOCKS = 8, MOST_INSTRUCTIONS = 128, MOST_KNOWN = 16, MOST_OPERANDS = 4 };

typedef struct value {
  bool is_known;
  uint64_t bits; // those of its type; of a predicate 0 or 1
} value;

static const value unknown = {false, 0};

// What is known at a place of the way.
typedef struct known {
  const lin_ptx_function *f;
  const lin_ptx_body *body;
  const uint32_t *only_sets;
  uint32_t reg[MOST_KNOWN];
  uint64_t bits[MOST_KNOWN];
  uint32_t count;
} known;

// ---- numbers

typedef struct operand {
  uint32_t reg; // or LIN_NONE: a number
  uint64_t bits;
} operand;

// 12, 0x1F, 7U; not 0f3F800000, and nothing with zeros in front.
static bool read_number(const char *text, uint32_t length, uint64_t *number) {
  uint32_t base = 10, at = 0;
  if (length > 0 && text[length - 1] == 'U')
    length--;
  if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    at = 2;
  }
  if (length == 0 || length > 18 || (base == 10 && length > 1 && text[0] == '0'))
    return false;
  for (*number = 0; at < length; at++) {
    static const char digits[] = "0123456789abcdef";
    char c = text[at] >= 'A' && text[at] <= 'F' ? (char)(text[at] - 'A' + 'a') : text[at];
    const char *digit = c == '\0' ? NULL : strchr(digits, c);
    if (digit == NULL || digit - digits >= base)
      return false;
    *number = *number * base + (uint64_t)(digit - digits);
  }
  return true;
}

// The operands: registers and numbers, with commas between them. Returns how many, 0 if there is
// anything else.
static uint32_t read_operands(const lin_ptx_body *body, uint32_t at, operand *found) {
  const char *text = body->module->text;
  lin_ptx_word word[LIN_PTX_MOST_WORDS];
  uint32_t count;
  if (lin_ptx_words(body, at, word, &count) == NULL || count > MOST_OPERANDS)
    return 0;
  uint32_t done = body->instruction[at].operands;
  for (uint32_t i = 0; i <= count; i++) {
    uint32_t end = i < count ? word[i].start : body->instruction[at].end;
    bool is_negative = false;
    uint32_t commas = 0;
    for (; done < end; done++) {
      is_negative |= text[done] == '-';
      commas += text[done] == ',';
      if (strchr(" \t\r\n,-;", text[done]) == NULL)
        return 0;
    }
    if (commas != (i > 0 && i < count) || (i == count && is_negative))
      return 0;
    if (i == count)
      break;
    done = word[i].end;
    if (word[i].access != LIN_NONE) {
      if (is_negative)
        return 0;
      found[i] = (operand){body->access[word[i].access].reg, 0};
      continue;
    }
    found[i].reg = LIN_NONE;
    if (!read_number(text + word[i].start, word[i].end - word[i].start, &found[i].bits))
      return 0;
    if (is_negative)
      found[i].bits = 0 - found[i].bits;
  }
  return count;
}

// The type that an opcode ends in.
typedef struct type {
  uint32_t width; // 0: none that is known; 1 of predicates
  bool is_signed;
} type;

static type read_type(const char *part, size_t length) {
  if (length == 5 && memcmp(part, ".pred", 5) == 0)
    return (type){1, false};
  if (length < 3 || (part[1] != 'b' && part[1] != 'u' && part[1] != 's'))
    return (type){0, false};
  uint32_t width = 0;
  for (size_t i = 2; i < length; i++)
    if (part[i] >= '0' && part[i] <= '9' && width < 100)
      width = 10 * width + (uint32_t)(part[i] - '0');
    else
      return (type){0, false};
  bool is_width = width == 8 || width == 16 || width == 32 || width == 64;
  return (type){is_width ? width : 0, part[1] == 's'};
}

static uint64_t cut(uint64_t bits, uint32_t width) {
  return width >= 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

// As 64 bits of the same value.
static uint64_t extend(uint64_t bits, type t) {
  bits = cut(bits, t.width);
  bool is_negative = t.is_signed && t.width < 64 && (bits >> (t.width - 1)) != 0;
  return is_negative ? bits | ~UINT64_C(0) << t.width : bits;
}

// ---- operations

// An opcode: its parts, of which the last is a type.
typedef struct parts {
  const char *part[4];
  size_t length[4];
  uint32_t count; // 0: there are more
} parts;

static parts cut_opcode(const lin_ptx_body *body, uint32_t at) {
  const lin_ptx_instruction *i = &body->instruction[at];
  const char *text = body->module->text + i->name, *end = body->module->text + i->operands;
  parts p = {.count = 0};
  while (text < end) {
    const char *dot = memchr(text + 1, '.', (size_t)(end - text - 1));
    const char *stop = dot == NULL ? end : dot;
    if (p.count == 4)
      return (parts){.count = 0};
    p.part[p.count] = text;
    p.length[p.count++] = (size_t)(stop - text);
    text = stop;
  }
  return p;
}

static bool is(const parts *p, uint32_t index, const char *name) {
  return p->length[index] == strlen(name) && memcmp(p->part[index], name, p->length[index]) == 0;
}

static value flag(bool set) { return (value){true, set}; }

static value compare(const parts *p, type t, value a, value b) {
  if (!a.is_known || !b.is_known || t.width <= 1)
    return unknown;
  uint64_t left = extend(a.bits, t), right = extend(b.bits, t);
  bool is_less = t.is_signed ? (int64_t)left < (int64_t)right : left < right;
  if (is(p, 1, ".eq"))
    return flag(left == right);
  if (is(p, 1, ".ne"))
    return flag(left != right);
  if (is(p, 1, ".lt"))
    return flag(is_less);
  if (is(p, 1, ".ge"))
    return flag(!is_less);
  if (is(p, 1, ".le"))
    return flag(is_less || left == right);
  if (is(p, 1, ".gt"))
    return flag(!is_less && left != right);
  return unknown;
}

// Both are known, or one of them decides.
static value combine(char operation, uint32_t width, value a, value b) {
  uint64_t all = cut(~UINT64_C(0), width), decides = operation == '&' ? 0 : all;
  if (operation != '^' && ((a.is_known && a.bits == decides) || (b.is_known && b.bits == decides)))
    return (value){true, decides};
  if (!a.is_known || !b.is_known)
    return unknown;
  return (value){true, operation == '&'   ? a.bits & b.bits
                       : operation == '|' ? a.bits | b.bits
                                          : a.bits ^ b.bits};
}

static value recall(const known *k, uint32_t reg);

// What an instruction sets its first operand to.
static value evaluate(const known *k, uint32_t at) {
  parts o = cut_opcode(k->body, at);
  operand operands[MOST_OPERANDS] = {{LIN_NONE, 0}};
  uint32_t count = o.count < 2 ? 0 : read_operands(k->body, at, operands);
  assert(count <= MOST_OPERANDS);
  if (count < 2)
    return unknown;
  type t = read_type(o.part[o.count - 1], o.length[o.count - 1]);
  value v[MOST_OPERANDS] = {unknown, unknown, unknown, unknown};
  for (uint32_t i = 1; i < count && t.width > 0; i++) {
    uint32_t width = is(&o, 0, "selp") && i == 3 ? 1 : t.width;
    v[i] =
        operands[i].reg != LIN_NONE ? recall(k, operands[i].reg) : (value){true, operands[i].bits};
    // -1 is a predicate that is set
    v[i].bits = width == 1 ? v[i].bits != 0 : cut(v[i].bits, width);
  }
  if (count == 2 && o.count == 2 && is(&o, 0, "mov"))
    return v[1];
  if (count == 2 && o.count == 2 && is(&o, 0, "not"))
    return v[1].is_known ? (value){true, cut(~v[1].bits, t.width)} : unknown;
  if (count == 2 && o.count == 3 && is(&o, 0, "cvt")) {
    type to = read_type(o.part[1], o.length[1]);
    return v[1].is_known && to.width > 0 ? (value){true, cut(extend(v[1].bits, t), to.width)}
                                         : unknown;
  }
  if (count == 3 && o.count == 2 && is(&o, 0, "and"))
    return combine('&', t.width, v[1], v[2]);
  if (count == 3 && o.count == 2 && is(&o, 0, "or"))
    return combine('|', t.width, v[1], v[2]);
  if (count == 3 && o.count == 2 && is(&o, 0, "xor"))
    return combine('^', t.width, v[1], v[2]);
  if (count == 3 && o.count == 3 && is(&o, 0, "setp"))
    return compare(&o, t, v[1], v[2]);
  if (count == 4 && o.count == 2 && is(&o, 0, "selp") && v[3].is_known)
    return v[3].bits != 0 ? v[1] : v[2];
  return unknown;
}

// ---- what is known

// The only instruction that sets a register, if that is a number.
static value only_value(const known *k, uint32_t reg) {
  uint32_t at = k->only_sets[reg];
  operand operands[MOST_OPERANDS];
  parts o = at == LIN_NONE ? (parts){.count = 0} : cut_opcode(k->body, at);
  if (o.count != 2 || !is(&o, 0, "mov") || read_operands(k->body, at, operands) != 2 ||
      operands[1].reg != LIN_NONE)
    return unknown;
  type t = read_type(o.part[1], o.length[1]);
  uint64_t bits = operands[1].bits;
  return t.width == 0 ? unknown : (value){true, t.width == 1 ? bits != 0 : cut(bits, t.width)};
}

static value recall(const known *k, uint32_t reg) {
  for (uint32_t i = 0; i < k->count; i++)
    if (k->reg[i] == reg)
      return (value){true, k->bits[i]};
  return only_value(k, reg);
}

static void forget(known *k, uint32_t reg) {
  for (uint32_t i = 0; i < k->count; i++)
    if (k->reg[i] == reg) {
      k->count--;
      k->reg[i] = k->reg[k->count];
      k->bits[i] = k->bits[k->count];
      return;
    }
}

static void learn(known *k, uint32_t reg, value v) {
  forget(k, reg);
  if (!v.is_known || k->count == MOST_KNOWN)
    return;
  k->reg[k->count] = reg;
  k->bits[k->count++] = v.bits;
}

// Whether an instruction may be one of those that are evaluated: most are not.
static bool may_be_known(const lin_ptx_body *body, uint32_t at) {
  const lin_ptx_opcode *opcode = lin_ptx_meaning(body, at);
  char first = body->module->text[body->instruction[at].name];
  return opcode->is_known && opcode->effects == 0 && !opcode->is_param &&
         memchr("acmnosx", first, 7) != NULL;
}

static void learn_instruction(known *k, uint32_t at) {
  const lin_ptx_body *body = k->body;
  value v = may_be_known(body, at) ? evaluate(k, at) : unknown;
  for (LIN_PTX_ACCESSES(body, at, i))
    if (body->access[i].kind != LIN_PTX_READ)
      learn(k, body->access[i].reg, body->access[i].kind == LIN_PTX_SET ? v : unknown);
}

// ---- ways

// What the branch of `from` says to those whom it takes to `to`.
static void learn_edge(known *k, lin_block from, lin_block to) {
  const lin_ptx_block *b = &k->f->block[from];
  const lin_graph *graph = k->f->graph;
  if (b->branch == LIN_NONE || lin_out_degree(graph, from) != 2 ||
      lin_ptx_meaning(k->body, b->branch)->flow == LIN_PTX_BRX)
    return;
  const lin_ptx_instruction *i = &k->body->instruction[b->branch];
  lin_block taken = graph->destination[graph->first_edge[from]];
  bool is_one = taken != graph->destination[graph->first_edge[from] + 1];
  if (i->predicate != LIN_NONE && is_one)
    learn(k, i->predicate, flag((to == taken) != i->is_negated));
}

// The blocks of the way to `block` by `from`, the last first; returns how many.
static uint32_t find_way(const lin_ptx_function *f, lin_block block, lin_block from,
                         lin_block way[MOST_BLOCKS]) {
  const lin_graph *graph = f->graph;
  uint32_t count = 0;
  way[count++] = block;
  while (count < MOST_BLOCKS && from < f->num_written && from != block) { // not around again
    way[count++] = from;
    if (lin_in_degree(graph, from) != 1)
      break;
    from = graph->source[graph->in_edge[graph->first_in[from]]];
  }
  return count;
}

// ---- questions

const uint32_t *lin_ptx_only_sets(lin_arena *arena, const lin_ptx_body *body) {
  uint32_t *only = LIN_ARRAY(arena, uint32_t, body->num_regs);
  bool *is_set = LIN_ARRAY(arena, bool, body->num_regs);
  for (uint32_t reg = 0; reg < body->num_regs; reg++) {
    only[reg] = LIN_NONE;
    is_set[reg] = body->reg[reg].is_parameter;
  }
  for (uint32_t at = 0; at < body->count; at++)
    for (LIN_PTX_ACCESSES(body, at, i)) {
      lin_ptx_access access = body->access[i];
      if (access.kind == LIN_PTX_READ)
        continue;
      only[access.reg] = is_set[access.reg] || access.kind != LIN_PTX_SET ? LIN_NONE : at;
      is_set[access.reg] = true;
    }
  return only;
}

lin_block lin_ptx_next_from(const lin_ptx_function *f, const uint32_t *only_sets, lin_block block,
                            lin_block from) {
  const lin_graph *graph = f->graph;
  uint32_t branch = block < f->num_written ? f->block[block].branch : LIN_NONE;
  if (branch == LIN_NONE || from >= f->num_written || lin_out_degree(graph, block) != 2 ||
      lin_ptx_meaning(f->body, branch)->flow == LIN_PTX_BRX)
    return LIN_NONE;
  const lin_ptx_instruction *i = &f->body->instruction[branch];
  if (i->predicate == LIN_NONE)
    return LIN_NONE;
  known k = {.f = f, .body = f->body, .only_sets = only_sets};
  lin_block way[MOST_BLOCKS];
  for (uint32_t count = find_way(f, block, from, way), at = count; at-- > 0;) {
    const lin_ptx_block *b = &f->block[way[at]];
    uint32_t end = at == 0 ? branch : b->behind;
    if (at + 1 < count)
      learn_edge(&k, way[at + 1], way[at]);
    if (end - b->first > MOST_INSTRUCTIONS)
      k.count = 0; // what is known may be set by those that are passed over
    uint32_t next = end - b->first > MOST_INSTRUCTIONS ? end - MOST_INSTRUCTIONS : b->first;
    for (; next < end; next++)
      learn_instruction(&k, next);
  }
  value v = recall(&k, i->predicate);
  if (!v.is_known)
    return LIN_NONE;
  lin_edge taken = graph->first_edge[block];
  return graph->destination[(v.bits != 0) != i->is_negated ? taken : taken + 1];
}
