#define _POSIX_C_SOURCE 200809L // open_memstream
// Instructions as inline assembly.
//
// Accepts: one instruction whose operands are registers of the function, numbers and names that
// mean one thing (variables.c), or a closed scope of such. At most 96 registers.
// Promises: the text is PTX's own, but for operands, local variables, which LLVM lays out anew, and
// registers of the scope. It is pure only if each instruction is known to compute; else it has a
// side effect and touches memory, and is convergent if it waits, or isn't known.
//
//     atom.global.add.u32 %r3, [%rd1+4], %r2;
//     call i32 asm sideeffect "atom.global.add.u32 $0, [$1+4], $2;", "=r,l,r,~{memory}"(...)
//
// Results come first, then what is read; a register that is read and set is both, tied together.
// A piece of several instructions (a carry's chain, a call with its parameters) has its results in
// registers of their own, for it may still read operands once the first result is there. A single
// instruction has read all before it sets any.
//
// A scope's own registers stand in the text by their names. LLVM's begin with % and a letter, so
// one that begins with % is named anew: `.reg .b32 %r<4>` would hide the %r3 that stands for an
// operand.
#include "state.h"

#include "gpu/nvptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERANDS = 200 };

typedef struct used {
  uint32_t reg;
  bool is_read, is_set, is_kept; // kept: set, but maybe not, or not all of it
  bool is_tied;                  // one register for what is read and what is set
} used;

typedef struct piece {
  lin_lifting *l;
  uint32_t first, behind; // instructions
  uint32_t start, end;    // of the text
  used *used;             // in the order in which they are named
  uint32_t count, capacity;
  const lin_lift_variable *local[MOST_OPERANDS];
  uint32_t num_locals;
  uint32_t outputs, inputs; // inputs that aren't tied
  uint32_t effects;
  bool is_known;
  char *text;
  size_t length;
} piece;

// One instruction, without braces around it.
static bool is_single(const piece *p) {
  return p->behind - p->first == 1 && p->start == p->l->body->instruction[p->first].start;
}

static used *find_used(piece *p, uint32_t reg) {
  for (uint32_t i = 0; i < p->count; i++)
    if (p->used[i].reg == reg)
      return &p->used[i];
  return NULL;
}

// Whether a register is declared within the piece: its first name stands there, and its scope.
static bool is_inner(const piece *p, uint32_t reg) {
  const lin_ptx_body *body = p->l->body;
  const lin_ptx_scope *scope = &body->scope[body->reg[reg].scope];
  return scope->depth > 0 && scope->start >= p->start && scope->end <= p->end;
}

static used *use(piece *p, uint32_t reg) {
  used *u = find_used(p, reg);
  if (u != NULL)
    return u;
  p->used = LIN_ROOM(p->l->arena, p->used, p->count, &p->capacity);
  p->used[p->count] = (used){.reg = reg};
  return &p->used[p->count++];
}

// What is read, or else what is set, by an instruction.
static void collect_accesses(piece *p, uint32_t at, bool reads) {
  const lin_ptx_body *body = p->l->body;
  const lin_ptx_opcode *opcode = lin_ptx_meaning(body, at);
  bool has_branch = is_single(p) && body->instruction[at].predicate != LIN_NONE;
  uint32_t access = body->instruction[at].access + has_branch;
  for (; access < body->instruction[at + 1].access; access++) {
    lin_ptx_access a = body->access[access];
    if (is_inner(p, a.reg) || (a.kind == LIN_PTX_READ) != reads)
      continue;
    used *u = use(p, a.reg);
    if (reads) {
      u->is_read |= !u->is_set;
      continue;
    }
    u->is_set = true;
    // What a predicate alone makes uncertain, the branch around a single instruction does.
    u->is_kept |= a.kind == LIN_PTX_MAY_SET && (!has_branch || opcode->keeps || !opcode->is_known);
  }
}

