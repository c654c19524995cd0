// What a function computes, as far as it matters which thread does which work: its values,
// numbered, with no compiler behind them. A front end makes them of its own code.
//
//     %m = add i32 %twice, -1          value[7] = {ADD, 32 bits, of 5 and 6}
//     %r = and i32 %m, %t              value[8] = {AND, 32 bits, of 7 and 2}     2 is an INDEX
//     %c = icmp eq i32 %r, 0           value[9] = {EQ, 1 bit, of 8 and 1}
//     br i1 %c, label %then, label %j  value[10] = {EFFECT}, condition[block] = 9
//
// Each instruction is a value, whether it computes one or not, and so is each leaf that it names.
// Leaves come first, in block 0; then blocks in order (graph/order.h), and in each its
// instructions: an operand has a lower number than what it is an operand of, but for operands of
// phis.
#ifndef LIN_VALUES_VALUES_H
#define LIN_VALUES_VALUES_H

#include "operations.h"

#include "linearize/definition1_edges.h"

// What an instruction does beside computing a value.
enum {
  LIN_READS = 1 << 0,  // memory: touch[number]
  LIN_WRITES = 1 << 1, // the same
  LIN_MEETS = 1 << 2,  // a barrier of the whole block
  LIN_ORDERS = 1 << 3, // orders memory for other threads: a fence, a call that nobody knows
  LIN_STAYS = 1 << 4,  // may not be computed elsewhere, or twice
};

typedef struct lin_value {
  uint8_t op;      // lin_op
  uint8_t width;   // bits, 1 to 64; 0: no number, or none that is known
  uint16_t does;   // LIN_READS | ...
  uint32_t cost;   // in machine instructions, an access as one; a branch as one
  lin_block block; // in which it stands; of a leaf 0
  uint32_t first;  // operands: operand[first .. first + count)
  uint32_t count;
  uint64_t number; // see lin_op
} lin_value;

// Memory, as what others may also access.
typedef enum lin_touched {
  LIN_MEMORY_CONSTANT,   // nobody writes it while the kernel runs
  LIN_MEMORY_OWN,        // the thread's own
  LIN_MEMORY_SHARED,     // the shared variable `id`
  LIN_MEMORY_ANY_SHARED, // one of them
  LIN_MEMORY_PARAMETER,  // what the kernel's parameter `id` points to
  LIN_MEMORY_RESTRICTED, // the same, and nothing else points there (__restrict__)
  LIN_MEMORY_GLOBAL,     // the variable `id`
  LIN_MEMORY_ANY_GLOBAL, // of the last three, any
  LIN_MEMORY_ANY,
} lin_touched;

typedef struct lin_touch {
  uint32_t value;   // that reads or writes
  uint32_t address; // value
  uint32_t bytes;
  lin_touched memory;
  uint32_t id; // of the variable or the parameter
} lin_touch;

typedef struct lin_values {
  const lin_analysis *analysis; // of the graph whose blocks these are; returns are united
  uint32_t count;
  lin_value *value;      // [count]
  uint32_t *operand;     // numbers of values
  uint64_t *scale;       // beside operand[]: of SUM and PHI
  const char **reason;   // [count] why the instruction may not run with another index; NULL: it may
  uint32_t *first_value; // [num_blocks + 1] of each block, of leaves none
  uint32_t *condition;   // [num_blocks] what its branch asks; LIN_NONE: nothing
  uint64_t *taken_for;   // [num_edges] the condition for which an edge is taken, but for
  bool *taken_otherwise; // [num_edges] those that are taken for all others
  lin_touch *touch;      // in the order of value[]
  uint32_t num_touches;
  uint32_t size[3];      // of a block, along each axis; 0: known at launch
  uint32_t most_threads; // of a block
} lin_values;

// What `value` is, if its operands are `known[]`, by number of value. Of PHI, LOAD, FUNCTION and
// the leaves that aren't constants: unknown. O(operands).
lin_known lin_value_of(const lin_values *values, uint32_t value, const lin_known *known);

// Whether two values are the same number, as far as a short look at what they are computed of
// tells: code has such pairs where a compiler computed in both arms of a branch what is needed
// behind it. O(1).
bool lin_are_alike(const lin_values *values, uint32_t a, uint32_t b);

// Whether two accesses may be of the same memory, by what they point to. O(1).
bool lin_may_meet(const lin_touch *a, const lin_touch *b);

// Operand `i` of a value. O(1).
static inline uint32_t lin_operand(const lin_values *values, uint32_t value, uint32_t i) {
  return values->operand[values->value[value].first + i];
}

// Whether `value` can be computed anew at any place that its operands reach. O(1).
static inline bool lin_is_computed(const lin_values *values, uint32_t value) {
  const lin_value *v = &values->value[value];
  if (v->op == LIN_OP_UDIV || v->op == LIN_OP_SDIV || v->op == LIN_OP_UREM ||
      v->op == LIN_OP_SREM) {
    const lin_value *divisor = &values->value[values->operand[v->first + 1]];
    bool overflows = divisor->number == lin_mask_of(v->width); // by -1, it may
    return divisor->op == LIN_OP_CONSTANT && divisor->number != 0 && !overflows;
  }
  return v->op >= LIN_OP_FUNCTION && v->does == 0 && values->reason[value] == NULL;
}

#endif
