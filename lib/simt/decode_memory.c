// Loads and stores keep a vector together, as the machine does; structures and arrays are accessed
// scalar by scalar. Constant parts of an address are added last, in one instruction.
#include "decode_parts.h"

#include <string.h>

unsigned simt_decode_space(unsigned address_space) {
  return address_space == 3 ? SIMT_SHARED : address_space == 5 ? SIMT_LOCAL : SIMT_GENERIC;
}

// ---- addresses ---------------------------------------------------------------------------------

typedef struct address {
  simt_register base;
  uint64_t offset; // not yet added
} address;

static void add_index(simt_decoder *d, address *a, LLVMValueRef index, uint64_t size) {
  if (LLVMIsAConstantInt(index)) {
    a->offset += (uint64_t)LLVMConstIntGetSExtValue(index) * size;
    return;
  }
  if (LLVMGetTypeKind(LLVMTypeOf(index)) == LLVMVectorTypeKind) {
    simt_decode_fail(d, "a vector of addresses");
    return;
  }
  simt_register steps = simt_decode_operand(d, index).reg[0];
  uint8_t bits = simt_decode_bits(d, LLVMTypeOf(index));
  if (bits < SIMT_ADDRESS_BITS) {
    simt_register wide = simt_decode_fresh(d, 1);
    simt_decode_emit(d, (simt_instruction){.opcode = SIMT_SEXT,
                                           .width = SIMT_ADDRESS_BITS,
                                           .from = bits,
                                           .dst = wide,
                                           .a = steps});
    steps = wide;
  }
  a->base = simt_decode_arithmetic(d, SIMT_MAD, SIMT_ADDRESS_BITS, steps,
                                   simt_decode_constant(d, size), a->base);
}

static void decode_gep(simt_decoder *d, LLVMValueRef at) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(at);
  if (LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMVectorTypeKind) {
    simt_decode_fail(d, "a vector of addresses");
    return;
  }
  address a = {simt_decode_operand_at(d, at, 0).reg[0], 0};
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(at); i++) {
    LLVMValueRef index = LLVMGetOperand(at, i);
    if (i == 1) {
      add_index(d, &a, index, LLVMABISizeOfType(d->layout, type));
    } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      a.offset += LLVMOffsetOfElement(d->layout, type, member);
      type = LLVMStructGetTypeAtIndex(type, member);
    } else {
      type = LLVMGetElementType(type);
      add_index(d, &a, index, LLVMABISizeOfType(d->layout, type));
    }
  }
  simt_value dst = simt_decode_list(d, 1);
  dst.reg[0] = a.offset == 0 ? a.base
                             : simt_decode_arithmetic(d, SIMT_ADD, SIMT_ADDRESS_BITS, a.base,
                                                      simt_decode_constant(d, a.offset), 0);
  simt_decode_bind(d, at, dst);
}

// ---- local memory, loads and stores
// ----------------------------------------------------------------

static void decode_alloca(simt_decoder *d, LLVMValueRef at) {
  LLVMValueRef number = LLVMGetOperand(at, 0);
  bool in_entry = LLVMGetInstructionParent(at) ==
                  LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(at)));
  if (!LLVMIsAConstantInt(number) || !in_entry) {
    simt_decode_fail(d, "local memory of a size chosen while running");
    return;
  }
  simt_function *f = d->f;
  uint64_t size =
      LLVMABISizeOfType(d->layout, LLVMGetAllocatedType(at)) * LLVMConstIntGetZExtValue(number);
  uint64_t alignment = LLVMGetAlignment(at),
           offset = (f->local_size + alignment - 1) / alignment * alignment;
  if (offset + size >= UINT32_MAX / SIMT_LANES || alignment > 4096) {
    simt_decode_fail(d, "too much local memory");
    return;
  }
  size_t length;
  const char *name = LLVMGetValueName2(at, &length);
  f->local = LIN_ROOM(d->arena, f->local, f->num_locals, &d->capacity_local);
  f->local[f->num_locals++] = (simt_variable){lin_arena_text(d->arena, name, length), offset, size};
  f->local_size = (uint32_t)(offset + size);
  bool is_generic = LLVMGetPointerAddressSpace(LLVMTypeOf(at)) != 5;
  simt_decode_emit(d, (simt_instruction){.opcode = SIMT_ALLOCA,
                                         .from = is_generic ? SIMT_GENERIC : SIMT_LOCAL,
                                         .dst = simt_decode_define(d, at).reg[0],
                                         .offset = (uint32_t)offset});
}

// The alignment that an access at `offset` has if that at 0 has `alignment`.
static uint16_t aligned_at(uint64_t alignment, uint64_t offset) {
  while (offset % alignment != 0 || alignment > 256)
    alignment /= 2;
  return (uint16_t)alignment;
}

// One instruction for each scalar or vector of the type; `value` is what is stored, or what a load
// defines, from register `first` on.
static void decode_access(simt_decoder *d, LLVMValueRef at, LLVMTypeRef type, LLVMValueRef pointer,
                          const simt_value *value, bool is_store) {
  simt_register base = simt_decode_operand(d, pointer).reg[0];
  unsigned space = simt_decode_space(LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)));
  simt_leaves leaves = simt_decode_leaves(d, type);
  // A thread's own memory is changed by nobody else.
  bool polls = space != SIMT_LOCAL &&
               (LLVMGetVolatile(at) || LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic);
  unsigned kind =
      LLVMGetMDKindIDInContext(LLVMGetTypeContext(type), "nosanitize", strlen("nosanitize"));
  uint8_t flags = polls ? SIMT_POLLS : 0;
  if (!is_store && LLVMGetMetadata(at, kind) != NULL)
    flags |= SIMT_IS_COPY;
  for (uint32_t i = 0; i < leaves.count; i += leaves.leaf[i].lanes) {
    const simt_leaf *leaf = &leaves.leaf[i];
    if (leaf->bits % 8 != 0 && leaf->lanes > 1) {
      simt_decode_fail(d, "a vector in memory whose elements are no whole bytes");
      return;
    }
    simt_decode_emit(d,
                     (simt_instruction){
                         .opcode = is_store ? SIMT_STORE : SIMT_LOAD,
                         .width = (uint8_t)((leaf->bits + 7) / 8 * 8),
                         .from = (uint8_t)space,
                         .flags = flags,
                         .count = leaf->lanes,
                         .align = aligned_at(LLVMGetAlignment(at), leaf->offset),
                         .a = base,
                         .b = is_store ? simt_decode_operands(d, value->reg + i, leaf->lanes) : 0,
                         .dst = is_store ? 0 : value->reg[i],
                         .offset = (uint32_t)leaf->offset,
                     });
  }
}

