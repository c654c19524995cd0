// The function by which a kernel's threads write their counters.
#ifndef LIN_LLVM_COUNT_SLOTS_H
#define LIN_LLVM_COUNT_SLOTS_H

#include <llvm-c/Core.h>
#include <stdint.h>

// Counters of a thread: the first ones are in registers, the rest in its local memory.
typedef struct lin_ir_slots {
  uint32_t in_registers, in_memory;
} lin_ir_slots;

// Adds a function to the module that takes the counters that are in registers, one by one, and, if
// there are others, the address of those in local memory (addrspace 5), and writes them into the
// thread's slot of what `variable`, a lin_count_variable (count/description.h), says, if it has
// one:
//
//     n = number of the thread block
//     if (n % sample == 0 && n / sample * threads + thread < capacity)
//       buffer[i * capacity + n / sample * threads + thread] = counter i
//
// It is to be inlined; nothing else is done for that. Numbers are of 32 bits: a launch of 2^32
// threads or more must be given no slots. O(counters).
LLVMValueRef lin_ir_slot_writer(LLVMModuleRef module, LLVMValueRef variable, const char *name,
                                lin_ir_slots slots);

#endif
