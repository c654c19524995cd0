#include "message.h"

#include "llvm/ask/effects.h"

#include <llvm-c/DebugInfo.h>

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *lin_ir_copy_text(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy == NULL)
    abort();
  return memcpy(copy, text, size);
}

void lin_ir_say(lin_ir_message *m, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = vsnprintf(m->text + m->used, sizeof m->text - m->used, format, values);
  va_end(values);
  m->used += (size_t)length;
  if (m->used >= sizeof m->text)
    m->used = sizeof m->text - 1;
}

void lin_ir_say_number(lin_ir_message *m, const char *name, uint64_t number) {
  size_t start = m->used;
  lin_ir_say(m, "%" PRIu64, number);
  if (m->num_arguments < LINEARIZE_MAX_ARGUMENTS)
    m->argument[m->num_arguments++] = (linearize_argument){name, start, m->used - start, number};
}

void lin_ir_hide_estimate(lin_ir_message *m, const char *name, double number) {
  static const double most = 1e15; // guesses at loops in loops multiply
  const double kept = number > 0 ? fmin(number, most) + 0.5 : 0;
  if (m->num_arguments < LINEARIZE_MAX_ARGUMENTS)
    m->argument[m->num_arguments++] =
        (linearize_argument){name, m->used, 0, (unsigned long long)kept};
}

void lin_ir_say_change(lin_ir_message *m, double before, double after) {
  const double percent = before > 0 ? round(100 * (1 - after / before)) : 0;
  if (percent == 0)
    lin_ir_say(m, "about as many instructions");
  else
    lin_ir_say(m, "about %.0f%% %s instructions", fabs(percent), percent > 0 ? "fewer" : "more");
}

// "1 block", "2 blocks"
void lin_ir_say_count(lin_ir_message *m, const char *name, uint64_t number, const char *what) {
  lin_ir_say_number(m, name, number);
  lin_ir_say(m, number == 1 ? " %s" : " %ss", what);
}

void lin_ir_say_linearized(lin_ir_message *m, uint32_t blocks, uint32_t guards) {
  lin_ir_say(m, "linearized a region of ");
  lin_ir_say_count(m, "Blocks", blocks, "block");
  lin_ir_say(m, " with ");
  lin_ir_say_count(m, "Guards", guards, "guard");
}

// How many calls were inlined around an instruction that has a source line.
static unsigned inlined_calls(LLVMValueRef instruction) {
  unsigned calls = 0;
  LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
  while (at != NULL && (at = LLVMDILocationGetInlinedAt(at)) != NULL)
    calls++;
  return calls;
}

LLVMValueRef lin_ir_own_instruction(LLVMBasicBlockRef block) {
  LLVMValueRef found = NULL;
  unsigned least = UINT_MAX;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL && least > 0;
       at = LLVMGetNextInstruction(at)) {
    unsigned calls = LLVMGetDebugLocLine(at) > 0 ? inlined_calls(at) : UINT_MAX;
    if (calls < least) {
      found = at;
      least = calls;
    }
  }
  return found;
}

// Such an instruction of the block. Else a branch to the block that has a line, else the first
// instruction.
static LLVMValueRef representative(const lin_ir_function *f, lin_block block) {
  LLVMValueRef found = lin_ir_own_instruction(f->block[block]);
  if (found != NULL)
    return found;
  for (LIN_IN_EDGES(f->graph, block, i)) {
    lin_block from = f->graph->source[f->graph->in_edge[i]];
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(f->block[from]);
    if (LLVMGetDebugLocLine(branch) > 0)
      return branch;
  }
  return LLVMGetFirstInstruction(f->block[block]);
}

// `file` without its folders.
static void say_line(lin_ir_message *m, const char *file, unsigned length, unsigned line) {
  for (unsigned i = 0; i < length; i++)
    if (file[i] == '/') {
      file += i + 1;
      length -= i + 1;
      i = (unsigned)-1;
    }
  lin_ir_say(m, "%.*s:%u", (int)length, file, line);
}

void lin_ir_say_place(lin_ir_message *m, const lin_ir_function *f, lin_block block) {
  LLVMValueRef at = representative(f, block);
  unsigned length = 0;
  const char *file = LLVMGetDebugLocLine(at) > 0 ? LLVMGetDebugLocFilename(at, &length) : NULL;
  if (file == NULL)
    lin_ir_say(m, "block '%s'", f->graph->name[block]);
  else
    say_line(m, file, length, LLVMGetDebugLocLine(at));
}

void lin_ir_say_own_place(lin_ir_message *m, const lin_ir_function *f, lin_block block) {
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc(representative(f, block)), caller = place;
  while (caller != NULL && (caller = LLVMDILocationGetInlinedAt(place)) != NULL)
    place = caller;
  unsigned length = 0;
  LLVMMetadataRef in = place == NULL ? NULL : LLVMDIScopeGetFile(LLVMDILocationGetScope(place));
  const char *file = in == NULL ? NULL : LLVMDIFileGetFilename(in, &length);
  if (file == NULL || LLVMDILocationGetLine(place) == 0)
    lin_ir_say_place(m, f, block);
  else
    say_line(m, file, length, LLVMDILocationGetLine(place));
}

void lin_ir_say_foreign(lin_ir_message *m, const lin_ir_function *f, lin_block block) {
  LLVMValueRef defined = NULL;
  for (LLVMValueRef at = LLVMGetFirstInstruction(f->block[block]); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    LLVMValueRef callee;
    size_t length;
    if ((lin_ir_own_effects(at, &callee) & LIN_FOREIGN) != 0) {
      LLVMValueRef called = LLVMGetCalledValue(at);
      if (LLVMIsAFunction(called))
        lin_ir_say(m, "calls '%.80s', whose code isn't here", LLVMGetValueName2(called, &length));
      else
        lin_ir_say(m, "calls code that isn't here");
      return;
    }
    defined = callee != NULL ? callee : defined;
  }
  size_t length;
  const char *name = defined == NULL ? "" : LLVMGetValueName2(defined, &length);
  lin_ir_say(m, "calls '%.80s', which calls code that isn't here", name);
}

void lin_ir_send(linearize_report *report, const lin_ir_function *f, linearize_remark_kind kind,
                 const char *name, lin_block block, const lin_ir_message *m) {
  LLVMValueRef near = block == LIN_NONE ? NULL : representative(f, block);
  lin_ir_send_near(report, f, kind, name, block, near, m);
}

void lin_ir_send_near(linearize_report *report, const lin_ir_function *f,
                      linearize_remark_kind kind, const char *name, lin_block block,
                      LLVMValueRef instruction, const lin_ir_message *m) {
  linearize_remark *remarks = realloc(report->remarks, (report->num_remarks + 1) * sizeof *remarks);
  if (remarks == NULL)
    abort();
  report->remarks = remarks;
  bool at_block = block != LIN_NONE;
  linearize_remark *remark = &remarks[report->num_remarks++];
  *remark = (linearize_remark){.kind = kind,
                               .name = name,
                               .instruction = instruction,
                               .function = lin_ir_copy_text(f->graph->title),
                               .block = lin_ir_copy_text(at_block ? f->graph->name[block] : ""),
                               .message = lin_ir_copy_text(m->text),
                               .brief = m->brief > 0 ? m->brief : m->used,
                               .num_arguments = m->num_arguments};
  memcpy(remark->argument, m->argument, sizeof m->argument);
}
