#include "code.h"

#include "common/module.h"
#include "llvm/read/read.h"

#include <llvm-c/DebugInfo.h>

#include <stdio.h>
#include <stdlib.h>
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

// ---- source lines

static int by_number(const void *left, const void *right) {
  const uint32_t *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

static bool is_in_file(LLVMValueRef instruction, LLVMValueRef function) {
  unsigned length, wanted;
  const char *name = LLVMGetDebugLocFilename(instruction, &length);
  const char *file = LLVMGetDebugLocFilename(function, &wanted);
  return name != NULL && file != NULL && length == wanted && memcmp(name, file, length) == 0;
}

static void read_instructions(lin_arena *arena, const lin_ir_function *f, lin_block block,
                              bool has_lines, tool_code *code) {
  uint32_t *line = NULL, count = 0, capacity = 0, kept = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(f->block[block]); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    code->num_instructions[block] += !LLVMIsAPHINode(at) && !LLVMIsATerminatorInst(at);
    unsigned number = has_lines && !LLVMIsAPHINode(at) ? LLVMGetDebugLocLine(at) : 0;
    if (number == 0 || !is_in_file(at, f->function))
      continue;
    line = LIN_ROOM(arena, line, count, &capacity);
    line[count++] = number;
  }
  if (count > 0)
    qsort(line, count, sizeof *line, by_number);
  for (uint32_t i = 0; i < count; i++)
    if (i == 0 || line[i] != line[i - 1])
      line[kept++] = line[i];
  code->line[block] = line;
  code->num_lines[block] = kept;
}

static const char *source_path(lin_arena *arena, LLVMValueRef function) {
  unsigned length, folder_length;
  const char *file = LLVMGetDebugLocFilename(function, &length);
  const char *folder = LLVMGetDebugLocDirectory(function, &folder_length);
  if (file == NULL || length == 0)
    return NULL;
  if (file[0] == '/' || folder == NULL)
    return lin_arena_text(arena, file, length);
  size_t size = (size_t)length + folder_length + 2;
  char *path = lin_arena_bytes(arena, size);
  snprintf(path, size, "%.*s/%.*s", (int)folder_length, folder, (int)length, file);
  return path;
}

tool_code *tool_code_read(lin_arena *arena, const lin_ir_function *f) {
  uint32_t blocks = f->graph->num_blocks, edges = f->graph->num_edges;
  tool_code *code = LIN_NEW(arena, tool_code);
  bool has_lines = LLVMGetSubprogram(f->function) != NULL;
  *code = (tool_code){.num_instructions = LIN_ARRAY(arena, uint32_t, blocks),
                      .asked = LIN_ARRAY(arena, const char *, blocks),
                      .is_switch = LIN_ARRAY(arena, bool, blocks),
                      .value = LIN_ARRAY(arena, const char *, edges),
                      .num_lines = LIN_ARRAY(arena, uint32_t, blocks),
                      .line = LIN_ARRAY(arena, uint32_t *, blocks),
                      .file = has_lines ? source_path(arena, f->function) : NULL};
  tool_name_values(f->function, "");
  for (lin_block block = 0; block < blocks; block++) {
    read_branch(arena, f, block, code);
    read_instructions(arena, f, block, has_lines, code);
  }
  return code;
}