static void collect(piece *p) {
  const lin_ptx_body *body = p->l->body;
  for (uint32_t at = p->first; at < p->behind; at++) {
    const lin_ptx_opcode *opcode = lin_ptx_meaning(body, at);
    p->effects |= opcode->effects;
    p->is_known &= opcode->is_known && opcode->flow != LIN_PTX_CALL;
    collect_accesses(p, at, true);
    collect_accesses(p, at, false);
  }
  for (uint32_t i = 0; i < p->count; i++) {
    used *u = &p->used[i];
    u->is_tied = u->is_set && (u->is_kept || (u->is_read && !is_single(p)));
    p->outputs += u->is_set;
    p->inputs += u->is_read && !u->is_tied;
  }
}

static uint32_t output_number(const piece *p, uint32_t reg) {
  uint32_t number = 0;
  for (uint32_t i = 0; p->used[i].reg != reg; i++)
    number += p->used[i].is_set;
  return number;
}

// Of a register that is read and not tied. Those that are tied stand behind all others.
static uint32_t input_number(const piece *p, uint32_t reg) {
  uint32_t number = p->outputs;
  for (uint32_t i = 0; p->used[i].reg != reg; i++)
    number += p->used[i].is_read && !p->used[i].is_tied;
  return number;
}

static uint32_t local_number(piece *p, const lin_lift_variable *v) {
  uint32_t i = 0;
  while (i < p->num_locals && p->local[i] != v)
    i++;
  if (i == p->num_locals && i < MOST_OPERANDS)
    p->local[p->num_locals++] = v;
  return p->outputs + p->inputs + i;
}

static void put_text(FILE *out, const char *text, uint32_t start, uint32_t end) {
  for (uint32_t at = start; at < end; at++) {
    if (text[at] == '$')
      fputc('$', out);
    fputc(text[at] == '\n' || text[at] == '\t' || text[at] == '\r' ? ' ' : text[at], out);
  }
}

// A register that the piece declares.
static void put_inner(FILE *out, const char *text, lin_ptx_token word) {
  bool is_like_llvm = word.first == '%';
  if (is_like_llvm)
    fputs("%own_", out);
  put_text(out, text, word.start + is_like_llvm, word.end);
}

static void put_word(piece *p, FILE *out, lin_ptx_token word, uint32_t *next, uint32_t behind) {
  const lin_ptx_body *body = p->l->body;
  bool is_part, reads = *next < behind && body->access[*next].kind == LIN_PTX_READ;
  uint32_t reg = lin_ptx_operand_register(body, word, next, behind, &is_part);
  if (reg != LIN_NONE && !is_inner(p, reg)) {
    const used *u = find_used(p, reg); // what the piece itself has set is read there
    bool is_input = reads && u->is_read && !u->is_tied;
    fprintf(out, "$%u", is_input ? input_number(p, reg) : output_number(p, reg));
    return;
  }
  const lin_lift_variable *v =
      reg == LIN_NONE ? lin_lift_find_variable(p->l, word.start, word.end) : NULL;
  if (v != NULL && v->declared->space == LIN_PTX_LOCAL)
    fprintf(out, "$%u", local_number(p, v));
  else if (reg != LIN_NONE)
    put_inner(out, body->module->text, word);
  else
    put_text(out, body->module->text, word.start, word.end);
}

// Behind `place`, at the end of its line.
static uint32_t behind_line(const lin_lifting *l, uint32_t place) {
  const char *text = l->body->module->text;
  while (place < l->place->end && text[place] != '\n')
    place++;
  return place;
}

// A word between instructions: of a declaration, or a label. Other names with % than those of
// registers are nobody's habit.
static void put_declared(piece *p, FILE *out, lin_ptx_token word, bool is_of_registers) {
  const char *text = p->l->body->module->text;
  if (is_of_registers)
    put_inner(out, text, word);
  else
    put_text(out, text, word.start, word.end);
  if (word.first == '%' && !is_of_registers)
    lin_lift_refuse(p->l, word.start, "a scope with a label or variable whose name begins with %");
}

