// Addresses, loads and stores.
//
// Accepts: ld and st with a space, .weak, .volatile, .nc, .v2 or .v4, and a type of 8 to 64 bits,
// of at most 128 bits in all; cvta of 64 bits between generic and another space; ld.param of a
// kernel's parameter, with .v2 or .v4 too; st.param of the whole of a scalar result. The address is
// a register, or a variable of that space, and a number.
// Promises: the access has the width, the alignment and the volatility that PTX's has. Caches,
// scopes and orders are PTX's own: what names them returns false, and stays assembly.
#include "state.h"

#include <string.h>

static unsigned space_of(const lin_lift_opcode *o) {
  return lin_lift_has(o, "global")                                     ? LIN_PTX_GLOBAL
         : lin_lift_has(o, "shared") || lin_lift_has(o, "shared::cta") ? LIN_PTX_SHARED
         : lin_lift_has(o, "const")                                    ? LIN_PTX_CONST
         : lin_lift_has(o, "local")                                    ? LIN_PTX_LOCAL
                                                                       : LIN_PTX_GENERIC;
}

static LLVMTypeRef pointer_to(const lin_lifting *l, unsigned space) {
  return LLVMPointerTypeInContext(l->lift->context, space);
}

// cvta.global.u64, cvta.to.global.u64
static bool cast_address(lin_lifting *l) {
  const lin_lift_opcode *o = &l->opcode;
  bool is_to = lin_lift_is_part(o, 1, "to");
  unsigned space = space_of(o);
  LLVMTypeRef whole = LLVMInt64TypeInContext(l->lift->context);
  if (!lin_lift_is_part(o, 0, "cvta") || o->count != 3u + is_to || l->operands.count != 2 ||
      space == LIN_PTX_GENERIC || o->part[o->count - 1][1] != '6')
    return false;
  LLVMValueRef value = lin_lift_get(l, &l->operands.operand[1], whole, false);
  if (value == NULL)
    return false;
  LLVMTypeRef from = pointer_to(l, is_to ? LIN_PTX_GENERIC : space);
  LLVMTypeRef to = pointer_to(l, is_to ? space : LIN_PTX_GENERIC);
  LLVMValueRef pointer = LLVMBuildIntToPtr(l->builder, value, from, "");
  pointer = LLVMBuildAddrSpaceCast(l->builder, pointer, to, "");
  value = LLVMBuildPtrToInt(l->builder, pointer, whole, "");
  return lin_lift_set(l, &l->operands.operand[0], value, false);
}

// A pointer to `space`, or NULL.
static LLVMValueRef address_of(lin_lifting *l, const lin_ptx_operand *o, unsigned space) {
  if (o->kind != LIN_PTX_OPERAND_ADDRESS || o->is_part)
    return NULL;
  LLVMValueRef pointer = NULL;
  if (o->base == LIN_PTX_OPERAND_NAME) {
    const lin_lift_variable *v = lin_lift_find_variable(l, o->start, o->end);
    if (v == NULL || v->declared->space != space)
      return NULL;
    pointer = lin_lift_pointer_to(l, v);
  } else if (o->base == LIN_PTX_OPERAND_REGISTER) {
    LLVMValueRef value = lin_lift_register(l, o->reg);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind ||
        lin_lift_bits(LLVMTypeOf(value)) < 32)
      return NULL;
    pointer = LLVMBuildIntToPtr(l->builder, value, pointer_to(l, space), "");
  } else {
    return NULL;
  }
  if (o->value == 0)
    return pointer;
  LLVMValueRef offset =
      LLVMConstInt(LLVMInt64TypeInContext(l->lift->context), (unsigned long long)o->value, true);
  LLVMTypeRef byte = LLVMInt8TypeInContext(l->lift->context);
  return LLVMBuildGEP2(l->builder, byte, pointer, &offset, 1, "");
}

LLVMValueRef lin_lift_address(lin_lifting *l, const lin_ptx_operand *operand) {
  return address_of(l, operand, space_of(&l->opcode));
}

typedef struct access {
  LLVMTypeRef type; // of an element
  unsigned space, elements;
  bool is_volatile, is_constant, is_signed;
} access;

static bool read_access(const lin_lifting *l, access *a) {
  static const char *const plain[] = {"global", "shared", "shared::cta", "const", "local",
                                      "weak",   "nc",     "volatile",    "v2",    "v4"};
  const lin_lift_opcode *o = &l->opcode;
  if (o->count < 2 || o->count > LIN_LIFT_PARTS)
    return false;
  uint32_t last = o->count - 1;
  *a = (access){.type = lin_lift_type(l->lift, o->part[last], o->length[last]),
                .space = space_of(o),
                .elements = lin_lift_has(o, "v2")   ? 2
                            : lin_lift_has(o, "v4") ? 4
                                                    : 1,
                .is_volatile = lin_lift_has(o, "volatile"),
                .is_constant = lin_lift_has(o, "nc"),
                .is_signed = o->part[last][0] == 's'};
  for (uint32_t i = 1; i < last; i++) {
    bool is_plain = false;
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
      is_plain |= lin_lift_is_part(o, i, plain[k]);
    if (!is_plain)
      return false;
  }
  return a->type != NULL && lin_lift_bits(a->type) >= 8 &&
         a->elements * lin_lift_bits(a->type) <= 128 && lin_lift_bits(a->type) <= 64;
}

