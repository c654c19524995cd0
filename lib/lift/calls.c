// A call of a function by its name, whose parameters are scalars of 32 or 64 bits.
//
//     { .param .b32 param0;
//       st.param.b32 [param0+0], %r1;           an argument
//       .param .b32 retval0;
//       call.uni (retval0), f, (param0);        call i32 @f(i32 %1)
//       ld.param.b32 %r2, [retval0+0]; }        the result
//
// Within braces nothing of it is under a predicate; a call alone has the branch of its predicate
// around it (lift.c).
//
// LLVM has to see it to know what its loop does, and to call a copy of f in its place. All other
// calls stay inline assembly.
#include "state.h"

#include <string.h>

enum { MOST = 32 }; // arguments: those of a function with more stay assembly

typedef struct variable {
  const lin_ptx_variable *declared;
  LLVMTypeRef type;
  LLVMValueRef value;
} variable;

typedef struct call {
  lin_lifting *l;
  uint32_t first, behind;
  variable declared[MOST + 1];
  uint32_t num_declared;
  uint32_t at; // the instruction that calls
  lin_ptx_token callee;
  const variable *argument[MOST];
  uint32_t num_arguments;
  const variable *result; // or NULL
} call;

static variable *find(call *c, uint32_t start, uint32_t end) {
  for (uint32_t i = 0; i < c->num_declared; i++)
    if (lin_ptx_is_variable(c->l->body->module->text, c->declared[i].declared, start, end))
      return &c->declared[i];
  return NULL;
}

// ---- the text

// Those that its scope declares. False: one is no scalar.
static bool take_parameters(call *c, const lin_ptx_scope *scope) {
  const lin_ptx_variables *all = &c->l->body->variables;
  for (uint32_t i = scope->variable; i < all->count && all->variable[i].declared < scope->end;
       i++) {
    const lin_ptx_variable *v = &all->variable[i];
    LLVMTypeRef type = lin_lift_scalar(c->l->lift, v);
    if (type == NULL || c->num_declared == MOST + 1)
      return false;
    c->declared[c->num_declared++] = (variable){v, type, NULL};
  }
  return true;
}

// (retval0), f, (param0, param1)
static bool read_call(call *c, uint32_t at) {
  const lin_ptx_body *body = c->l->body;
  const lin_ptx_instruction *i = &body->instruction[at];
  lin_ptx_scan scan = {body->module->text, i->end, i->operands};
  c->at = at;
  lin_ptx_token token = lin_ptx_next(&scan);
  if (token.first == '(') {
    token = lin_ptx_next(&scan);
    c->result = find(c, token.start, token.end);
    if (c->result == NULL || lin_ptx_next(&scan).first != ')' || lin_ptx_next(&scan).first != ',')
      return false;
    token = lin_ptx_next(&scan);
  }
  c->callee = token;
  if (token.kind != LIN_PTX_WORD || token.first == '%')
    return false;
  token = lin_ptx_next(&scan);
  if (token.first == ';')
    return true;
  if (token.first != ',' || lin_ptx_next(&scan).first != '(')
    return false;
  for (bool is_open = true; is_open;) {
    token = lin_ptx_next(&scan);
    const variable *argument = find(c, token.start, token.end);
    if (token.first == ')' && c->num_arguments == 0)
      break;
    if (argument == NULL || c->num_arguments == MOST)
      return false;
    c->argument[c->num_arguments++] = argument;
    token = lin_ptx_next(&scan);
    is_open = token.first == ',';
    if (!is_open && token.first != ')')
      return false;
  }
  return lin_ptx_next(&scan).first == ';'; // with a prototype it is an indirect one
}

// The variable that st.param.b32 or ld.param.b32 at hand is about, if it takes all of it.
static variable *accessed(call *c, uint32_t operand) {
  const lin_lift_opcode *o = &c->l->opcode;
  const lin_ptx_operands *all = &c->l->operands;
  if (!lin_lift_is_part(o, 1, "param") || o->count != 3 || all->count != 2 ||
      all->operand[operand].kind != LIN_PTX_OPERAND_ADDRESS || all->operand[operand].value != 0)
    return NULL;
  variable *found = find(c, all->operand[operand].start, all->operand[operand].end);
  LLVMTypeRef type = lin_lift_type(c->l->lift, o->part[2], o->length[2]);
  bool is_whole =
      found != NULL && type != NULL && lin_lift_bits(type) == lin_lift_bits(found->type);
  return is_whole ? found : NULL;
}