// A piece's text without comments, lines of the source, and the predicate of a single instruction.
static void make_text(piece *p) {
  const lin_ptx_body *body = p->l->body;
  const char *text = body->module->text;
  FILE *out = open_memstream(&p->text, &p->length);
  if (out == NULL)
    abort();
  uint32_t at = p->first, next = body->instruction[at].access;
  uint32_t start = is_single(p) ? body->instruction[at].name : p->start, written = start;
  if (is_single(p) && body->instruction[at].predicate != LIN_NONE)
    next++;
  bool is_of_registers = false;
  for (lin_ptx_scan scan = {text, p->end, start};;) {
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.kind == LIN_PTX_END)
      break;
    if (token.first == '.' && lin_ptx_is(text, token, ".loc")) {
      scan.at = behind_line(p->l, token.end);
      continue;
    }
    for (; at + 1 < p->behind && token.start >= body->instruction[at].end;
         next = body->instruction[at].access)
      at++;
    const lin_ptx_instruction *i = &body->instruction[at];
    if (token.start > written && written > start)
      fputc(' ', out); // in place of blanks and comments
    bool is_within = token.start >= i->start && token.end <= i->end && token.start != i->name;
    bool is_between = token.start >= i->end || token.end <= i->start;
    if (is_between && (token.first == ';' || token.first == '.'))
      is_of_registers = lin_ptx_is(text, token, ".reg") || (is_of_registers && token.first == '.');
    if (token.kind == LIN_PTX_WORD && is_within)
      put_word(p, out, token, &next, body->instruction[at + 1].access);
    else if (token.kind == LIN_PTX_WORD && is_between)
      put_declared(p, out, token, is_of_registers);
    else
      put_text(out, text, token.start, token.end);
    written = token.end;
  }
  fclose(out);
}

// ---- the call

static char constraint_of(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMFloatTypeKind:
    return 'f';
  case LLVMDoubleTypeKind:
    return 'd';
  default:
    break;
  }
  switch (LLVMGetIntTypeWidth(type)) {
  case 1:
    return 'b';
  case 16:
    return 'h';
  case 32:
    return 'r';
  case 64:
    return 'l';
  default:
    return 'q';
  }
}

typedef struct operand_list {
  FILE *constraints;
  LLVMValueRef value[MOST_OPERANDS];
  LLVMTypeRef type[MOST_OPERANDS];
  uint32_t count;
} operand_list;

static void put_constraint(operand_list *list, const char *prefix, const char *text) {
  long written = ftell(list->constraints);
  fprintf(list->constraints, "%s%s%s", written > 0 ? "," : "", prefix, text);
}

static void add_input(operand_list *list, LLVMValueRef value, const char *constraint) {
  put_constraint(list, "", constraint);
  list->value[list->count] = value;
  list->type[list->count++] = LLVMTypeOf(value);
}

static void add_inputs(piece *p, operand_list *list) {
  lin_lifting *l = p->l;
  for (uint32_t i = 0; i < p->count; i++) {
    char constraint[2] = {constraint_of(l->type[p->used[i].reg]), '\0'};
    if (p->used[i].is_read && !p->used[i].is_tied)
      add_input(list, lin_lift_register(l, p->used[i].reg), constraint);
  }
  LLVMTypeRef whole = LLVMInt64TypeInContext(l->lift->context);
  for (uint32_t i = 0; i < p->num_locals; i++)
    add_input(list, LLVMBuildPtrToInt(l->builder, p->local[i]->value, whole, ""), "l");
  for (uint32_t i = 0, output = 0; i < p->count; i++) {
    char number[16];
    snprintf(number, sizeof number, "%u", output);
    if (p->used[i].is_tied)
      add_input(list, lin_lift_register(l, p->used[i].reg), number);
    output += p->used[i].is_set;
  }
}

static LLVMTypeRef result_of(const piece *p, LLVMTypeRef *outputs) {
  LLVMContextRef context = p->l->lift->context;
  return p->outputs == 0   ? LLVMVoidTypeInContext(context)
         : p->outputs == 1 ? outputs[0]
                           : LLVMStructTypeInContext(context, outputs, p->outputs, false);
}

// Whether the instruction at hand loads a parameter of the function, and not of one that it calls.
static bool loads_own_parameter(const lin_lifting *l) {
  for (uint32_t i = 0; i < l->operands.count; i++) {
    const lin_ptx_operand *o = &l->operands.operand[i];
    if (lin_lift_is_named(o) && lin_lift_find_parameter(l, o) != LIN_NONE)
      return true;
  }
  return false;
}

