// 1. The module's shared variables get a bit each; do their addresses go where nobody follows them?
// 2. Each access of the function: which of them it may be of, and the form of its address.
// 3. Accesses of one variable that all have the same form are each thread's own.
#include "sharing.h"

#include "gpu/target.h"
#include "llvm/ask/effects.h"
#include "llvm/ask/names.h"
#include "llvm/ask/questions.h"
#include "llvm/ask/spaces.h"

#include <llvm-c/Target.h>
#include <string.h>

enum { OBJECTS = 31, MOST_BASES = 32, MOST_TERMS = 16 };
#define ALL_SHARED ((1u << OBJECTS) - 1)
#define VOLATILE (1u << OBJECTS) // not in shared memory

// size * number + offset + multiples of period. No two of 32 neighbouring numbers share an address
// if the period is 0 or 32 sizes or more.
typedef struct form {
  uint64_t size, period;
  int64_t offset;
} form;

typedef struct access {
  lin_block block;
  LLVMValueRef object; // the one variable that it is of, or NULL
  form form;
  uint64_t bytes;
  uint32_t mask;
  bool loads, stores, is_atomic;
} access;

typedef struct object {
  uint64_t size, period; // of all its accesses that have a form; size 0: none
  uint64_t slot;         // of the first one
  bool differ;           // sizes do
} object;

typedef struct reader {
  lin_arena *arena;
  lin_ir_function *f;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  lin_numbers numbers; // of shared variables
  object *object;      // by number
  uint32_t num_objects;
  bool escapes;        // unknown pointers may be of shared memory
  bool used_elsewhere; // in other functions
  bool is_flat;        // threads are told apart by threadIdx.x alone
  access *accesses;
  uint32_t count, capacity;
} reader;

// ---- step 1

static unsigned space_of(LLVMValueRef pointer) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

static bool is_shared_space(unsigned space) {
  return space == LIN_IR_SHARED || space == LIN_IR_SHARED_CLUSTER;
}

static bool is_intrinsic_call(LLVMValueRef user) {
  return LLVMIsACallInst(user) != NULL && LLVMGetIntrinsicID(LLVMGetCalledValue(user)) != 0;
}

// Whether `user` gives the address that it uses to where it can't be followed.
static bool loses(LLVMValueRef user, LLVMValueRef used) {
  if (LLVMIsALoadInst(user) != NULL || LLVMIsAICmpInst(user) != NULL || is_intrinsic_call(user))
    return false;
  if (LLVMIsAStoreInst(user) != NULL || LLVMIsAAtomicRMWInst(user) != NULL)
    return LLVMGetOperand(user, LLVMIsAStoreInst(user) != NULL ? 0 : 1) == used;
  return true;
}

static bool passes_on(LLVMValueRef user) {
  if (LLVMIsAInstruction(user) == NULL && LLVMIsAConstantExpr(user) == NULL)
    return false;
  switch (LLVMIsAInstruction(user) != NULL ? LLVMGetInstructionOpcode(user)
                                           : LLVMGetConstOpcode(user)) {
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMPHI:
  case LLVMSelect:
    return true;
  default:
    return false;
  }
}

// Follows the address of a shared variable.
static void follow(reader *r, LLVMValueRef root) {
  lin_numbers seen = {0};
  LLVMValueRef *pending = NULL;
  uint32_t count = 0, capacity = 0;
  pending = LIN_ROOM(r->arena, pending, count, &capacity);
  pending[count++] = root;
  while (count > 0) {
    LLVMValueRef value = pending[--count];
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (LLVMIsAInstruction(user) != NULL)
        r->used_elsewhere |=
            LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) != r->f->function;
      if (!passes_on(user)) {
        r->escapes |= loses(user, value);
      } else if (lin_numbers_find(&seen, user) == LIN_NONE) {
        lin_numbers_add(r->arena, &seen, user, 0);
        pending = LIN_ROOM(r->arena, pending, count, &capacity);
        pending[count++] = user;
      }
    }
  }
}