static LLVMTypeRef type_of(const access *a) {
  return a->elements == 1 ? a->type : LLVMVectorType(a->type, a->elements);
}

// The operand of an element, of `list` or itself.
static const lin_ptx_operand *element_of(const lin_lifting *l, uint32_t operand, uint32_t element,
                                         const access *a) {
  const lin_ptx_operand *o = &l->operands.operand[operand];
  bool is_list = o->kind == LIN_PTX_OPERAND_LIST;
  if (is_list != (a->elements > 1) || (is_list && o->count != a->elements))
    return NULL;
  return is_list ? o + 1 + element : o;
}

static LLVMValueRef number_of(const lin_lifting *l, uint32_t element) {
  return LLVMConstInt(LLVMInt32TypeInContext(l->lift->context), element, false);
}

static bool load(lin_lifting *l) {
  access a;
  if (!lin_lift_is_part(&l->opcode, 0, "ld") || !read_access(l, &a) ||
      element_of(l, 0, 0, &a) == NULL || l->operands.count != (a.elements > 1 ? a.elements + 2 : 2))
    return false;
  LLVMValueRef address = address_of(l, &l->operands.operand[l->operands.count - 1], a.space);
  if (address == NULL)
    return false;
  LLVMValueRef value = LLVMBuildLoad2(l->builder, type_of(&a), address, "");
  LLVMSetAlignment(value, a.elements * lin_lift_bits(a.type) / 8);
  LLVMSetVolatile(value, a.is_volatile);
  if (a.is_constant) {
    unsigned kind = LLVMGetMDKindIDInContext(l->lift->context, "invariant.load", 14);
    LLVMValueRef node =
        LLVMMetadataAsValue(l->lift->context, LLVMMDNodeInContext2(l->lift->context, NULL, 0));
    LLVMSetMetadata(value, kind, node);
  }
  for (uint32_t i = 0; i < a.elements; i++) {
    LLVMValueRef part =
        a.elements == 1 ? value : LLVMBuildExtractElement(l->builder, value, number_of(l, i), "");
    if (!lin_lift_set(l, element_of(l, 0, i, &a), part, a.is_signed))
      return false;
  }
  return true;
}

static bool store(lin_lifting *l) {
  access a;
  if (!lin_lift_is_part(&l->opcode, 0, "st") || !read_access(l, &a) || a.is_constant ||
      l->operands.count < 2 || element_of(l, 1, 0, &a) == NULL)
    return false;
  LLVMValueRef value = a.elements == 1 ? NULL : LLVMGetPoison(type_of(&a));
  for (uint32_t i = 0; i < a.elements; i++) {
    LLVMValueRef part = lin_lift_get(l, element_of(l, 1, i, &a), a.type, true);
    if (part == NULL)
      return false;
    value = a.elements == 1 ? part
                            : LLVMBuildInsertElement(l->builder, value, part, number_of(l, i), "");
  }
  LLVMValueRef address = address_of(l, &l->operands.operand[0], a.space);
  if (address == NULL)
    return false;
  LLVMValueRef made = LLVMBuildStore(l->builder, value, address);
  LLVMSetAlignment(made, a.elements * lin_lift_bits(a.type) / 8);
  LLVMSetVolatile(made, a.is_volatile);
  return true;
}

// Bytes of a scalar, from the lowest.
static LLVMValueRef cut(lin_lifting *l, LLVMValueRef value, LLVMTypeRef type, int64_t offset) {
  LLVMTypeRef whole = LLVMTypeOf(value);
  if (lin_lift_bits(whole) == lin_lift_bits(type))
    return value;
  LLVMValueRef by = LLVMConstInt(whole, (unsigned long long)offset * 8, false);
  LLVMTypeRef bits = LLVMIntTypeInContext(l->lift->context, lin_lift_bits(type));
  return LLVMBuildTrunc(l->builder, LLVMBuildLShr(l->builder, value, by, ""), bits, "");
}

void lin_lift_note_place(lin_lifting *l) {
  const lin_lift_opcode *o = &l->opcode;
  const lin_ptx_operand *operand = l->operands.operand;
  bool moves = lin_lift_is_part(o, 0, "mov") && l->operands.count == 2;
  bool adds = lin_lift_is_part(o, 0, "add") && l->operands.count == 3 &&
              operand[2].kind == LIN_PTX_OPERAND_NUMBER;
  if (!l->place->is_kernel || o->count != 2 || (!moves && !adds) || o->length[1] != 3 ||
      o->part[1][1] != '6' || operand[0].kind != LIN_PTX_OPERAND_REGISTER ||
      !l->is_set_first[operand[0].reg])
    return;
  lin_lift_place place = {0};
  if (operand[1].kind == LIN_PTX_OPERAND_REGISTER && !operand[1].is_part)
    place = l->holds[operand[1].reg];
  else if (moves && operand[1].kind == LIN_PTX_OPERAND_NAME)
    place.parameter = lin_lift_find_parameter(l, &operand[1]) + 1; // LIN_NONE + 1 is 0
  place.offset += adds ? operand[2].value : 0;
  l->holds[operand[0].reg] = place;
}

