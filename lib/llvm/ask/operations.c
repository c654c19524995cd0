#include "operations.h"

#include "names.h"

#include <assert.h>
#include <stddef.h>

static const struct {
  LLVMOpcode opcode;
  lin_op op;
} opcodes[] = {
    {LLVMAdd, LIN_OP_ADD},           {LLVMSub, LIN_OP_SUB},       {LLVMMul, LIN_OP_MUL},
    {LLVMUDiv, LIN_OP_UDIV},         {LLVMSDiv, LIN_OP_SDIV},     {LLVMURem, LIN_OP_UREM},
    {LLVMSRem, LIN_OP_SREM},         {LLVMShl, LIN_OP_SHL},       {LLVMLShr, LIN_OP_LSHR},
    {LLVMAShr, LIN_OP_ASHR},         {LLVMAnd, LIN_OP_AND},       {LLVMOr, LIN_OP_OR},
    {LLVMXor, LIN_OP_XOR},           {LLVMSelect, LIN_OP_SELECT}, {LLVMSExt, LIN_OP_SEXT},
    {LLVMZExt, LIN_OP_ZEXT},         {LLVMTrunc, LIN_OP_ZEXT},    {LLVMBitCast, LIN_OP_ZEXT},
    {LLVMPtrToInt, LIN_OP_ZEXT},     {LLVMIntToPtr, LIN_OP_ZEXT}, {LLVMFreeze, LIN_OP_ZEXT},
    {LLVMAddrSpaceCast, LIN_OP_ZEXT}};

// The first row of an operation is what is built of it.
static const struct {
  LLVMIntPredicate predicate;
  lin_op op;
  bool swaps;
} comparisons[] = {
    {LLVMIntEQ, LIN_OP_EQ, false},   {LLVMIntNE, LIN_OP_NE, false},
    {LLVMIntULT, LIN_OP_ULT, false}, {LLVMIntULE, LIN_OP_ULE, false},
    {LLVMIntSLT, LIN_OP_SLT, false}, {LLVMIntSLE, LIN_OP_SLE, false},
    {LLVMIntUGT, LIN_OP_ULT, true},  {LLVMIntUGE, LIN_OP_ULE, true},
    {LLVMIntSGT, LIN_OP_SLT, true},  {LLVMIntSGE, LIN_OP_SLE, true},
};

static const struct {
  const char *prefix;
  lin_op op;
  LLVMIntPredicate first; // that holds if the first operand is the result
} choices[] = {{"llvm.umin.", LIN_OP_UMIN, LLVMIntULT},
               {"llvm.umax.", LIN_OP_UMAX, LLVMIntUGT},
               {"llvm.smin.", LIN_OP_SMIN, LLVMIntSLT},
               {"llvm.smax.", LIN_OP_SMAX, LLVMIntSGT}};

enum {
  NUM_OPCODES = sizeof opcodes / sizeof *opcodes,
  NUM_COMPARISONS = sizeof comparisons / sizeof *comparisons,
  NUM_CHOICES = sizeof choices / sizeof *choices
};

unsigned lin_ir_width(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return 64;
  unsigned width = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
  return width > 64 ? 0 : width;
}

static lin_op operation_of_comparison(LLVMIntPredicate predicate, bool *swaps) {
  for (size_t i = 0; i < NUM_COMPARISONS; i++)
    if (comparisons[i].predicate == predicate) {
      *swaps = comparisons[i].swaps;
      return comparisons[i].op;
    }
  return LIN_OP_FUNCTION;
}

static lin_op operation_of_call(LLVMValueRef call) {
  const char *name = lin_ir_called_name(call);
  for (size_t i = 0; i < NUM_CHOICES; i++)
    if (lin_ir_begins_with(name, choices[i].prefix))
      return choices[i].op;
  return LIN_OP_FUNCTION;
}

lin_op lin_ir_operation(LLVMValueRef at, bool *swaps) {
  *swaps = false;
  if (LLVMGetNumOperands(at) == 0 || lin_ir_width(at) == 0 ||
      lin_ir_width(LLVMGetOperand(at, 0)) == 0)
    return LIN_OP_FUNCTION;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
  if (opcode == LLVMICmp)
    return operation_of_comparison(LLVMGetICmpPredicate(at), swaps);
  if (opcode == LLVMCall)
    return operation_of_call(at);
  for (size_t i = 0; i < NUM_OPCODES; i++)
    if (opcodes[i].opcode == opcode)
      return opcodes[i].op;
  return LIN_OP_FUNCTION;
}

LLVMValueRef lin_ir_build_operation(LLVMBuilderRef b, lin_op op, LLVMTypeRef type,
                                    const LLVMValueRef of[3]) {
  assert(op >= LIN_OP_ADD);
  if (op == LIN_OP_SELECT)
    return LLVMBuildSelect(b, of[0], of[1], of[2], "");
  if (op == LIN_OP_ZEXT || op == LIN_OP_SEXT)
    return LLVMBuildIntCast2(b, of[0], type, op == LIN_OP_SEXT, "");
  for (size_t i = 0; i < NUM_COMPARISONS; i++)
    if (comparisons[i].op == op)
      return LLVMBuildICmp(b, comparisons[i].predicate, of[0], of[1], "");
  for (size_t i = 0; i < NUM_CHOICES; i++)
    if (choices[i].op == op)
      return LLVMBuildSelect(b, LLVMBuildICmp(b, choices[i].first, of[0], of[1], ""), of[0], of[1],
                             "");
  size_t i = 0;
  while (opcodes[i].op != op)
    i++;
  return LLVMBuildBinOp(b, opcodes[i].opcode, of[0], of[1], "");
}