static simt_atomic atomic_of(simt_decoder *d, LLVMValueRef at) {
  switch (LLVMGetAtomicRMWBinOp(at)) {
  case LLVMAtomicRMWBinOpXchg:
    return SIMT_ATOMIC_EXCHANGE;
  case LLVMAtomicRMWBinOpAdd:
    return SIMT_ATOMIC_ADD;
  case LLVMAtomicRMWBinOpSub:
    return SIMT_ATOMIC_SUB;
  case LLVMAtomicRMWBinOpAnd:
    return SIMT_ATOMIC_AND;
  case LLVMAtomicRMWBinOpNand:
    return SIMT_ATOMIC_NAND;
  case LLVMAtomicRMWBinOpOr:
    return SIMT_ATOMIC_OR;
  case LLVMAtomicRMWBinOpXor:
    return SIMT_ATOMIC_XOR;
  case LLVMAtomicRMWBinOpMax:
    return SIMT_ATOMIC_SMAX;
  case LLVMAtomicRMWBinOpMin:
    return SIMT_ATOMIC_SMIN;
  case LLVMAtomicRMWBinOpUMax:
    return SIMT_ATOMIC_UMAX;
  case LLVMAtomicRMWBinOpUMin:
    return SIMT_ATOMIC_UMIN;
  case LLVMAtomicRMWBinOpFAdd:
    return SIMT_ATOMIC_FADD;
  case LLVMAtomicRMWBinOpFSub:
    return SIMT_ATOMIC_FSUB;
  case LLVMAtomicRMWBinOpFMax:
    return SIMT_ATOMIC_FMAX;
  case LLVMAtomicRMWBinOpFMin:
    return SIMT_ATOMIC_FMIN;
  case LLVMAtomicRMWBinOpUIncWrap:
    return SIMT_ATOMIC_INC;
  case LLVMAtomicRMWBinOpUDecWrap:
    return SIMT_ATOMIC_DEC;
  default:
    simt_decode_fail(d, "an unknown atomic operation");
    return SIMT_ATOMIC_EXCHANGE;
  }
}

static void decode_atomic(simt_decoder *d, LLVMValueRef at) {
  LLVMValueRef pointer = LLVMGetOperand(at, 0);
  bool exchange = LLVMGetInstructionOpcode(at) == LLVMAtomicCmpXchg;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(at, 1));
  uint8_t bits = simt_decode_bits(d, type);
  if (bits < 8 || (simt_decode_is_float(type) && bits < 32 && !exchange &&
                   LLVMGetAtomicRMWBinOp(at) != LLVMAtomicRMWBinOpXchg)) {
    simt_decode_fail(d, "an atomic operation of an unknown width");
    return;
  }
  simt_decode_emit(
      d, (simt_instruction){
             .opcode = exchange ? SIMT_CMPXCHG : SIMT_ATOMIC,
             .width = bits,
             .from = (uint8_t)simt_decode_space(LLVMGetPointerAddressSpace(LLVMTypeOf(pointer))),
             .flags = SIMT_POLLS,
             .count = 1,
             .align = (uint16_t)(bits / 8),
             .a = simt_decode_operand(d, pointer).reg[0],
             .b = simt_decode_operand_at(d, at, 1).reg[0],
             .c = exchange ? simt_decode_operand_at(d, at, 2).reg[0] : 0,
             .extra = exchange ? 0 : (uint32_t)atomic_of(d, at),
             .dst = simt_decode_define(d, at).reg[0],
         });
}

static void decode_load(simt_decoder *d, LLVMValueRef at) {
  simt_value value = simt_decode_define(d, at);
  decode_access(d, at, LLVMTypeOf(at), LLVMGetOperand(at, 0), &value, false);
}

static void decode_store(simt_decoder *d, LLVMValueRef at) {
  simt_value value = simt_decode_operand_at(d, at, 0);
  decode_access(d, at, LLVMTypeOf(LLVMGetOperand(at, 0)), LLVMGetOperand(at, 1), &value, true);
}

void simt_decode_memory(simt_decoder *d, LLVMValueRef at) {
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMGetElementPtr:
    decode_gep(d, at);
    break;
  case LLVMAlloca:
    decode_alloca(d, at);
    break;
  case LLVMLoad:
    decode_load(d, at);
    break;
  case LLVMStore:
    decode_store(d, at);
    break;
  case LLVMFence: // one warp sees what another has done at once
    break;
  default:
    decode_atomic(d, at);
  }
}

simt_register simt_decode_is_space(simt_decoder *d, simt_register pointer, unsigned space) {
  simt_register window =
      simt_decode_arithmetic(d, SIMT_LSHR, 64, pointer, simt_decode_constant(d, 56), 0);
  return simt_decode_arithmetic(d, SIMT_EQ, 64, window, simt_decode_constant(d, space), 0);
}