// The parameter and the offset that an address names, by its name or by a register.
static lin_lift_place place_of(const lin_lifting *l, const lin_ptx_operand *at) {
  lin_lift_place place = {0};
  if (lin_lift_is_named(at))
    place.parameter = lin_lift_find_parameter(l, at) + 1;
  else if (at->kind == LIN_PTX_OPERAND_ADDRESS && at->base == LIN_PTX_OPERAND_REGISTER &&
           !at->is_part)
    place = l->holds[at->reg];
  place.offset += at->value;
  return place;
}

// What lies there of a parameter, or NULL.
static LLVMValueRef parameter_at(lin_lifting *l, lin_lift_place place, LLVMTypeRef type) {
  const uint32_t bytes = lin_lift_bits(type) / 8, number = place.parameter - 1;
  LLVMValueRef value = LLVMGetParam(l->function, number);
  if (l->place->parameters.variable[number].is_array) {
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(l->lift->context),
                                       (unsigned long long)place.offset, true);
    LLVMTypeRef byte = LLVMInt8TypeInContext(l->lift->context);
    value = LLVMBuildGEP2(l->builder, byte, value, &offset, 1, "");
    value = LLVMBuildLoad2(l->builder, type, value, "");
    LLVMSetAlignment(value, bytes);
    return value;
  }
  const uint32_t whole = lin_lift_bits(LLVMTypeOf(value)) / 8;
  bool is_part = l->is_scalar && place.offset >= 0 && place.offset + bytes <= whole;
  if (!is_part && (place.offset != 0 || whole != bytes))
    return NULL;
  return cut(l, value, type, place.offset);
}

// ld.param.u32 %r1, [f_param_0+4];   ld.param.v2.u32 {%r1, %r2}, [%rd2+8];
static bool load_parameter(lin_lifting *l) {
  const lin_lift_opcode *o = &l->opcode;
  access a = {.elements = lin_lift_is_part(o, 2, "v2") ? 2 : lin_lift_is_part(o, 2, "v4") ? 4 : 1};
  const uint32_t last = a.elements > 1 ? 3 : 2;
  if (!lin_lift_is_part(o, 0, "ld") || !lin_lift_is_part(o, 1, "param") || o->count != last + 1 ||
      l->operands.count != (a.elements > 1 ? a.elements + 2 : 2) ||
      !(l->place->is_kernel || l->is_scalar) || element_of(l, 0, 0, &a) == NULL)
    return false;
  LLVMTypeRef type = lin_lift_type(l->lift, o->part[last], o->length[last]);
  if (type == NULL || lin_lift_bits(type) < 8 || lin_lift_bits(type) > 64)
    return false;
  lin_lift_place place = place_of(l, &l->operands.operand[l->operands.count - 1]);
  for (uint32_t i = 0; i < a.elements; i++, place.offset += lin_lift_bits(type) / 8) {
    LLVMValueRef value = place.parameter == 0 ? NULL : parameter_at(l, place, type);
    if (value == NULL || !lin_lift_set(l, element_of(l, 0, i, &a), value, o->part[last][0] == 's'))
      return false;
  }
  return true;
}

static bool is_result(const lin_lifting *l, const lin_ptx_operand *at) {
  return lin_lift_is_named(at) &&
         lin_ptx_is_variable(l->body->module->text, l->place->results.variable, at->start, at->end);
}

// st.param.b32 [func_retval0+0], %r1;
static bool store_result(lin_lifting *l) {
  const lin_lift_opcode *o = &l->opcode;
  const lin_ptx_operand *at = &l->operands.operand[0];
  if (l->result == NULL || !lin_lift_is_part(o, 0, "st") || !lin_lift_is_part(o, 1, "param") ||
      l->operands.count == 0 || !is_result(l, at))
    return false;
  LLVMTypeRef type = o->count == 3 ? lin_lift_type(l->lift, o->part[2], o->length[2]) : NULL;
  bool is_whole = l->operands.count == 2 && at->value == 0 && type != NULL &&
                  lin_lift_bits(type) == lin_lift_bits(l->result_type);
  LLVMValueRef value =
      is_whole ? lin_lift_get(l, &l->operands.operand[1], l->result_type, true) : NULL;
  if (value == NULL) // what assembly stored would be lost
    return lin_lift_refuse(l, at->start, "a result that isn't stored as a whole");
  LLVMBuildStore(l->builder, value, l->result);
  return true;
}

bool lin_lift_memory(lin_lifting *l) {
  return load_parameter(l) || store_result(l) || cast_address(l) || load(l) || store(l);
}
