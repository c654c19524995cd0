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

// `function` is NULL for a variable of the module.
static LLVMValueRef declare(lin_lift *lift, const lin_ptx_variable *v, const char *function) {
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
static bool is_llvms(const char *text, const lin_ptx_variable *v) {
  static const char *const beginnings[] = {"%", "__local_depot", "$L__"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    size_t length = strlen(beginnings[i]);
    if (v->space != LIN_PTX_LOCAL && v->space != LIN_PTX_PARAM && v->end - v->start >= length &&
        memcmp(text + v->start, beginnings[i], length) == 0)
      return true;
  }
  return false;
}

static uint32_t find_llvms(const char *text, const lin_ptx_variables *variables) {
  for (uint32_t i = 0; i < variables->count; i++)
    if (is_llvms(text, &variables->variable[i]))
      return variables->variable[i].start;
  return 0;
}

void lin_lift_declare_variables(lin_lift *lift) {
  const lin_ptx_module *ptx = lift->ptx;
  uint32_t overlapping = 0;
  lift->variable = LIN_ARRAY(lift->arena, lin_lift_variable, ptx->variables.count + 1);
  lift->names = lin_ptx_names_new(lift->arena);
  for (uint32_t i = 0; i < ptx->variables.count; i++) {
    const lin_ptx_variable *v = &ptx->variables.variable[i];
    const bool overlaps = v->is_extern && v->space == LIN_PTX_SHARED;
    lift->variable[i] = (lin_lift_variable){v, overlaps, NULL};
    overlapping += overlaps;
    if (memchr(ptx->text + v->start, '%', v->end - v->start) != NULL)
      continue; // LLVM has no such symbols: its name stands for itself
    lift->variable[i].value = declare(lift, v, NULL);
    lin_ptx_name *name =
        lin_ptx_names_entry(lift->names, 0, ptx->text + v->start, v->end - v->start);
    name->meant = LIN_PTX_VARIABLE;
    name->value = i;
  }
  for (uint32_t i = 0; i < ptx->variables.count; i++)
    lift->variable[i].overlaps &= overlapping > 1;
  lift->captured = find_llvms(ptx->text, &ptx->variables);
}

static bool refuse_name(lin_lifting *l, uint32_t place) {
  return lin_lift_refuse(l, place, "a name that means two things");
}

// Parameters of calls, of the function itself, and labels of scopes.
static bool check_names(lin_lifting *l) {
  const char *text = l->body->module->text;
  uint32_t own = find_llvms(text, &l->body->variables);
  if (l->lift->captured != 0 || own != 0)
    return lin_lift_refuse(l, own != 0 ? own : l->lift->captured,
                           "a variable with a name that LLVM's code generator may choose");
  for (uint32_t i = 0; i < l->body->variables.count; i++) {
    const lin_ptx_variable *v = &l->body->variables.variable[i];
    const lin_ptx_operand named = {.start = v->start, .end = v->end};
    if (v->space == LIN_PTX_PARAM && (lin_lift_find_variable(l, v->start, v->end) != NULL ||
                                      lin_lift_find_parameter(l, &named) != LIN_NONE))
      return refuse_name(l, v->start);
  }
  char pattern[32];
  for (uint32_t i = 0; i < l->place->parameters.count; i++) {
    const lin_ptx_variable *p = &l->place->parameters.variable[i];
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

// Notes what the function declares.
static bool take_locals(lin_lifting *l) {
  const lin_ptx_variables *all = &l->body->variables;
  l->local = LIN_ARRAY(l->arena, lin_lift_variable, all->count + 1);
  for (uint32_t i = 0; i < all->count; i++) {
    const lin_ptx_variable *v = &all->variable[i];
    if (v->space != LIN_PTX_PARAM && v->scope != 0)
      return lin_lift_refuse(l, v->declared, "memory that a scope declares");
    if (v->space == LIN_PTX_GLOBAL || (v->space == LIN_PTX_SHARED && !l->place->is_kernel))
      return lin_lift_refuse(l, v->declared, "memory that a copy of the function would not share");
    if (v->end == 0)
      return lin_lift_refuse(l, v->declared, "a variable that isn't declared as usual");
    if (v->space != LIN_PTX_PARAM)
      l->local[l->num_locals++].declared = v;
  }
  return true;
}

bool lin_lift_declare_locals(lin_lifting *l) {
  if (!take_locals(l) || !check_names(l))
    return false;
  for (uint32_t i = 0; i < l->num_locals; i++) {
    const lin_ptx_variable *v = l->local[i].declared;
    if (v->space != LIN_PTX_LOCAL) {
      l->local[i].value = declare(l->lift, v, l->place->name);
      continue;
    }
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(l->lift->context), v->bytes);
    LLVMValueRef slot = LLVMBuildAlloca(l->entry, bytes, "");
    LLVMSetAlignment(slot, v->align);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(l->lift->context, LIN_PTX_LOCAL);
    l->local[i].value = LLVMBuildAddrSpaceCast(l->entry, slot, pointer, "");
  }
  return true;
}

const lin_lift_variable *lin_lift_find_variable(const lin_lifting *l, uint32_t start,
                                                uint32_t end) {
  const char *text = l->body->module->text;
  for (uint32_t i = 0; i < l->num_locals; i++)
    if (lin_ptx_is_variable(text, l->local[i].declared, start, end))
      return &l->local[i];
  const lin_ptx_name *name = lin_ptx_names_find(l->lift->names, 0, text + start, end - start);
  return name == NULL ? NULL : &l->lift->variable[name->value];
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
