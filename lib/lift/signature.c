// What a function is declared as. Parameters of kernels are the declaration's. A function that is
// called has them, and a result, if all are scalars of 32 or 64 bits; else none, and its body names
// them in inline assembly.
#include "state.h"

#include <stdio.h>
#include <string.h>

// .param .u64 .ptr .global .align 1 name,   .param .align 8 .b8 name[24]
static bool read_parameters(lin_lifting *l) {
  const char *text = l->body->module->text;
  lin_ptx_scan scan = {text, l->place->body, l->place->named};
  lin_ptx_next(&scan);
  if (lin_ptx_next(&scan).first != '(')
    return true;
  uint32_t capacity = 0;
  lin_lift_parameter p = {0};
  for (bool is_pointer = false;;) {
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.first == ')' || token.first == ',') {
      if (p.end != 0) {
        p.align = p.align != 0 ? p.align : lin_lift_bits(p.type) / 8;
        l->parameter = LIN_ROOM(l->arena, l->parameter, l->num_parameters, &capacity);
        l->parameter[l->num_parameters++] = p;
      }
      if (token.first == ')')
        return true;
      p = (lin_lift_parameter){0};
      is_pointer = false;
    } else if (token.first == '[') {
      p.bytes = lin_ptx_number(text, lin_ptx_next(&scan)) * (lin_lift_bits(p.type) / 8);
      lin_ptx_next(&scan);
    } else if (lin_ptx_is(text, token, ".align")) {
      uint32_t align = lin_ptx_number(text, lin_ptx_next(&scan));
      p.align = is_pointer ? p.align : align;
    } else if (lin_ptx_is(text, token, ".ptr")) {
      is_pointer = true;
    } else if (token.first == '.') {
      LLVMTypeRef type =
          lin_lift_type(l->lift, text + token.start + 1, token.end - token.start - 1);
      p.type = type != NULL ? type : p.type;
    } else if (token.kind == LIN_PTX_WORD && p.type != NULL) {
      p.start = token.start;
      p.end = token.end;
    } else {
      return lin_lift_refuse(l, token.start, "parameters that aren't declared as usual");
    }
  }
}

static void add_attribute(LLVMValueRef function, const char *name, const char *value) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value,
                                                    (unsigned)strlen(value)));
}

// .maxntid 256, 1, 1   .minnctapersm 2   .maxnreg 64   .reqntid 128
static void read_bounds(lin_lifting *l) {
  static const struct {
    const char *directive, *attribute;
  } bounds[] = {{".maxntid", "nvvm.maxntid"},
                {".reqntid", "nvvm.reqntid"},
                {".minnctapersm", "nvvm.minctasm"},
                {".maxnreg", "nvvm.maxnreg"}};
  const char *text = l->body->module->text;
  for (lin_ptx_scan scan = {text, l->place->body, l->place->named};;) {
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.kind == LIN_PTX_END || token.first == '{')
      return;
    for (size_t i = 0; token.first == '.' && i < sizeof bounds / sizeof *bounds; i++) {
      if (!lin_ptx_is(text, token, bounds[i].directive))
        continue;
      char value[64] = "";
      size_t used = 0;
      do {
        uint32_t number = lin_ptx_number(text, lin_ptx_next(&scan));
        used += (size_t)snprintf(value + used, sizeof value - used, "%s%u", used > 0 ? "," : "",
                                 number);
      } while (used < 40 && lin_ptx_peek(&scan).first == ',' && lin_ptx_next(&scan).first == ',');
      add_attribute(l->function, bounds[i].attribute, value);
    }
  }
}

// (.param .b32 func_retval0) in front of the name
static bool read_result(lin_lifting *l) {
  const char *text = l->body->module->text;
  lin_ptx_scan scan = {text, l->place->named, l->place->signature};
  if (lin_ptx_next(&scan).first != '(')
    return true;
  if (!lin_ptx_is(text, lin_ptx_next(&scan), ".param"))
    return false;
  lin_ptx_token type = lin_ptx_next(&scan), name = lin_ptx_next(&scan);
  l->result_type = lin_ptx_next(&scan).first == ')' ? lin_lift_scalar(l->lift, type) : NULL;
  l->result_start = name.start;
  l->result_end = name.end;
  return l->result_type != NULL;
}

static bool is_scalar(lin_lifting *l) {
  if (l->place->is_kernel)
    return false;
  bool is_fit = read_result(l);
  for (uint32_t i = 0; i < l->num_parameters; i++) {
    const lin_lift_parameter *p = &l->parameter[i];
    is_fit &= p->bytes == 0 && (lin_lift_bits(p->type) == 32 || lin_lift_bits(p->type) == 64);
  }
  if (!is_fit)
    l->result_type = NULL;
  return is_fit;
}

static LLVMTypeRef signature_of(lin_lifting *l) {
  LLVMContextRef context = l->lift->context;
  uint32_t count = l->place->is_kernel || l->is_scalar ? l->num_parameters : 0;
  LLVMTypeRef *type = LIN_ARRAY(l->arena, LLVMTypeRef, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const lin_lift_parameter *p = &l->parameter[i];
    type[i] = p->bytes > 0   ? LLVMPointerTypeInContext(context, 0)
              : l->is_scalar ? LLVMIntTypeInContext(context, lin_lift_bits(p->type))
                             : p->type;
  }
  LLVMTypeRef result = l->result_type != NULL ? l->result_type : LLVMVoidTypeInContext(context);
  return LLVMFunctionType(result, type, count, false);
}

static void pass_by_value(lin_lifting *l) {
  LLVMContextRef context = l->lift->context;
  unsigned by_value = LLVMGetEnumAttributeKindForName("byval", 5);
  for (uint32_t i = 0; i < l->num_parameters; i++) {
    const lin_lift_parameter *p = &l->parameter[i];
    if (p->bytes == 0)
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
  if (!read_parameters(l))
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
  read_bounds(l);
  describe(l);
  return true;
}

uint32_t lin_lift_find_parameter(const lin_lifting *l, const lin_ptx_operand *operand) {
  const char *text = l->body->module->text;
  for (uint32_t i = 0; i < l->num_parameters; i++) {
    const lin_lift_parameter *p = &l->parameter[i];
    if (p->end - p->start == operand->end - operand->start &&
        memcmp(text + p->start, text + operand->start, p->end - p->start) == 0)
      return i;
  }
  return LIN_NONE;
}
