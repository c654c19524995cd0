// Names of memory. A variable is the module's, or one function's: LLVM calls the latter
// `name.of.function`, so that two functions may have one each, and splice.h makes it `name` again.
//
// What a function may declare: local and constant memory, and a kernel shared memory, outside of
// braces; parameters of calls in any scope that no branch leaves. A copy of a function would have
// other memory of its own than the function, so all else is refused. But for registers, a name
// means one thing in all of the function, and none that LLVM's code generator may choose.
#include "state.h"

#include "splice.h"

#include <stdio.h>
#include <string.h>

// The space that a word like `.shared` names, or 0.
static unsigned space_of(const char *text, lin_ptx_token word) {
  static const struct {
    const char *word;
    unsigned space;
  } spaces[] = {{".global", LIN_LIFT_GLOBAL},
                {".shared", LIN_LIFT_SHARED},
                {".const", LIN_LIFT_CONST},
                {".local", LIN_LIFT_LOCAL},
                {".param", LIN_LIFT_PARAM}};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (lin_ptx_is(text, word, spaces[i].word))
      return spaces[i].space;
  return 0;
}

// The number in `.v4`, or in `.u32`; in `.f16x2` it is 32.
static uint32_t number_in(const char *text, lin_ptx_token word) {
  uint32_t number = 0, times = 1;
  for (uint32_t at = word.start; at < word.end; at++) {
    if (text[at] >= '0' && text[at] <= '9')
      number = number * 10 + (uint32_t)(text[at] - '0');
    if (text[at] != 'x')
      continue;
    times = number;
    number = 0;
  }
  return number * times;
}

// Reads a statement behind the word that names its space. Returns false if it isn't written as
// usual. Without .align it has the alignment of its type, a vector that of all its elements.
//     .align 4 .b8 name[16][4] = { ... };   .f32 a, b;   .v4 .f32 c;
static bool read_variable(lin_arena *arena, lin_ptx_scan *scan, unsigned space, bool is_extern,
                          lin_lift_variables *into) {
  lin_lift_variable v = {.space = space, .overlaps = is_extern && space == LIN_LIFT_SHARED};
  uint32_t elements = 1, bytes = 0, align = 0;
  bool is_named = false;
  for (;;) {
    lin_ptx_token token = lin_ptx_next(scan);
    if (token.kind == LIN_PTX_END || token.kind == LIN_PTX_BAD)
      return false;
    if (token.first == ';' || token.first == ',' || token.first == '=') {
      if (!is_named)
        return false;
      into->variable = LIN_ROOM(arena, into->variable, into->count, &into->capacity);
      v.bytes *= bytes;
      v.align = align != 0 ? align : bytes != 0 ? elements * bytes : 1;
      into->variable[into->count++] = v;
      is_named = false;
      if (token.first == '=')
        while (token.first != ';' && token.kind != LIN_PTX_END)
          token = lin_ptx_next(scan);
      if (token.first == ';')
        return true;
      continue;
    }
    if (token.first == '[') {
      token = lin_ptx_next(scan);
      if (token.first == ']') {
        v.bytes = 0;
        continue;
      }
      uint32_t count = lin_ptx_number(scan->text, token);
      if (count == UINT32_MAX || lin_ptx_next(scan).first != ']')
        return false;
      v.bytes *= count;
    } else if (lin_ptx_is(scan->text, token, ".align")) {
      align = lin_ptx_number(scan->text, lin_ptx_next(scan));
    } else if (token.first == '.') {
      bool is_vector = scan->text[token.start + 1] == 'v' && token.end - token.start <= 3;
      if (is_vector)
        elements = number_in(scan->text, token);
      bool is_type = strchr("busf", scan->text[token.start + 1]) != NULL;
      if (is_vector || !is_type)
        continue;
      bytes = number_in(scan->text, token) / 8;
    } else if (token.kind == LIN_PTX_WORD) {
      v.start = token.start;
      v.end = token.end;
      v.bytes = elements;
      is_named = true;
    } else {
      return false;
    }
  }
}

// `function` is NULL for a variable of the module.
static LLVMValueRef declare(lin_lift *lift, const lin_lift_variable *v, const char *function) {
  LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(lift->context), v->bytes);
  const char *name = lin_arena_text(lift->arena, lift->ptx->text + v->start, v->end - v->start);
  if (function != NULL)
    name = lin_lift_own_name(lift->arena, name, function);
  LLVMValueRef global = LLVMGetNamedGlobal(lift->module, name);
  if (global == NULL) // declared once more by a definition
    global = LLVMAddGlobalInAddressSpace(lift->module, bytes, name, v->space);
  LLVMSetAlignment(global, v->align);
  return global;
}

