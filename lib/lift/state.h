// What is known while a function is lifted.
//
//     lift        the module, functions, blocks, branches
//      ├─▶ signature   what functions are declared as
//      ├─▶ calls       calls of those
//      ├─▶ variables   what names of memory stand for
//      ├─▶ types       what words like .u32 name
//      ├─▶ values      operands to values, results to slots
//      ├─▶ arithmetic  instructions that compute, by a table
//      ├─▶ memory      addresses, loads, stores
//      ├─▶ atomics     those that LLVM has
//      └─▶ opaque      everything else, as inline assembly
#ifndef LIN_LIFT_STATE_H
#define LIN_LIFT_STATE_H

#include "lift.h"

#include "ptx/names.h"
#include "ptx/operands.h"
#include "ptx/read.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

typedef struct lin_lift_variable {
  const lin_ptx_variable *declared;
  bool overlaps;      // all arrays in shared memory that are declared elsewhere begin at one place
  LLVMValueRef value; // a pointer to its space; of local memory, to an alloca
} lin_lift_variable;

// What a register certainly holds the address of.
typedef struct lin_lift_place {
  uint32_t parameter; // its number, plus 1; 0: nothing is known
  int64_t offset;
} lin_lift_place;

struct lin_lift {
  lin_arena *arena;
  const lin_ptx_module *ptx;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMDIBuilderRef debug;
  LLVMMetadataRef file, unit;
  lin_lift_variable *variable; // [ptx->variables.count]
  lin_ptx_names *names;        // of those
  uint32_t captured;           // the place of one that has a name of LLVM's, or 0
  uint32_t largest;            // instructions of the largest function that was lifted
};

// Instructions of a function. LLVM's code generator takes a time that is quadratic in them (its
// straight-line strength reduction): 1 s for 5,000, 6 s for 10,000, 26 s for 20,000. Without
// optimizations it takes 0.6 s for these, and what ptxas makes of that is 1.07 times as long
// (`bench/scaling-ptx`, `scripts/check-lift`; LLVM 22, 2026-11-27). 100,000 take 5 s.
enum { LIN_LIFT_LARGE = 5000, LIN_LIFT_MOST = 200000 };

enum { LIN_LIFT_PARTS = 16 };

// `ld.global.v2.u32`, cut at its dots.
typedef struct lin_lift_opcode {
  const char *part[LIN_LIFT_PARTS];
  uint32_t length[LIN_LIFT_PARTS];
  uint32_t count;
} lin_lift_opcode;

typedef struct lin_lifting {
  lin_lift *lift;
  lin_arena *arena; // of this function alone
  const lin_ptx_place *place;
  const lin_ptx_body *body;
  const lin_ptx_function *f;
  LLVMValueRef function;
  LLVMBuilderRef builder, entry; // `entry` puts stack slots in front of everything
  LLVMValueRef *slot;            // [body->num_regs], or NULL
  LLVMTypeRef *type;             // [body->num_regs]
  bool *is_set_first;            // [body->num_regs] set_first.c
  lin_lift_place *holds;         // [body->num_regs] of what was lifted so far
  LLVMBasicBlockRef *block;      // [f->graph->num_blocks]
  LLVMBasicBlockRef *last;       // [f->graph->num_blocks] where each of them ends
  lin_lift_variable *local;      // [num_locals] declared in the function, but for parameters
  uint32_t num_locals;
  bool is_scalar;            // a function that is called with what it declares
  LLVMTypeRef result_type;   // of that, or NULL
  LLVMValueRef result;       // a slot, or NULL
  lin_ptx_operands operands; // of the instruction at hand
  lin_lift_opcode opcode;    // likewise
  LLVMMetadataRef program;   // for debug locations
  uint32_t at;               // the instruction at hand
  uint32_t line, counted;    // the line at place `counted` of the text
  const char *refused;
  uint32_t refused_at; // a place in the text
} lin_lifting;

// ---- state.c

// Notes why the function can't be lifted, the first time. Returns false.
bool lin_lift_refuse(lin_lifting *l, uint32_t place, const char *reason);
// Cuts instruction `at` into `opcode` and `operands`.
void lin_lift_cut(lin_lifting *l, uint32_t at);
// Gives a function, or a call, an attribute without a value.
void lin_lift_mark(LLVMValueRef function, const char *attribute);
void lin_lift_mark_call(LLVMValueRef call, const char *attribute);

// ---- variables.c

// All of them outside of functions, as globals of the LLVM module that are defined elsewhere.
void lin_lift_declare_variables(lin_lift *lift);
// Those of the function's own.
bool lin_lift_declare_locals(lin_lifting *l);
// What a name stands for, or NULL.
const lin_lift_variable *lin_lift_find_variable(const lin_lifting *l, uint32_t start, uint32_t end);
// A pointer to it, in its space.
LLVMValueRef lin_lift_pointer_to(lin_lifting *l, const lin_lift_variable *v);

