// Atomics without order and scope, which are relaxed ones of the whole GPU: LLVM writes the same
// again. What their results decide can be seen then; all others stay assembly.
//
// Accepts: atom with no other words than .global or .shared, an operation and a type of the table
// below, and cas of 32 and 64 bits.
//
//     atom.global.add.u32 %r1, [%rd1+4], %r2;    atomicrmw add ptr addrspace(1) %1, i32 %2
//                                                  syncscope("device") monotonic
#include "state.h"

#include "llvm/ask/versions.h"

#include <string.h>

typedef struct operation {
  const char *name, *types; // the types that it has
  LLVMAtomicRMWBinOp number;
} operation;

static const operation operations[] = {
    {"add", "u32 s32 u64", LLVMAtomicRMWBinOpAdd}, {"add", "f32 f64", LLVMAtomicRMWBinOpFAdd},
    {"and", "b32 b64", LLVMAtomicRMWBinOpAnd},     {"or", "b32 b64", LLVMAtomicRMWBinOpOr},
    {"xor", "b32 b64", LLVMAtomicRMWBinOpXor},     {"exch", "b32 b64", LLVMAtomicRMWBinOpXchg},
    {"min", "s32 s64", LLVMAtomicRMWBinOpMin},     {"max", "s32 s64", LLVMAtomicRMWBinOpMax},
    {"min", "u32 u64", LLVMAtomicRMWBinOpUMin},    {"max", "u32 u64", LLVMAtomicRMWBinOpUMax}};

static bool has_type(const lin_lift_opcode *o, const char *types) {
  const char *last = o->part[o->count - 1];
  for (const char *at = types; *at != '\0'; at += strspn(at, " ") + strcspn(at, " "))
    if (o->length[o->count - 1] == 3 && memcmp(at + strspn(at, " "), last, 3) == 0)
      return true;
  return false;
}

static const operation *find_operation(const lin_lift_opcode *o) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (lin_lift_is_part(o, o->count - 2, operations[i].name) && has_type(o, operations[i].types))
      return &operations[i];
  return NULL;
}

static bool is_compare_and_swap(const lin_lift_opcode *o) {
  return lin_lift_is_part(o, o->count - 2, "cas") && has_type(o, "b32 b64");
}

bool lin_lift_atomic(lin_lifting *l) {
  const lin_lift_opcode *o = &l->opcode;
  bool has_space =
      o->count == 4 && (lin_lift_is_part(o, 1, "global") || lin_lift_is_part(o, 1, "shared"));
  if (!lin_lift_is_part(o, 0, "atom") || (o->count != 3 && !has_space))
    return false;
  bool swaps = is_compare_and_swap(o);
  const operation *found = find_operation(o);
  if ((found == NULL && !swaps) || l->operands.count != 3u + swaps)
    return false;
  const lin_ptx_operand *operand = l->operands.operand;
  LLVMTypeRef type = lin_lift_type(l->lift, o->part[o->count - 1], o->length[o->count - 1]);
  LLVMValueRef value = lin_lift_get(l, &operand[2], type, false);
  LLVMValueRef with = swaps ? lin_lift_get(l, &operand[3], type, false) : value;
  LLVMValueRef address = value == NULL || with == NULL ? NULL : lin_lift_address(l, &operand[1]);
  if (address == NULL)
    return false;
  LLVMAtomicOrdering relaxed = LLVMAtomicOrderingMonotonic;
  LLVMValueRef made =
      swaps ? LLVMBuildAtomicCmpXchg(l->builder, address, value, with, relaxed, relaxed, false)
            : LLVMBuildAtomicRMW(l->builder, found->number, address, value, relaxed, false);
  lin_ir_set_device_scope(l->lift->context, made);
  LLVMValueRef before = swaps ? LLVMBuildExtractValue(l->builder, made, 0, "") : made;
  return lin_lift_set(l, &operand[0], before, false);
}