// %SP, __local_depot0, $L__BB0_1: of memory that stays where it is declared, as local memory
// doesn't.
static bool is_llvms(const char *text, const lin_lift_variable *v) {
  static const char *const beginnings[] = {"%", "__local_depot", "$L__"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    size_t length = strlen(beginnings[i]);
    if (v->space != LIN_LIFT_LOCAL && v->end - v->start >= length &&
        memcmp(text + v->start, beginnings[i], length) == 0)
      return true;
  }
  return false;
}

static uint32_t find_llvms(const char *text, const lin_lift_variables *variables) {
  for (uint32_t i = 0; i < variables->count; i++)
    if (is_llvms(text, &variables->variable[i]))
      return variables->variable[i].start;
  return 0;
}

void lin_lift_declare_variables(lin_lift *lift) {
  const lin_ptx_module *ptx = lift->ptx;
  lin_ptx_scan scan = {ptx->text, ptx->length, 0};
  uint32_t function = 0, overlapping = 0;
  for (bool is_extern = false;;) {
    while (function < ptx->num_functions && scan.at >= ptx->function[function].start) {
      scan.at = ptx->function[function].end;
      function++;
    }
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.kind == LIN_PTX_END)
      break;
    unsigned space = token.first == '.' ? space_of(ptx->text, token) : 0;
    if (space == 0 || space == LIN_LIFT_PARAM) {
      is_extern = lin_ptx_is(ptx->text, token, ".extern");
      continue;
    }
    uint32_t before = lift->variables.count;
    lin_ptx_scan own = scan;
    if (!read_variable(lift->arena, &own, space, is_extern, &lift->variables)) {
      lift->variables.count = before;
      continue; // its name stands for itself
    }
    scan = own;
  }
  for (uint32_t i = 0; i < lift->variables.count; i++)
    overlapping += lift->variables.variable[i].overlaps;
  lift->names = lin_ptx_names_new(lift->arena);
  for (uint32_t i = 0; i < lift->variables.count; i++) {
    lin_lift_variable *v = &lift->variables.variable[i];
    v->overlaps &= overlapping > 1;
    if (memchr(ptx->text + v->start, '%', v->end - v->start) != NULL)
      continue; // LLVM has no such symbols: its name stands for itself
    v->value = declare(lift, v, NULL);
    lin_ptx_name *name =
        lin_ptx_names_entry(lift->names, 0, ptx->text + v->start, v->end - v->start);
    name->meant = LIN_PTX_VARIABLE;
    name->value = i;
  }
  lift->captured = find_llvms(ptx->text, &lift->variables);
}

static bool refuse_name(lin_lifting *l, uint32_t place) {
  return lin_lift_refuse(l, place, "a name that means two things");
}

// Parameters of calls, of the function itself, and labels of scopes.
static bool check_names(lin_lifting *l, const lin_lift_variables *parameters) {
  const char *text = l->body->module->text;
  uint32_t own = find_llvms(text, &l->locals);
  if (l->lift->captured != 0 || own != 0)
    return lin_lift_refuse(l, own != 0 ? own : l->lift->captured,
                           "a variable with a name that LLVM's code generator may choose");
  for (uint32_t i = 0; i < parameters->count; i++) {
    const lin_lift_variable *v = &parameters->variable[i];
    const lin_ptx_operand named = {.start = v->start, .end = v->end};
    if (lin_lift_find_variable(l, v->start, v->end) != NULL ||
        lin_lift_find_parameter(l, &named) != LIN_NONE)
      return refuse_name(l, v->start);
  }
  char pattern[32];
  for (uint32_t i = 0; i < l->num_parameters; i++) {
    const lin_lift_parameter *p = &l->parameter[i];
    // LLVM calls the second one f_param_1.
    snprintf(pattern, sizeof pattern, "_param_%u", i);
    size_t length = strlen(l->place->name);
    bool is_other = p->end - p->start > length + 7 &&
                    memcmp(text + p->start, l->place->name, length) == 0 &&
                    memcmp(text + p->start + length, pattern, 7) == 0 &&
                    (p->end - p->start != length + strlen(pattern) ||
                     memcmp(text + p->start + length, pattern, strlen(pattern)) != 0);
    if (is_other || lin_lift_find_variable(l, p->start, p->end) != NULL)
      return refuse_name(l, p->start);
  }
  for (uint32_t i = 0; i < l->body->num_labels; i++) {
    const lin_ptx_label *label = &l->body->label[i];
    if (label->scope != 0 && lin_lift_find_variable(l, label->start, label->end) != NULL)
      return refuse_name(l, label->start);
  }
  for (uint32_t i = 1; i < l->body->num_scopes; i++)
    if (l->body->scope[i].declares && !l->body->scope[i].is_closed)
      return lin_lift_refuse(l, l->body->scope[i].start,
                             "a scope with variables that a branch leaves");
  return true;
}