static void find_objects(reader *r) {
  uint32_t capacity = 0;
  for (LLVMValueRef global = LLVMGetFirstGlobal(r->module); global != NULL;
       global = LLVMGetNextGlobal(global)) {
    if (!is_shared_space(space_of(global)))
      continue;
    lin_numbers_add(r->arena, &r->numbers, global, r->num_objects);
    r->object = LIN_ROOM(r->arena, r->object, r->num_objects, &capacity);
    r->object[r->num_objects++] = (object){.size = 0};
    follow(r, global);
  }
  for (unsigned i = 0; i < LLVMCountParams(r->f->function); i++) {
    LLVMValueRef parameter = LLVMGetParam(r->f->function, i);
    if (LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind &&
        is_shared_space(space_of(parameter)))
      follow(r, parameter);
  }
}

// ---- step 2: bases

// The shared variables of which the end of a chain of pointers may be.
static uint32_t mask_of_base(const reader *r, LLVMValueRef base) {
  unsigned space = space_of(base);
  uint32_t number = lin_numbers_find(&r->numbers, base);
  if (number != LIN_NONE)
    return 1u << number % OBJECTS;
  if (is_shared_space(space))
    return ALL_SHARED;
  bool known = LLVMIsAAllocaInst(base) != NULL || LLVMIsAGlobalValue(base) != NULL ||
               LLVMIsAConstantPointerNull(base) != NULL || LLVMIsUndef(base) ||
               lin_ir_is_kernel_parameter(base);
  return space == LIN_IR_GENERIC && !known && r->escapes ? ALL_SHARED : 0;
}

// Passes casts and address computations.
static LLVMValueRef strip(LLVMValueRef pointer) {
  for (;;)
    switch (lin_ir_opcode(pointer)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
      pointer = LLVMGetOperand(pointer, 0);
      break;
    case LLVMAddrSpaceCast:
      if (space_of(pointer) != LIN_IR_GENERIC && !is_shared_space(space_of(pointer)))
        return pointer; // it says which memory it is
      pointer = LLVMGetOperand(pointer, 0);
      break;
    default:
      return pointer;
    }
}

// The union over what phis and selects choose from. `*base` is the only one there is, or NULL.
static uint32_t mask_of(const reader *r, LLVMValueRef pointer, LLVMValueRef *base) {
  LLVMValueRef found[MOST_BASES];
  uint32_t count = 0, mask = 0;
  found[count++] = strip(pointer);
  *base = found[0];
  for (uint32_t i = 0; i < count; i++) {
    LLVMOpcode opcode = lin_ir_opcode(found[i]);
    if (opcode != LLVMPHI && opcode != LLVMSelect) {
      mask |= mask_of_base(r, found[i]);
      continue;
    }
    *base = NULL;
    unsigned first = opcode == LLVMSelect, operands = (unsigned)LLVMGetNumOperands(found[i]);
    for (unsigned operand = first; operand < operands; operand++) {
      LLVMValueRef next = strip(LLVMGetOperand(found[i], operand));
      bool known = false;
      for (uint32_t j = 0; j < count; j++)
        known |= found[j] == next;
      if (!known && count == MOST_BASES)
        return ALL_SHARED;
      if (!known)
        found[count++] = next;
    }
  }
  return mask;
}

// ---- step 2: addresses

static bool is_number(const reader *r, LLVMValueRef value) {
  const lin_nvptx *read = lin_ir_register_read(value);
  bool is_x = lin_nvptx_is(read, LIN_NVPTX_TID) && lin_nvptx_axis(read) == 0;
  return (r->is_flat &&
          (is_x || strcmp(lin_ir_called_name(value), "llvm.amdgcn.workitem.id.x") == 0)) ||
         lin_nvptx_is(read, LIN_NVPTX_LANEID);
}

// A block with more than one dimension has threads with the same threadIdx.x in a warp. A kernel
// that is made for one asks for the others itself; of another function nobody knows who calls it.
static bool is_flat(LLVMModuleRef module, LLVMValueRef function) {
  bool is_kernel = LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv;
  char y[LIN_NVPTX_NAME], z[LIN_NVPTX_NAME];
  const char *const others[] = {lin_nvptx_reads(LIN_NVPTX_TID, 1, y),
                                lin_nvptx_reads(LIN_NVPTX_TID, 2, z), "llvm.amdgcn.workitem.id.y",
                                "llvm.amdgcn.workitem.id.z"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    LLVMValueRef other = LLVMGetNamedFunction(module, others[i]);
    for (LLVMUseRef use = other == NULL ? NULL : LLVMGetFirstUse(other); use != NULL;
         use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (!is_kernel || LLVMIsAInstruction(user) == NULL ||
          LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function)
        return false;
    }
  }
  return true;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b != 0) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

