#include "ir_text.h"

#include "report.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

// Where an instruction's line ends for readers: before `, !dbg !7` and ` #3`.
static size_t without_tail(const char *line, size_t length) {
  for (;;) {
    size_t at = length;
    while (at > 0 && line[at - 1] >= '0' && line[at - 1] <= '9')
      at--;
    bool has_digits = at < length;
    if (has_digits && at >= 2 && line[at - 1] == '#' && line[at - 2] == ' ') {
      length = at - 2;
      continue;
    }
    if (!has_digits || at < 2 || line[at - 1] != '!' || line[at - 2] != ' ')
      return length;
    for (at -= 2; at > 0 && line[at] != '!'; at--)
      if (line[at] == ',' || line[at] == '"')
        return length;
    if (at < 2 || line[at - 1] != ' ' || line[at - 2] != ',')
      return length;
    length = at - 2;
  }
}

// Copies a line to `to`, with %12 for %"%12". Returns the end.
static char *copy_line(char *to, const char *line, size_t length) {
  for (size_t i = 0; i < length;) {
    size_t digits = 0;
    if (length - i > 3 && strncmp(line + i, "%\"%", 3) == 0)
      while (i + 3 + digits < length && line[i + 3 + digits] >= '0' && line[i + 3 + digits] <= '9')
        digits++;
    if (digits > 0 && i + 3 + digits < length && line[i + 3 + digits] == '"') {
      *to++ = '%';
      memcpy(to, line + i + 3, digits);
      to += digits;
      i += digits + 4;
    } else {
      *to++ = line[i++];
    }
  }
  *to++ = '\n';
  return to;
}

static bool is_record(const char *line) {
  return strncmp(line + strspn(line, " "), "#dbg_", 5) == 0;
}

// The text from `text` up to the next label or the end, which `*next` then is at.
static const char *block_text(lin_arena *arena, const char *text, const char **next) {
  const char *end = text;
  while (*end == ' ' || *end == '\n') {
    end += strcspn(end, "\n");
    end += *end == '\n';
  }
  char *copy = lin_arena_bytes(arena, (size_t)(end - text) + 2), *to = copy;
  for (const char *line = text; line < end;) {
    size_t length = strcspn(line, "\n");
    if (length > 2 && !is_record(line)) // two blanks are the indentation
      to = copy_line(to, line + 2, without_tail(line, length) - 2);
    line += length + 1;
  }
  *to = '\0';
  *next = end;
  return tool_utf8(arena, copy, (size_t)(to - copy));
}

report_texts report_print_module(lin_arena *arena, LLVMModuleRef module) {
  report_texts texts = {.module = LLVMPrintModuleToString(module)};
  uint32_t count = 0, capacity = 0;
  const char *at = texts.module;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || at == NULL)
      continue;
    at = strstr(at, "\ndefine ");
    at = at == NULL ? NULL : at + 1;
    texts.function = LIN_ROOM(arena, texts.function, count, &capacity);
    lin_numbers_add(arena, &texts.number, f, count);
    texts.function[count++] = at;
  }
  return texts;
}

void report_texts_dispose(report_texts *texts) {
  LLVMDisposeMessage(texts->module);
  texts->module = NULL;
}

const char **report_block_texts(lin_arena *arena, const report_texts *texts, LLVMValueRef function,
                                uint32_t num_blocks) {
  const char **result = LIN_ARRAY(arena, const char *, num_blocks);
  uint32_t number = lin_numbers_find(&texts->number, function), block = 0;
  const char *at = number == LIN_NONE ? NULL : texts->function[number];
  if (at != NULL) {
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  while (at != NULL && *at != '\0' && *at != '}' && block < num_blocks) {
    at += strcspn(at, "\n"); // the label
    at += *at == '\n';
    result[block++] = block_text(arena, at, &at);
  }
  bool fits = block == num_blocks && at != NULL && *at == '}';
  for (block = 0; block < num_blocks && !fits; block++)
    result[block] = "";
  return result;
}
