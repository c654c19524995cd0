// Messages of remarks, written piece by piece, with the numbers in them by name.
#ifndef LIN_LLVM_TELL_MESSAGE_H
#define LIN_LLVM_TELL_MESSAGE_H

#include "linearize/linearize.h"
#include "llvm/read/read.h"

// A message while it is written; what doesn't fit is cut off.
typedef struct lin_ir_message {
  char text[600];
  size_t used;
  size_t brief; // what is behind that many characters is for who asks for all; 0: nothing is
  linearize_argument argument[LINEARIZE_MAX_ARGUMENTS];
  size_t num_arguments;
} lin_ir_message;

// What a message may have before its details: a line has a function and a block before it.
enum { LIN_IR_BRIEF = 100 };

// A copy of `text` to be freed.
char *lin_ir_copy_text(const char *text);

__attribute__((format(printf, 2, 3))) void lin_ir_say(lin_ir_message *m, const char *format, ...);

void lin_ir_say_number(lin_ir_message *m, const char *name, uint64_t number);

// An argument for programs alone: an estimate.
void lin_ir_hide_estimate(lin_ir_message *m, const char *name, double number);

// "about 12% fewer instructions", before and after what was done: figures of an estimate mean
// nothing by themselves.
void lin_ir_say_change(lin_ir_message *m, double before, double after);

// What follows are details, which only who asks for all is told.
static inline void lin_ir_begin_details(lin_ir_message *m) { m->brief = m->used; }

// "1 block", "2 blocks"
void lin_ir_say_count(lin_ir_message *m, const char *name, uint64_t number, const char *what);

// The first instruction of a block that has a source line, of those that the fewest calls were
// inlined around: a loop may begin with what an operator of another file does. NULL: none has one.
// O(instructions * calls that are inlined in each other).
LLVMValueRef lin_ir_own_instruction(LLVMBasicBlockRef block);

// "a.cu:12", where a block begins in the source; "block 'b'" if nobody knows.
void lin_ir_say_place(lin_ir_message *m, const lin_ir_function *f, lin_block block);

// The same, but of what is inlined where the function itself calls it. O(depth of inlining).
void lin_ir_say_own_place(lin_ir_message *m, const lin_ir_function *f, lin_block block);

// What a block calls that isn't here: "calls 'table', whose code isn't here". O(instructions).
void lin_ir_say_foreign(lin_ir_message *m, const lin_ir_function *f, lin_block block);

// "linearized a region of 5 blocks with 1 guard"
void lin_ir_say_linearized(lin_ir_message *m, uint32_t blocks, uint32_t guards);

// Adds a remark with this message about a block of `f`, or about the function (LIN_NONE).
void lin_ir_send(linearize_report *report, const lin_ir_function *f, linearize_remark_kind kind,
                 const char *name, lin_block block, const lin_ir_message *m);

// The same, near an instruction of that block, which has a place in the source or hasn't.
void lin_ir_send_near(linearize_report *report, const lin_ir_function *f,
                      linearize_remark_kind kind, const char *name, lin_block block,
                      LLVMValueRef instruction, const lin_ir_message *m);

#endif