typedef struct term {
  LLVMValueRef value;
  int64_t factor;
} term;

// The factor of an operation by a constant, 0 if it is none.
static int64_t factor_of(LLVMValueRef value, LLVMOpcode opcode) {
  LLVMValueRef constant = opcode == LLVMMul || opcode == LLVMShl ? LLVMGetOperand(value, 1) : NULL;
  if (constant == NULL || LLVMIsAConstantInt(constant) == NULL ||
      LLVMGetIntTypeWidth(LLVMTypeOf(constant)) > 64)
    return 0;
  int64_t number = LLVMConstIntGetSExtValue(constant);
  if (opcode == LLVMMul)
    return number;
  return number >= 0 && number < 32 ? (int64_t)1 << number : 0;
}

// Adds factor * index to the form.
static void add_index(const reader *r, form *to, LLVMValueRef index, int64_t factor) {
  term terms[MOST_TERMS] = {{index, factor}};
  uint32_t count = 1;
  while (count > 0) {
    term t = terms[--count];
    LLVMOpcode opcode = lin_ir_opcode(t.value);
    int64_t times = factor_of(t.value, opcode);
    bool adds = opcode == LLVMAdd || opcode == LLVMSub ||
                (opcode == LLVMOr && LLVMIsAInstruction(t.value) && LLVMGetIsDisjoint(t.value));
    if (LLVMIsAConstantInt(t.value) != NULL && LLVMGetIntTypeWidth(LLVMTypeOf(t.value)) <= 64) {
      to->offset += t.factor * LLVMConstIntGetSExtValue(t.value);
    } else if (opcode == LLVMZExt || opcode == LLVMSExt) {
      terms[count++] = (term){LLVMGetOperand(t.value, 0), t.factor};
    } else if (times != 0) {
      terms[count++] = (term){LLVMGetOperand(t.value, 0), t.factor * times};
    } else if (adds && count + 2 <= MOST_TERMS) {
      terms[count++] = (term){LLVMGetOperand(t.value, 0), t.factor};
      terms[count++] = (term){LLVMGetOperand(t.value, 1), opcode == LLVMSub ? -t.factor : t.factor};
    } else if (is_number(r, t.value) && t.factor > 0) {
      to->size += (uint64_t)t.factor;
    } else {
      to->period = common_divisor((uint64_t)(t.factor < 0 ? -t.factor : t.factor), to->period);
    }
  }
}

static void add_element(const reader *r, form *to, LLVMValueRef address) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
  unsigned operands = (unsigned)LLVMGetNumOperands(address);
  for (unsigned i = 1; i < operands; i++) {
    LLVMValueRef index = LLVMGetOperand(address, i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      to->offset += (int64_t)LLVMOffsetOfElement(r->layout, type, member);
      type = LLVMStructGetTypeAtIndex(type, member);
      continue;
    }
    if (i > 1)
      type = LLVMGetElementType(type);
    add_index(r, to, index, (int64_t)LLVMABISizeOfType(r->layout, type));
  }
}

static form form_of(const reader *r, LLVMValueRef pointer) {
  form sum = {0};
  for (LLVMValueRef end = strip(pointer); pointer != end; pointer = LLVMGetOperand(pointer, 0))
    if (lin_ir_opcode(pointer) == LLVMGetElementPtr)
      add_element(r, &sum, pointer);
  return sum;
}

// ---- step 2: instructions

static access *add_access(reader *r, lin_block block, uint32_t mask) {
  r->accesses = LIN_ROOM(r->arena, r->accesses, r->count, &r->capacity);
  r->accesses[r->count] = (access){.block = block, .mask = mask};
  return &r->accesses[r->count++];
}

static void note_object(reader *r, const access *a) {
  object *o = &r->object[lin_numbers_find(&r->numbers, a->object)];
  if (a->form.size == 0)
    return;
  o->differ |= o->size != 0 && o->size != a->form.size;
  o->size = a->form.size;
  o->period = common_divisor(o->period, a->form.period);
}

