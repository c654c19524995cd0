#include "lines.h"

#include "graph/graph.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LINES = 1 << 20 };

static const char *path_of(lin_arena *arena, LLVMMetadataRef file) {
  unsigned folder_length, name_length;
  const char *folder = LLVMDIFileGetDirectory(file, &folder_length);
  const char *name = LLVMDIFileGetFilename(file, &name_length);
  bool is_whole = name_length > 0 && (name[0] == '/' || folder_length == 0);
  size_t size = (size_t)folder_length + name_length + 2;
  char *path = lin_arena_bytes(arena, size);
  if (is_whole)
    snprintf(path, size, "%.*s", (int)name_length, name);
  else
    snprintf(path, size, "%.*s/%.*s", (int)folder_length, folder, (int)name_length, name);
  return path;
}

// Returns false if the location is nowhere in a file.
static bool find_line(tool_sources *sources, LLVMMetadataRef location, tool_line_at *line) {
  line->line = LLVMDILocationGetLine(location);
  LLVMMetadataRef scope = LLVMDILocationGetScope(location);
  LLVMMetadataRef file = scope == NULL ? NULL : LLVMDIScopeGetFile(scope);
  if (file == NULL || line->line == 0 || line->line > MOST_LINES)
    return false;
  line->file = tool_find_source(sources, path_of(sources->arena, file));
  return true;
}

void tool_add_lines(tool_sources *sources, LLVMValueRef instruction, tool_lines *all,
                    tool_lines own[TOOL_LEVELS]) {
  tool_line_at outer[TOOL_LEVELS]; // the last ones: outer[0] is the outermost
  uint32_t known = 0;
  for (LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction); at != NULL;
       at = LLVMDILocationGetInlinedAt(at)) {
    tool_line_at line;
    if (!find_line(sources, at, &line))
      continue;
    tool_add_line(sources, all, line);
    memmove(outer + 1, outer, (TOOL_LEVELS - 1) * sizeof *outer);
    outer[0] = line;
    known += known < TOOL_LEVELS;
  }
  for (uint32_t level = 0; level < known; level++)
    tool_add_line(sources, &own[level], outer[level]);
}

void tool_add_line_in(tool_sources *sources, LLVMValueRef instruction, uint32_t file,
                      tool_lines *lines) {
  tool_line_at line;
  LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
  if (at != NULL && find_line(sources, at, &line) && line.file == file)
    tool_add_line(sources, lines, line);
}

uint32_t tool_file_of(tool_sources *sources, LLVMValueRef function) {
  LLVMMetadataRef scope = LLVMGetSubprogram(function);
  LLVMMetadataRef file = scope == NULL ? NULL : LLVMDIScopeGetFile(scope);
  return file == NULL ? LIN_NONE : tool_find_source(sources, path_of(sources->arena, file));
}