static bool read_locals(lin_lifting *l, lin_lift_variables *parameters) {
  const char *text = l->body->module->text;
  uint32_t depth = 0;
  for (lin_ptx_scan scan = {text, l->place->end, l->place->body};;) {
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.kind == LIN_PTX_END)
      return true;
    depth += token.first == '{';
    depth -= token.first == '}';
    if (token.first != '.')
      continue;
    if (lin_ptx_is(text, token, ".callprototype"))
      while (token.first != ';' && token.kind != LIN_PTX_END)
        token = lin_ptx_next(&scan);
    unsigned space = space_of(text, token);
    if (space == 0)
      continue;
    if (space != LIN_LIFT_PARAM && depth > 0)
      return lin_lift_refuse(l, token.start, "memory that a scope declares");
    if (space == LIN_LIFT_GLOBAL || (space == LIN_LIFT_SHARED && !l->place->is_kernel))
      return lin_lift_refuse(l, token.start, "memory that a copy of the function would not share");
    if (!read_variable(l->arena, &scan, space, false,
                       space == LIN_LIFT_PARAM ? parameters : &l->locals))
      return lin_lift_refuse(l, token.start, "a variable that isn't declared as usual");
  }
}

bool lin_lift_declare_locals(lin_lifting *l) {
  lin_lift_variables parameters = {0};
  if (!read_locals(l, &parameters) || !check_names(l, &parameters))
    return false;
  for (uint32_t i = 0; i < l->locals.count; i++) {
    lin_lift_variable *v = &l->locals.variable[i];
    if (v->space != LIN_LIFT_LOCAL) {
      v->value = declare(l->lift, v, l->place->name);
      continue;
    }
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(l->lift->context), v->bytes);
    LLVMValueRef slot = LLVMBuildAlloca(l->entry, bytes, "");
    LLVMSetAlignment(slot, v->align);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(l->lift->context, LIN_LIFT_LOCAL);
    v->value = LLVMBuildAddrSpaceCast(l->entry, slot, pointer, "");
  }
  return true;
}

const lin_lift_variable *lin_lift_find_variable(const lin_lifting *l, uint32_t start,
                                                uint32_t end) {
  const char *text = l->body->module->text;
  for (uint32_t i = 0; i < l->locals.count; i++) {
    const lin_lift_variable *v = &l->locals.variable[i];
    if (v->end - v->start == end - start && memcmp(text + v->start, text + start, end - start) == 0)
      return v;
  }
  const lin_ptx_name *name = lin_ptx_names_find(l->lift->names, 0, text + start, end - start);
  return name == NULL ? NULL : &l->lift->variables.variable[name->value];
}

LLVMValueRef lin_lift_pointer_to(lin_lifting *l, const lin_lift_variable *v) {
  if (!v->overlaps)
    return v->value;
  static const char copy[] = "mov.u64 $0, $1;", registers[] = "=l,l"; // LLVM doesn't see through it
  LLVMTypeRef whole = LLVMInt64TypeInContext(l->lift->context);
  LLVMTypeRef type = LLVMFunctionType(whole, &whole, 1, false);
  LLVMValueRef code = LLVMGetInlineAsm(type, copy, sizeof copy - 1, registers, sizeof registers - 1,
                                       false, false, LLVMInlineAsmDialectATT, false);
  LLVMValueRef address = LLVMConstPtrToInt(v->value, whole);
  address = LLVMBuildCall2(l->builder, type, code, &address, 1, "");
  return LLVMBuildIntToPtr(l->builder, address, LLVMTypeOf(v->value), "");
}