static void read_access(reader *r, lin_block block, LLVMValueRef at, LLVMValueRef pointer,
                        LLVMTypeRef type) {
  LLVMValueRef base;
  uint32_t mask = mask_of(r, pointer, &base);
  bool is_alloca = base != NULL && LLVMIsAAllocaInst(base) != NULL;
  if (mask == 0 && LLVMGetVolatile(at) && !is_alloca)
    mask = VOLATILE;
  if (mask == 0)
    return;
  access *a = add_access(r, block, mask);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
  a->loads = opcode == LLVMLoad;
  a->stores = opcode == LLVMStore;
  a->is_atomic = !a->loads && !a->stores;
  a->bytes = LLVMABISizeOfType(r->layout, type);
  if (base == NULL || lin_numbers_find(&r->numbers, base) == LIN_NONE)
    return;
  a->object = base;
  a->form = form_of(r, pointer);
  note_object(r, a);
}

// A call may do to what it is given, and to what others know of, whatever its attributes allow.
static void read_call(reader *r, lin_block block, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call), base;
  bool is_function = LLVMIsAFunction(callee) != NULL;
  if (is_function && lin_ir_touches_no_memory(callee))
    return;
  uint32_t mask = 0;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind)
      mask |= mask_of(r, argument, &base);
  }
  bool is_intrinsic = is_function && LLVMGetIntrinsicID(callee) != 0;
  bool is_known = is_function && !LLVMIsDeclaration(callee);
  if (LLVMIsAInlineAsm(callee) != NULL) {
    size_t length;
    mask |= strstr(LLVMGetInlineAsmAsmString(callee, &length), "shared") != NULL ? ALL_SHARED : 0;
  } else if (!is_intrinsic &&
             (r->escapes || (!is_known && !is_function) || (is_known && r->used_elsewhere))) {
    mask |= r->num_objects > 0 ? ALL_SHARED : 0;
  }
  if (mask == 0)
    return;
  access *a = add_access(r, block, mask);
  a->loads = true;
  a->stores = !is_function || !lin_ir_never_writes(callee);
}

static void read_instruction(reader *r, lin_block block, LLVMValueRef at) {
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMLoad:
    read_access(r, block, at, LLVMGetOperand(at, 0), LLVMTypeOf(at));
    break;
  case LLVMStore:
    read_access(r, block, at, LLVMGetOperand(at, 1), LLVMTypeOf(LLVMGetOperand(at, 0)));
    break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    read_access(r, block, at, LLVMGetOperand(at, 0), LLVMTypeOf(LLVMGetOperand(at, 1)));
    break;
  case LLVMCall:
    read_call(r, block, at);
    break;
  default:
    break;
  }
}

// ---- step 3

// The place in a row of places of one size, which begins anew after a period.
static bool find_slot(const object *o, const access *a, uint64_t *slot) {
  uint64_t size = o->size, period = o->period;
  if (a->form.size == 0 || o->differ ||
      (period != 0 && (period % size != 0 || period < LIN_WARP * size)))
    return false;
  int64_t offset = a->form.offset;
  if (offset < 0 && period == 0)
    return false;
  uint64_t from = period == 0 ? (uint64_t)offset
                              : (uint64_t)(offset % (int64_t)period + (int64_t)period) % period;
  *slot = from / size;
  return from % size + a->bytes <= size;
}

static bool is_own(const reader *r, const access *a) {
  if (a->object == NULL)
    return false;
  object *o = &r->object[lin_numbers_find(&r->numbers, a->object)];
  uint64_t slot;
  if (!find_slot(o, a, &slot))
    return false;
  if (o->slot == 0)
    o->slot = slot + 1;
  return o->slot == slot + 1;
}

void lin_ir_read_sharing(lin_arena *arena, lin_ir_function *f) {
  LLVMModuleRef module = LLVMGetGlobalParent(f->function);
  reader r = {.arena = arena,
              .f = f,
              .module = module,
              .layout = LLVMGetModuleDataLayout(module),
              .is_flat = is_flat(module, f->function)};
  find_objects(&r);
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(f->block[block]); at != NULL;
         at = LLVMGetNextInstruction(at))
      read_instruction(&r, block, at);
  if (r.count > 0)
    f->graph->sharing = LIN_ARRAY(arena, lin_sharing, f->graph->num_blocks);
  for (uint32_t i = 0; i < r.count; i++) {
    const access *a = &r.accesses[i];
    lin_sharing *s = &f->graph->sharing[a->block];
    *s = lin_share(*s, (lin_sharing){a->loads ? a->mask : 0, a->stores ? a->mask : 0,
                                     a->is_atomic ? a->mask : 0, is_own(&r, a) ? 0 : a->mask});
  }
}