// ---- what it means

static LLVMTypeRef signature_of(const call *c) {
  LLVMTypeRef type[MOST + 1] = {NULL};
  for (uint32_t i = 0; i < c->num_arguments; i++)
    type[i] = c->argument[i]->type;
  LLVMTypeRef result =
      c->result != NULL ? c->result->type : LLVMVoidTypeInContext(c->l->lift->context);
  return LLVMFunctionType(result, type, c->num_arguments, false);
}

// The function, declared if need be. NULL: it is declared otherwise.
static LLVMValueRef callee_of(const call *c) {
  const lin_lift *lift = c->l->lift;
  const char *name = lin_arena_text(c->l->arena, lift->ptx->text + c->callee.start,
                                    c->callee.end - c->callee.start);
  LLVMValueRef function = LLVMGetNamedFunction(lift->module, name);
  if (function == NULL) {
    function = LLVMAddFunction(lift->module, name, signature_of(c));
    lin_lift_mark(function, "convergent");
    lin_lift_mark(function, "nounwind");
  }
  bool is_scalar = LLVMGetFunctionCallConv(function) == LLVMCCallConv;
  return is_scalar && LLVMGlobalGetValueType(function) == signature_of(c) ? function : NULL;
}

// A register of the variable's size, or what can be stored: a number, the low bits of a wider one.
static bool is_value(const call *c, const lin_ptx_operand *o, const variable *v, bool stores) {
  unsigned wanted = lin_lift_bits(v->type);
  if (o->kind == LIN_PTX_OPERAND_FLOAT)
    return stores && (o->digits == 8 ? 32 : 64) == wanted;
  if (o->kind != LIN_PTX_OPERAND_REGISTER)
    return stores && o->kind == LIN_PTX_OPERAND_NUMBER;
  LLVMTypeRef type = c->l->type[o->reg];
  unsigned bits = type == NULL ? 0 : lin_lift_bits(type);
  return !o->is_part && (bits == wanted || (stores && bits > wanted));
}

// Whether it is what the picture above shows. Nothing is made yet.
static bool check(call *c, bool is_alone) {
  bool is_called = false;
  for (uint32_t at = c->first; at < c->behind; at++) {
    if (c->l->body->instruction[at].predicate != LIN_NONE && !is_alone)
      return false;
    if (lin_ptx_meaning(c->l->body, at)->flow == LIN_PTX_CALL) {
      if (is_called || !read_call(c, at))
        return false;
      is_called = true;
      continue;
    }
    lin_lift_cut(c->l, at);
    bool stores = lin_lift_is_part(&c->l->opcode, 0, "st");
    bool loads = lin_lift_is_part(&c->l->opcode, 0, "ld");
    const variable *v = accessed(c, stores ? 0 : 1);
    if (v == NULL || !(stores ? !is_called : loads && is_called && v == c->result) ||
        !is_value(c, &c->l->operands.operand[stores ? 1 : 0], v, stores))
      return false;
  }
  return is_called && callee_of(c) != NULL;
}

static void make(call *c) {
  LLVMValueRef value[MOST + 1] = {NULL}, result = NULL;
  for (uint32_t at = c->first; at < c->behind; at++) {
    if (at == c->at) {
      for (uint32_t i = 0; i < c->num_arguments; i++)
        value[i] = c->argument[i]->value != NULL ? c->argument[i]->value
                                                 : LLVMGetPoison(c->argument[i]->type);
      result =
          LLVMBuildCall2(c->l->builder, signature_of(c), callee_of(c), value, c->num_arguments, "");
      continue;
    }
    lin_lift_cut(c->l, at);
    bool stores = lin_lift_is_part(&c->l->opcode, 0, "st");
    variable *v = accessed(c, stores ? 0 : 1);
    if (stores)
      v->value = lin_lift_get(c->l, &c->l->operands.operand[1], v->type, true);
    else
      lin_lift_set(c->l, &c->l->operands.operand[0], result, false);
  }
}

bool lin_lift_call(lin_lifting *l, uint32_t first, uint32_t behind, const lin_ptx_scope *scope) {
  call c = {.l = l, .first = first, .behind = behind};
  if ((scope != NULL && !take_parameters(&c, scope)) || !check(&c, scope == NULL))
    return false;
  make(&c);
  return true;
}
