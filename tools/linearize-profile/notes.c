#define _POSIX_C_SOURCE 200809L // strdup

#include "notes.h"

#include "common/child.h"
#include "common/command_line.h"
#include "common/elf_sections.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void *require(void *memory) {
  if (memory == NULL)
    tool_die(1, "out of memory");
  return memory;
}

bool profile_notes_take(profile_notes *notes, const char *path) {
  static const char found[] = ".found", ptx[] = ".ptx.found", lines[] = "/notes.found";
  if (tool_ends_with(path, lines)) {
    free(notes->reasons);
    notes->reasons = tool_read_file(path, NULL);
    return true;
  }
  if (!tool_ends_with(path, ptx))
    return false;
  notes->ptx = require(realloc(notes->ptx, (notes->num_ptx + (size_t)1) * sizeof *notes->ptx));
  profile_ptx *new = &notes->ptx[notes->num_ptx++];
  const char *slash = strrchr(path, '/');
  new->name = require(strdup(slash == NULL ? path : slash + 1));
  new->name[strlen(new->name) + 1 - sizeof found] = '\0';
  new->text = tool_read_file(path, &new->length);
  return true;
}

void profile_notes_release(profile_notes *notes) {
  for (uint32_t i = 0; i < notes->num_ptx; i++) {
    free(notes->ptx[i].name);
    free(notes->ptx[i].text);
  }
  free(notes->ptx);
  free(notes->reasons);
}

// ---- PTX

size_t profile_ptx_place(const char *source) {
  static const char begin[] = "linearize-", end[] = ".ptx";
  const char *colon = strrchr(source, ':');
  const size_t length = colon == NULL ? 0 : (size_t)(colon - source);
  const bool is_ptx = length > sizeof end && strncmp(source, begin, sizeof begin - 1) == 0 &&
                      memcmp(colon - (sizeof end - 1), end, sizeof end - 1) == 0;
  return is_ptx ? length : 0;
}

static bool is_wanted(const profile_ptx *ptx, const lin_counts *counts) {
  for (uint32_t i = 0; i < counts->num_launches; i++)
    for (uint32_t b = 0; b < counts->launch[i].num_blocks; b++) {
      const char *source = counts->launch[i].blocks[b].source;
      const size_t length = profile_ptx_place(source);
      if (length > 0 && strlen(ptx->name) == length && strncmp(source, ptx->name, length) == 0)
        return true;
    }
  return false;
}

static void write_ptx(const profile_ptx *ptx, const char *counts) {
  const char *slash = strrchr(counts, '/');
  const size_t folder = slash == NULL ? 0 : (size_t)(slash - counts) + 1;
  char *path = require(malloc(folder + strlen(ptx->name) + 1));
  memcpy(path, counts, folder);
  memcpy(path + folder, ptx->name, strlen(ptx->name) + 1);
  FILE *file = fopen(path, "wb");
  bool is_written = file != NULL && fwrite(ptx->text, 1, ptx->length, file) == ptx->length;
  if (file != NULL)
    is_written = fclose(file) == 0 && is_written;
  if (!is_written)
    fprintf(stderr, "%s: warning: %s: %s\n", tool_name, path, strerror(errno));
  free(path);
}

void profile_notes_write(const profile_notes *notes, const char *counts,
                         const lin_counts *launches) {
  for (uint32_t i = 0; i < notes->num_ptx; i++)
    if (is_wanted(&notes->ptx[i], launches))
      write_ptx(&notes->ptx[i], counts);
}

// ---- reasons

// Whether nvlink has linked the program's kernels (-rdc=true).
static bool is_linked(const char *program) {
  FILE *file = strchr(program, '/') == NULL ? NULL : fopen(program, "rb");
  if (file == NULL)
    return false;
  size_t length;
  char *bytes = tool_read_all(file, &length);
  fclose(file);
  elf_reader elf;
  elf_section section;
  bool is_linked = false;
  if (elf_is(bytes, length) && elf_start(&elf, bytes, length) == NULL)
    while (!is_linked && elf_next(&elf, &section))
      is_linked = strcmp(section.name, "__nv_relfatbin") == 0;
  free(bytes);
  return is_linked;
}

// The reason that says most: of a kernel, else of an image without PTX, which libraries have, too.
static const char *find_reason(const char *reasons) {
  for (const char *line = reasons; *line != '\0'; line += strcspn(line, "\n") + 1)
    if (strncmp(line, "machine code", 12) != 0 && strncmp(line, "LTO-IR", 6) != 0)
      return line;
  return reasons;
}

_Noreturn void profile_notes_die(const profile_notes *notes, const char *program, int status) {
  const char *reason = find_reason(notes->reasons == NULL ? "" : notes->reasons);
  const char *sm = strstr(reason, " for sm_");
  const int length = (int)strcspn(reason, "\n");
  const unsigned long number = sm == NULL ? 0 : strtoul(sm + 8, NULL, 10);
  const bool is_code = strncmp(reason, "machine code", 12) == 0;
  if (length == 0)
    tool_die(status,
             "%s: nothing was counted: no kernel whose PTX it has ran to its end; nvcc -arch=sm_90 "
             "leaves PTX in a program, linearize cc --option count-passes counts with clang",
             program);
  if (number == 0)
    tool_die(status, "%s: nothing was counted: %.*s", program, length, reason);
  if (is_code && is_linked(program))
    tool_die(status,
             "%s: nothing was counted: it has %.*s alone, for -rdc=true linked it; build it with "
             "nvcc -rdc=true -gencode arch=compute_%lu,code=compute_%lu",
             program, length, reason, number, number);
  tool_die(status,
           "%s: nothing was counted: it has %.*s alone, and no PTX; build it with nvcc "
           "-arch=sm_%lu%s, which leaves PTX in it",
           program, length, reason, number, is_code ? "" : ", without -dlto");
}
