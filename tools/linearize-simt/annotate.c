#include "annotate.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

typedef struct page {
  FILE *file;
  const simt_machine *machine;
  uint32_t function;
  uint64_t all; // warp instructions of the kernel
} page;

// What the simulator has made of the block `name`: `name.copy` and `name.rest`.
static const char *suffix_of(const char *block, const char *name, size_t length) {
  if (strncmp(block, name, length) != 0)
    return NULL;
  const char *suffix = block + length;
  bool is_made = strcmp(suffix, ".copy") == 0 || strcmp(suffix, ".rest") == 0;
  return *suffix == '\0' || is_made ? suffix : NULL;
}

static void print_counts(const page *p, lin_block block, const char *suffix) {
  const simt_counts *c = &p->machine->metrics->block[p->function][block];
  fprintf(p->file, "; %s%sentered %llu times", suffix, *suffix == '\0' ? "" : " ",
          (unsigned long long)c->entries);
  if (c->entries > 0)
    fprintf(p->file, " by %.1f threads", (double)c->threads / (double)c->entries);
  if (c->reentries > 0)
    fprintf(p->file, ", %llu times again", (unsigned long long)c->reentries);
  if (c->divergent > 0)
    fprintf(p->file, ", parted %llu of %llu times", (unsigned long long)c->divergent,
            (unsigned long long)c->branches);
  if (c->warp_instructions > 0)
    fprintf(p->file, ", %.1f%% of warp instructions",
            100 * (double)c->warp_instructions / (double)p->all);
  fputc('\n', p->file);
}

static void print_block(const page *p, const char *name, size_t length) {
  const lin_graph *graph = p->machine->program->function[p->function].graph;
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    const char *suffix = suffix_of(graph->name[b], name, length);
    if (suffix != NULL)
      print_counts(p, b, suffix);
  }
}

// The name of the block that a label begins: `name:`, `12:` for %12, or `"a\20name":`. 0 for a line
// that is no label, or for one that is too long for `name`.
static size_t name_of_label(const char *line, size_t length, char *name, size_t room) {
  bool quoted = line[0] == '"', numbered = line[0] >= '0' && line[0] <= '9';
  const char *end = quoted ? memchr(line + 1, '"', length - 1) : memchr(line, ':', length);
  if (length == 0 || strchr(" };", line[0]) != NULL || strncmp(line, "define", 6) == 0 ||
      end == NULL || length >= room)
    return 0;
  size_t used = 0;
  if (numbered)
    name[used++] = '%';
  for (const char *at = line + quoted; at < end; at++) {
    if (*at == '\\' && strspn(at + 1, "0123456789ABCDEFabcdef") >= 2) {
      const char escaped[3] = {at[1], at[2], '\0'};
      name[used++] = (char)strtoul(escaped, NULL, 16);
      at += 2;
    } else {
      name[used++] = *at;
    }
  }
  name[used] = '\0';
  return used;
}

// LLVM prints no label for an entry block without a name.
static void print_line(const page *p, const char *line, size_t length, bool *at_entry) {
  char name[256];
  size_t name_length = name_of_label(line, length, name, sizeof name);
  if (*at_entry && name_length == 0) {
    const char *entry = p->machine->program->function[p->function].graph->name[0];
    print_block(p, entry, strlen(entry));
  }
  *at_entry = strncmp(line, "define", 6) == 0;
  fprintf(p->file, "%.*s\n", (int)length, line);
  if (name_length > 0)
    print_block(p, name, name_length);
}

static void print_function(const page *p, LLVMValueRef function) {
  char *text = LLVMPrintValueToString(function);
  bool at_entry = false;
  for (const char *line = text; *line != '\0';) {
    size_t length = strcspn(line, "\n");
    print_line(p, line, length, &at_entry);
    line += length + (line[length] == '\n');
  }
  LLVMDisposeMessage(text);
}

void tool_annotate(FILE *file, LLVMModuleRef module, const simt_machine *machine) {
  page p = {.file = file,
            .machine = machine,
            .all =
                simt_metrics_sum(machine->metrics, machine->program, LIN_NONE).warp_instructions};
  for (; p.function < machine->program->num_functions; p.function++)
    print_function(&p, LLVMGetNamedFunction(module, machine->program->function[p.function].name));
}