// ---- types.c

// The type that a word like `.u32` names, or NULL. Floats of 16 bits are integers here.
LLVMTypeRef lin_lift_type(const lin_lift *lift, const char *text, uint32_t length);
// The type of a declaration, or NULL; of an array, that of its elements.
LLVMTypeRef lin_lift_declared_type(const lin_lift *lift, const lin_ptx_variable *v);
// The integer that a parameter `.b32 name` is, if it has 32 or 64 bits; else NULL.
LLVMTypeRef lin_lift_scalar(const lin_lift *lift, const lin_ptx_variable *v);
unsigned lin_lift_bits(LLVMTypeRef type);
bool lin_lift_is_float(LLVMTypeRef type);

// ---- values.c

// What a register holds.
LLVMValueRef lin_lift_register(lin_lifting *l, uint32_t reg);
// An operand as a value of a type; NULL if it is no register, number or variable, or of another
// size than the type, unless `resizes`: then it is cut, or filled with zeros.
LLVMValueRef lin_lift_get(lin_lifting *l, const lin_ptx_operand *operand, LLVMTypeRef type,
                          bool resizes);
// Puts a value into the register of an operand, as its bits: cut, or filled with zeros or signs.
bool lin_lift_set(lin_lifting *l, const lin_ptx_operand *operand, LLVMValueRef value,
                  bool is_signed);
void lin_lift_set_register(lin_lifting *l, uint32_t reg, LLVMValueRef value, bool is_signed);
// Calls an intrinsic by its name, overloaded by `type` if that isn't NULL. NULL if there is none.
LLVMValueRef lin_lift_intrinsic(lin_lifting *l, const char *name, LLVMTypeRef type,
                                LLVMValueRef *argument, unsigned count);

// ---- set_first.c

// [body->num_regs] true for registers that are certainly set before they are read. In the
// function's arena. O(accesses + edges log blocks).
bool *lin_lift_find_set_first(const lin_lifting *l);

// ---- signature.c

// Declares the function, with its parameters, bounds and lines. Returns false if it refuses it.
bool lin_lift_declare_function(lin_lifting *l);
// The number of the function's parameter that a word, or an address, names; or LIN_NONE.
// O(parameters).
uint32_t lin_lift_find_parameter(const lin_lifting *l, const lin_ptx_operand *operand);

// ---- calls.c

// Makes instructions `first` to `behind`, which are those of `scope` or one alone (NULL), a call of
// a function. Returns false if they aren't one, or one that has to stay assembly.
bool lin_lift_call(lin_lifting *l, uint32_t first, uint32_t behind, const lin_ptx_scope *scope);

// ---- memory.c

// The operand as a pointer to the space that the opcode at hand names, or NULL.
LLVMValueRef lin_lift_address(lin_lifting *l, const lin_ptx_operand *operand);

// Notes whether the instruction at hand makes an address of a kernel's parameter, for loads behind
// it.
//     mov.b64 %rd1, f_param_0;   add.s64 %rd2, %rd1, 80;
void lin_lift_note_place(lin_lifting *l);

// ---- sources.c

// Has the function say which lines of the source its PTX was made of (llvm/ask/lifted.h).
void lin_lift_note_sources(lin_lifting *l);

// ---- the rest: each returns false if the instruction isn't one of its own

bool lin_lift_arithmetic(lin_lifting *l);
bool lin_lift_memory(lin_lifting *l);
bool lin_lift_atomic(lin_lifting *l);
// Instructions `first` to `behind`, which nothing leads into, as one piece of text, which begins at
// `start` and ends at `end`.
bool lin_lift_opaque(lin_lifting *l, uint32_t first, uint32_t behind, uint32_t start, uint32_t end);

// ---- operands and opcodes

// Whether it is an address whose base is a name.
static inline bool lin_lift_is_named(const lin_ptx_operand *o) {
  return o->kind == LIN_PTX_OPERAND_ADDRESS && o->base == LIN_PTX_OPERAND_NAME;
}

static inline bool lin_lift_is_part(const lin_lift_opcode *o, uint32_t part, const char *word) {
  uint32_t i = 0;
  for (; i < o->length[part] && word[i] == o->part[part][i]; i++)
    if (word[i] == '\0')
      return false;
  return part < o->count && i == o->length[part] && word[i] == '\0';
}

// Whether a part behind the first is this word.
static inline bool lin_lift_has(const lin_lift_opcode *o, const char *word) {
  for (uint32_t i = 1; i < o->count; i++)
    if (lin_lift_is_part(o, i, word))
      return true;
  return false;
}

#endif
