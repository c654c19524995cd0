// Properties of how tools find PTX in programs.
//
//   programs_property FIRST COUNT PTX...
//
// For each seed a file is made: a fat binary, a program with some of them in its sections, or a
// cubin with the text of its PTX. What a tool takes of it is the newest PTX of a module, whole.
// Then bytes of the file change, or its end goes: the tool ends with a message, or takes something;
// nothing is read outside of what is there, which the address sanitizer sees. Each file has a
// process of its own, since tools end where a file is wrong.
#include "expect.h"
#include "random_fat_binary.h"

#include "common/command_line.h"
#include "common/fat_entries.h"
#include "common/held_ptx.h"
#include "common/programs.h"

#include <elf.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

const char tool_name[] = "programs_property";

// A child's status: what a tool's is, and one more bit that says that it ended as it should.
enum { ENDED = 64, TOOK_ANOTHER = 32 };

_Noreturn void tool_die(int status, const char *format, ...) {
  (void)format;
  _exit(ENDED | status);
}

enum { MOST_BINARIES = 3 };

// A file, and what it is made of.
typedef struct file {
  unsigned char *data;
  size_t size;
  const char *text[MOST_BINARIES]; // the newest PTX of each module
  int count;
} file;

// The first of the newest PTX; NULL: there is none.
static const char *newest_of(const fat_random *b) {
  const char *text = NULL;
  uint32_t newest = 0;
  for (int i = 0; i < b->count; i++)
    if (b->text[i] != NULL && b->architecture[i] > newest) {
      newest = b->architecture[i];
      text = b->text[i];
    }
  return text;
}

// Puts `size` bytes behind what is there, at a multiple of 8. Returns where.
static size_t append(file *f, const void *bytes, size_t size) {
  size_t at = (f->size + 7) / 8 * 8;
  f->data = realloc(f->data, at + size + 1);
  memset(f->data + f->size, 0, at - f->size);
  memcpy(f->data + at, bytes, size);
  f->size = at + size;
  return at;
}

static void append_fat_binary(file *f) {
  fat_random b = fat_random_make();
  const char *text = newest_of(&b);
  append(f, b.data, b.size);
  if (text != NULL)
    f->text[f->count++] = text;
  free(b.data);
}

// ---- ELF

static const char names[] = "\0.shstrtab\0.nv_fatbin\0__nv_relfatbin\0.nv_debug_ptx_txt";
enum { NAME_OF_NAMES = 1, FAT_BINARIES = 11, RELOCATABLE = 22, DEBUG_TEXT = 37 };

static Elf64_Shdr section_of(const file *f, Elf64_Word name, size_t begin) {
  return (Elf64_Shdr){.sh_name = name,
                      .sh_type = name == NAME_OF_NAMES ? SHT_STRTAB : SHT_PROGBITS,
                      .sh_offset = begin,
                      .sh_size = f->size - begin};
}

// The sections' headers, and the file's.
static void finish(file *f, Elf64_Half machine, const Elf64_Shdr *section, int count) {
  size_t begin = append(f, names, sizeof names);
  Elf64_Shdr all[4] = {{0}, section_of(f, NAME_OF_NAMES, begin)};
  memcpy(all + 2, section, (size_t)count * sizeof *section);
  size_t sections = append(f, all, (2 + (size_t)count) * sizeof *all);
  Elf64_Ehdr header = {.e_machine = machine,
                       .e_shoff = sections,
                       .e_shentsize = sizeof *all,
                       .e_shnum = (Elf64_Half)(2 + count),
                       .e_shstrndx = 1};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  memcpy(f->data, &header, sizeof header);
}

static file make_program(void) {
  file f = {.data = calloc(1, sizeof(Elf64_Ehdr)), .size = sizeof(Elf64_Ehdr)};
  Elf64_Shdr section[2];
  size_t begin = f.size;
  for (uint32_t i = 0, count = fat_random_below(MOST_BINARIES); i < count; i++)
    append_fat_binary(&f);
  section[0] = section_of(&f, FAT_BINARIES, begin);
  begin = (f.size + 7) / 8 * 8;
  append_fat_binary(&f);
  section[1] = section_of(&f, RELOCATABLE, begin);
  finish(&f, EM_X86_64, section, 2);
  return f;
}

// Lines have zeros at their ends there.
static file make_cubin(void) {
  file f = {.data = calloc(1, sizeof(Elf64_Ehdr)), .size = sizeof(Elf64_Ehdr)};
  fat_random b = fat_random_make();
  const char *text = newest_of(&b);
  size_t length = text == NULL ? 0 : strlen(text);
  size_t begin = append(&f, text == NULL ? "" : text, length);
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\n')
      f.data[begin + i] = '\0';
  Elf64_Shdr section = section_of(&f, DEBUG_TEXT, begin);
  finish(&f, EM_CUDA, &section, 1);
  f.text[f.count] = text == NULL ? "" : text;
  f.count++;
  free(b.data);
  return f;
}

static file make(void) {
  file f = {0};
  switch (fat_random_below(4)) {
  case 0:
    append_fat_binary(&f);
    return f;
  case 1:
    return make_cubin();
  default:
    return make_program();
  }
}

// ---- what a tool does

// In a child; returns its status, or that of a signal.
static int take(const unsigned char *data, size_t size, const file *wanted) {
  pid_t child = fork();
  if (child == 0) {
    if (freopen("/dev/null", "w", stdout) == NULL)
      _exit(2);
    const char *bytes = (const char *)data;
    if (!tool_is_program(bytes, size))
      _exit(ENDED);
    if (wanted == NULL && freopen("/dev/null", "w", stderr) == NULL)
      _exit(2);
    const tool_choice choice = {"--kernel", NULL};
    const tool_held *held = tool_hold_ptx("file", bytes, size, &choice);
    bool is_same = false;
    for (int i = 0; wanted != NULL && i < wanted->count; i++)
      is_same |= strcmp(held->text, wanted->text[i]) == 0;
    _exit(ENDED | (wanted == NULL || is_same ? 0 : TOOK_ANOTHER));
  }
  int status;
  if (child < 0 || waitpid(child, &status, 0) != child)
    exit(2);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void check(const file *f) {
  int status = take(f->data, f->size, f);
  EXPECT(f->count != 0 || status == (ENDED | 1));
  EXPECT(f->count != 1 || status == ENDED);
  EXPECT(f->count < 2 || status == ENDED || status == (ENDED | 2));
}

// Near the end are the headers of sections.
static void check_damaged(const file *f) {
  size_t size = fat_random_below(4) == 0 ? 1 + fat_random_below((uint32_t)f->size) : f->size;
  unsigned char *damaged = malloc(size); // exactly, for the sanitizer
  memcpy(damaged, f->data, size);
  size_t from = fat_random_below(2) == 0 && size > 256 ? size - 256 : 0;
  fat_random_damage(damaged + from, size - from);
  int status = take(damaged, size, NULL);
  EXPECT(status >= ENDED && status <= (ENDED | 2));
  free(damaged);
}

static bool check_seed(void) {
  file f = make();
  check(&f);
  check_damaged(&f);
  free(f.data);
  return failed == 0;
}

int main(int argc, char **argv) {
  return fat_random_run(argc, argv, check_seed) ? expect_end() : 2;
}
