#include "remarks.h"

#include "common/child.h"
#include "common/command_line.h"
#include "report.h"

#include <llvm-c/Remarks.h>

#include <stdlib.h>
#include <string.h>

// What stands for a character between double quotes, behind the backslash; `*at` is then at its
// last character.
static char unescaped(const char **at) {
  static const char letters[] = "n\nt\tr\r0\0";
  if (**at == 'x' && (*at)[1] != '\0' && (*at)[2] != '\0') {
    char digits[3] = {(*at)[1], (*at)[2], '\0'};
    *at += 2;
    return (char)strtoul(digits, NULL, 16);
  }
  for (size_t i = 0; i + 1 < sizeof letters; i += 2)
    if (letters[i] == **at)
      return letters[i + 1];
  return **at;
}

// LLVM's parser gives YAML's scalars as they are written, but for single quotes around them:
// inside, a single quote is written twice; between double quotes, backslashes escape.
static const char *text_of(lin_arena *arena, LLVMRemarkStringRef string) {
  if (string == NULL)
    return "";
  size_t length = LLVMRemarkStringGetLen(string), used = 0;
  char *text = lin_arena_text(arena, LLVMRemarkStringGetData(string), length);
  bool escapes = length > 1 && text[0] == '"' && text[length - 1] == '"';
  text[escapes ? length - 1 : length] = '\0';
  for (const char *at = text + escapes; *at != '\0'; at++) {
    if (escapes && *at == '\\' && at[1] != '\0') {
      at++;
      text[used++] = unescaped(&at);
      continue;
    }
    at += !escapes && *at == '\'' && at[1] == '\'';
    text[used++] = *at;
  }
  return tool_utf8(arena, text, used);
}

static const char *kind_of(enum LLVMRemarkType type) {
  switch (type) {
  case LLVMRemarkTypePassed:
    return "passed";
  case LLVMRemarkTypeMissed:
    return "missed";
  case LLVMRemarkTypeFailure:
    return "warning";
  default:
    return "analysis";
  }
}

// The message without its head, "function 'f', block '%3': ", of which the page says where it is.
static void read_arguments(lin_arena *arena, LLVMRemarkEntryRef entry, report_remark *r) {
  char *text = NULL;
  size_t used = 0;
  bool is_head = true;
  for (LLVMRemarkArgRef at = LLVMRemarkEntryGetFirstArg(entry); at != NULL;
       at = LLVMRemarkEntryGetNextArg(at, entry)) {
    const char *key = text_of(arena, LLVMRemarkArgGetKey(at));
    const char *value = text_of(arena, LLVMRemarkArgGetValue(at));
    if (is_head && strcmp(key, "Block") == 0)
      r->block = value;
    if (strcmp(key, "Region") == 0 && r->region == LIN_NONE)
      r->region = (uint32_t)strtoul(value, NULL, 10);
    size_t length = strlen(value);
    if (!is_head) {
      text = realloc(text, used + length + 1);
      if (text == NULL)
        abort();
      memcpy(text + used, value, length + 1);
      used += length;
    }
    if (strcmp(key, "String") == 0 && length >= 2 && strcmp(value + length - 2, ": ") == 0)
      is_head = false;
  }
  r->text = lin_arena_text(arena, text == NULL ? "" : text, used);
  free(text);
}

static report_remark read_remark(lin_arena *arena, LLVMRemarkEntryRef entry) {
  report_remark r = {.kind = kind_of(LLVMRemarkEntryGetType(entry)),
                     .name = text_of(arena, LLVMRemarkEntryGetRemarkName(entry)),
                     .function = text_of(arena, LLVMRemarkEntryGetFunctionName(entry)),
                     .block = "",
                     .region = LIN_NONE};
  LLVMRemarkDebugLocRef location = LLVMRemarkEntryGetDebugLoc(entry);
  if (location != NULL) {
    r.path = text_of(arena, LLVMRemarkDebugLocGetSourceFilePath(location));
    r.line = LLVMRemarkDebugLocGetSourceLine(location);
    r.column = LLVMRemarkDebugLocGetSourceColumn(location);
  }
  read_arguments(arena, entry, &r);
  return r;
}

static void parse(lin_arena *arena, report_remarks *all, const char *text, size_t length) {
  LLVMRemarkParserRef parser = LLVMRemarkParserCreateYAML(text, length);
  for (LLVMRemarkEntryRef entry; (entry = LLVMRemarkParserGetNext(parser)) != NULL;) {
    all->remark = LIN_ROOM(arena, all->remark, all->count, &all->capacity);
    all->remark[all->count] = read_remark(arena, entry);
    all->remark[all->count].number = all->count;
    all->count++;
    LLVMRemarkEntryDispose(entry);
  }
  if (LLVMRemarkParserHasError(parser)) {
    const char *message = LLVMRemarkParserGetErrorMessage(parser);
    tool_die(1, "opt's remarks can't be read: %.*s", (int)strcspn(message, "\n"), message);
  }
  LLVMRemarkParserDispose(parser);
}

static int by_function(const void *left, const void *right) {
  const report_remark *a = left, *b = right;
  int order = strcmp(a->function, b->function);
  return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

uint32_t report_first_remark(const report_remarks *remarks, const char *function) {
  uint32_t low = 0, high = remarks->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (strcmp(remarks->remark[middle].function, function) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < remarks->count && strcmp(remarks->remark[low].function, function) == 0;
  return found ? low : remarks->count;
}

report_remarks report_read_remarks(lin_arena *arena, const char *path) {
  report_remarks all = {0};
  size_t length;
  char *text = tool_read_file(path, &length);
  if (length > 0) // or there is no document, which the parser takes for an error
    parse(arena, &all, text, length);
  if (all.count > 0)
    qsort(all.remark, all.count, sizeof *all.remark, by_function);
  free(text);
  return all;
}
