#include "code.h"

#include "common/module.h"
#include "lines.h"
#include "llvm/read/read.h"

#include <llvm-c/Core.h>

#include <stdio.h>
#include <string.h>

// ---- values as LLVM prints them

static const char *value_name(lin_arena *arena, LLVMValueRef value) {
  if (LLVMIsAConstant(value)) {
    char *text = LLVMPrintValueToString(value);
    const char *word = strchr(text, ' '); // behind the type
    word = lin_arena_text(arena, word == NULL ? text : word + 1,
                          strlen(word == NULL ? text : word + 1));
    LLVMDisposeMessage(text);
    return word;
  }
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  char *text = lin_arena_bytes(arena, length + 2);
  snprintf(text, length + 2, "%%%s", name);
  return text;
}

static const char *case_text(lin_arena *arena, LLVMValueRef value) {
  char text[32];
  if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
    return value_name(arena, value);
  int length = snprintf(text, sizeof text, "%lld", LLVMConstIntGetSExtValue(value));
  return lin_arena_text(arena, text, (size_t)length);
}

static void read_branch(lin_arena *arena, const lin_ir_function *f, lin_block block,
                        tool_code *code) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(f->block[block]);
  LLVMValueRef condition = lin_ir_condition(f->block[block]);
  lin_edge first = f->graph->first_edge[block];
  if (condition != NULL)
    code->asked[block] = value_name(arena, condition);
  if (!LLVMIsASwitchInst(end))
    return;
  code->is_switch[block] = true;
  code->asked[block] = value_name(arena, LLVMGetOperand(end, 0));
  for (uint32_t i = 1; i < lin_out_degree(f->graph, block); i++)
    code->value[first + i] = case_text(arena, lin_ir_case(end, i));
}

static void read_instructions(const lin_ir_function *f, lin_block block, tool_code *code) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(f->block[block]); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    if (LLVMIsAPHINode(at))
      continue;
    code->num_instructions[block] += !LLVMIsATerminatorInst(at);
    tool_add_line_in(code->sources, at, code->file, &code->lines[block]);
  }
  tool_sort_lines(&code->lines[block]);
}

tool_code *tool_code_read(const lin_ir_function *f, tool_sources *sources) {
  uint32_t blocks = f->graph->num_blocks, edges = f->graph->num_edges;
  lin_arena *arena = sources->arena;
  tool_code *code = LIN_NEW(arena, tool_code);
  *code = (tool_code){.num_instructions = LIN_ARRAY(arena, uint32_t, blocks),
                      .asked = LIN_ARRAY(arena, const char *, blocks),
                      .is_switch = LIN_ARRAY(arena, bool, blocks),
                      .value = LIN_ARRAY(arena, const char *, edges),
                      .lines = LIN_ARRAY(arena, tool_lines, blocks),
                      .file = tool_file_of(sources, f->function),
                      .sources = sources};
  tool_name_values(f->function, "");
  for (lin_block block = 0; block < blocks; block++) {
    read_branch(arena, f, block, code);
    read_instructions(f, block, code);
  }
  return code;
}
