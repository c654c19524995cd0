// What a function is declared as. Parameters of kernels are the declaration's. A function that is
// called has them, and a result, if all are scalars of 32 or 64 bits; else none, and its body names
// them in inline assembly.
#include "state.h"

#include <stdio.h>
#include <string.h>

static bool check_parameters(lin_lifting *l) {
  static const char reason[] = "parameters that aren't declared as usual";
  const lin_ptx_variables *all = &l->place->parameters;
  for (uint32_t i = 0; i < all->count; i++)
    if (lin_lift_declared_type(l->lift, &all->variable[i]) == NULL)
      return lin_lift_refuse(l, all->variable[i].start, reason);
  return l->place->unusual == 0 || lin_lift_refuse(l, l->place->unusual, reason);
}

static void add_attribute(LLVMValueRef function, const char *name, const char *value) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value,
                                                    (unsigned)strlen(value)));
}

static void add_bounds(lin_lifting *l) {
  static const char *const attribute[] = {[LIN_PTX_MAXNTID] = "nvvm.maxntid",
                                          [LIN_PTX_REQNTID] = "nvvm.reqntid",
                                          [LIN_PTX_MINNCTAPERSM] = "nvvm.minctasm",
                                          [LIN_PTX_MAXNREG] = "nvvm.maxnreg"};
  for (int i = 0; i < LIN_PTX_BOUNDS; i++) {
    const lin_ptx_bound *bound = &l->place->bound[i];
    char value[64] = "";
    size_t used = 0;
    for (uint32_t k = 0; k < bound->count; k++)
      used += (size_t)snprintf(value + used, sizeof value - used, "%s%u", k > 0 ? "," : "",
                               bound->number[k]);
    if (bound->count > 0)
      add_attribute(l->function, attribute[i], value);
  }
}

// Whether it has no result, or one like (.param .b32 func_retval0).
static bool find_result(lin_lifting *l) {
  const lin_ptx_variables *results = &l->place->results;
  if (results->count == 1 && results->variable->space == LIN_PTX_PARAM)
    l->result_type = lin_lift_scalar(l->lift, results->variable);
  return results->count == 0 || l->result_type != NULL;
}

static bool is_scalar(lin_lifting *l) {
  if (l->place->is_kernel)
    return false;
  bool is_fit = find_result(l);
  for (uint32_t i = 0; i < l->place->parameters.count; i++) {
    const lin_ptx_variable *p = &l->place->parameters.variable[i];
    const uint32_t bits = lin_lift_bits(lin_lift_declared_type(l->lift, p));
    is_fit &= !p->is_array && (bits == 32 || bits == 64);
  }
  if (!is_fit)
    l->result_type = NULL;
  return is_fit;
}

static LLVMTypeRef signature_of(lin_lifting *l) {
  LLVMContextRef context = l->lift->context;
  uint32_t count = l->place->is_kernel || l->is_scalar ? l->place->parameters.count : 0;
  LLVMTypeRef *type = LIN_ARRAY(l->arena, LLVMTypeRef, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const lin_ptx_variable *p = &l->place->parameters.variable[i];
    LLVMTypeRef declared = lin_lift_declared_type(l->lift, p);
    type[i] = p->is_array    ? LLVMPointerTypeInContext(context, 0)
              : l->is_scalar ? LLVMIntTypeInContext(context, lin_lift_bits(declared))
                             : declared;
  }
  LLVMTypeRef result = l->result_type != NULL ? l->result_type : LLVMVoidTypeInContext(context);
  return LLVMFunctionType(result, type, count, false);
}

static void pass_by_value(lin_lifting *l) {
  LLVMContextRef context = l->lift->context;
  unsigned by_value = LLVMGetEnumAttributeKindForName("byval", 5);
  for (uint32_t i = 0; i < l->place->parameters.count; i++) {
    const lin_ptx_variable *p = &l->place->parameters.variable[i];
    if (!p->is_array)
      continue;
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(context), p->bytes);
    LLVMAddAttributeAtIndex(l->function, i + 1, LLVMCreateTypeAttribute(context, by_value, bytes));
    LLVMSetParamAlignment(LLVMGetParam(l->function, i), p->align);
  }
}

// Lines of the PTX.
static void describe(lin_lifting *l) {
  lin_lift *lift = l->lift;
  LLVMMetadataRef none = LLVMDIBuilderCreateSubroutineType(lift->debug, lift->file, NULL, 0, 0);
  const char *name = l->place->name;
  l->program = LLVMDIBuilderCreateFunction(lift->debug, lift->file, name, strlen(name), name,
                                           strlen(name), lift->file, l->place->line, none, false,
                                           true, l->place->line, 0, true);
  LLVMSetSubprogram(l->function, l->program);
}

bool lin_lift_declare_function(lin_lifting *l) {
  if (!check_parameters(l))
    return false;
  l->is_scalar = is_scalar(l);
  LLVMTypeRef signature = signature_of(l);
  l->function = LLVMGetNamedFunction(l->lift->module, l->place->name);
  if (l->function == NULL)
    l->function = LLVMAddFunction(l->lift->module, l->place->name, signature);
  if (LLVMGlobalGetValueType(l->function) != signature || !LLVMIsDeclaration(l->function))
    return lin_lift_refuse(l, l->place->start, "a function that is declared in two ways");
  const char *linkage = l->body->module->text + l->place->start;
  if (strncmp(linkage, ".weak", 5) == 0)
    LLVMSetLinkage(l->function, LLVMWeakODRLinkage);
  if (l->place->is_kernel) {
    pass_by_value(l);
    LLVMSetFunctionCallConv(l->function, 71); // ptx_kernel
  } else {
    lin_lift_mark(l->function, "convergent");
  }
  lin_lift_mark(l->function, "nounwind");
  add_attribute(l->function, "linearize-ptx", ""); // it was PTX: choose/policy.h
  add_bounds(l);
  describe(l);
  return true;
}

uint32_t lin_lift_find_parameter(const lin_lifting *l, const lin_ptx_operand *operand) {
  const char *text = l->body->module->text;
  for (uint32_t i = 0; i < l->place->parameters.count; i++)
    if (lin_ptx_is_variable(text, &l->place->parameters.variable[i], operand->start, operand->end))
      return i;
  return LIN_NONE;
}