// Whether it reads a special register that may hold another value the next time.
static bool reads_moment(const lin_lifting *l) {
  const char *text = l->body->module->text;
  for (uint32_t i = 0; i < l->operands.count; i++) {
    const lin_ptx_operand *o = &l->operands.operand[i];
    if (o->reg == LIN_NONE && o->end > o->start && text[o->start] == '%' &&
        !lin_nvptx_stays(text + o->start + 1, o->end - o->start - 1))
      return true;
  }
  return false;
}

static bool is_pure(lin_lifting *l, uint32_t at) {
  const lin_ptx_opcode *opcode = lin_ptx_meaning(l->body, at);
  bool goes_on = opcode->flow == LIN_PTX_ON && opcode->has_result;
  lin_ptx_operands_read(l->arena, l->body, at, &l->operands);
  return opcode->is_known && opcode->effects == 0 &&
         (goes_on || opcode->flow == LIN_PTX_BRA || opcode->flow == LIN_PTX_BRX) &&
         (!opcode->is_param || loads_own_parameter(l)) && !reads_moment(l);
}

// What is neither of memory nor of other threads can be left out, or done twice.
static bool only_computes(const piece *p) {
  for (uint32_t at = p->first; at < p->behind; at++)
    if (!is_pure(p->l, at))
      return false;
  return p->outputs > 0;
}

static bool make_call(piece *p) {
  lin_lifting *l = p->l;
  operand_list list = {0};
  char *constraints;
  size_t length;
  list.constraints = open_memstream(&constraints, &length);
  if (list.constraints == NULL)
    abort();
  LLVMTypeRef outputs[MOST_OPERANDS] = {NULL};
  bool is_several = !is_single(p);
  for (uint32_t i = 0, output = 0; i < p->count; i++) {
    if (!p->used[i].is_set)
      continue;
    char constraint[2] = {constraint_of(l->type[p->used[i].reg]), '\0'};
    put_constraint(&list, is_several ? "=&" : "=", constraint);
    outputs[output++] = l->type[p->used[i].reg];
  }
  add_inputs(p, &list);
  bool computes = only_computes(p);
  if (!computes)
    put_constraint(&list, "", "~{memory}");
  fclose(list.constraints);
  LLVMTypeRef type = LLVMFunctionType(result_of(p, outputs), list.type, list.count, false);
  LLVMValueRef code = LLVMGetInlineAsm(type, p->text, p->length, constraints, length, !computes,
                                       false, LLVMInlineAsmDialectATT, false);
  free(constraints);
  LLVMValueRef call = LLVMBuildCall2(l->builder, type, code, list.value, list.count, "");
  lin_lift_mark_call(call, "nounwind");
  uint32_t together = LIN_WAITS | LIN_CROSS_LANE;
  if (!p->is_known || (p->effects & together) != 0)
    lin_lift_mark_call(call, "convergent");
  for (uint32_t i = 0, output = 0; i < p->count; i++) {
    if (!p->used[i].is_set)
      continue;
    LLVMValueRef value = call;
    if (p->outputs > 1)
      value = LLVMBuildExtractValue(l->builder, call, output++, "");
    lin_lift_set_register(l, p->used[i].reg, value, false);
  }
  return true;
}

bool lin_lift_opaque(lin_lifting *l, uint32_t first, uint32_t behind, uint32_t start,
                     uint32_t end) {
  piece p = {
      .l = l, .first = first, .behind = behind, .start = start, .end = end, .is_known = true};
  collect(&p);
  uint32_t place = l->body->instruction[first].start;
  if (p.count * 2 > MOST_OPERANDS - 8)
    return lin_lift_refuse(l, place, "a piece of over 96 registers that can't be taken apart");
  make_text(&p);
  if (p.num_locals + p.count * 2 > MOST_OPERANDS)
    lin_lift_refuse(l, place, "a piece that names too many variables");
  else if (l->refused == NULL)
    make_call(&p);
  free(p.text);
  return l->refused == NULL;
}
