// The program's section .dynamic names the library and folders, which is looked for there; the
// library's section .note.gnu.build-id has the id.
#define _POSIX_C_SOURCE 200809L
#include "llvm_id.h"

#include "elf_sections.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct mapping {
  void *data; // NULL: there is none
  size_t size;
} mapping;

static mapping map_file(const char *name) {
  struct stat about;
  mapping m = {NULL, 0};
  const int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return m;
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
    void *data = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data != MAP_FAILED)
      m = (mapping){data, (size_t)about.st_size};
  }
  close(file);
  return m;
}

static void unmap(const mapping *m) {
  if (m->data != NULL)
    munmap(m->data, m->size);
}

static bool find_section(const mapping *m, const char *name, elf_section *section) {
  elf_reader r;
  if (m->data == NULL || !elf_is(m->data, m->size) || elf_start(&r, m->data, m->size) != NULL)
    return false;
  while (elf_next(&r, section))
    if (strcmp(section->name, name) == 0)
      return true;
  return false;
}

typedef struct needs {
  const char *library; // libLLVM.so.22.1
  const char *folders; // its RUNPATH or RPATH, or NULL
} needs;

static bool find_needs(const mapping *program, needs *found) {
  elf_section dynamic, names;
  *found = (needs){NULL, NULL};
  if (!find_section(program, ".dynamic", &dynamic) || !find_section(program, ".dynstr", &names) ||
      names.size == 0 || names.data[names.size - 1] != '\0')
    return false;
  for (size_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic.size; at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry;
    memcpy(&entry, dynamic.data + at, sizeof entry);
    if (entry.d_un.d_val >= names.size)
      continue;
    const char *text = (const char *)names.data + entry.d_un.d_val;
    if (entry.d_tag == DT_NEEDED && strncmp(text, "libLLVM", 7) == 0)
      found->library = text;
    if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH)
      found->folders = text;
  }
  return found->library != NULL;
}

static bool write_id(FILE *file, const char *library) {
  const mapping m = map_file(library);
  elf_section note;
  Elf64_Nhdr head;
  bool has_id = find_section(&m, ".note.gnu.build-id", &note) && note.size >= sizeof head;
  if (has_id)
    memcpy(&head, note.data, sizeof head);
  const size_t start = has_id ? sizeof head + (((size_t)head.n_namesz + 3) & ~(size_t)3) : 0;
  has_id = has_id && start <= note.size && head.n_descsz <= note.size - start;
  const size_t behind = has_id ? start + head.n_descsz : 0;
  for (size_t i = start; i < behind && i < note.size; i++)
    fprintf(file, "%02x", note.data[i]);
  unmap(&m);
  return has_id;
}

// The folder of a program, where it begins with $ORIGIN; then the rest of that.
static void join(char path[PATH_MAX], const char *folder, const char *library,
                 const char *program) {
  static const char origin[] = "$ORIGIN";
  const char *slash = strrchr(program, '/');
  const bool is_beside = slash != NULL && strncmp(folder, origin, sizeof origin - 1) == 0;
  snprintf(path, PATH_MAX, "%.*s%s/%s", is_beside ? (int)(slash - program) : 0, program,
           folder + (is_beside ? sizeof origin - 1 : 0), library);
}

// Looks in folders with colons between them.
static bool write_from(FILE *file, const char *folders, const char *library, const char *program) {
  char *copy = folders == NULL ? NULL : strdup(folders), *rest = NULL, path[PATH_MAX];
  bool is_there = false;
  for (char *folder = copy == NULL ? NULL : strtok_r(copy, ":", &rest); folder != NULL && !is_there;
       folder = strtok_r(NULL, ":", &rest)) {
    join(path, folder, library, program);
    is_there = access(path, R_OK) == 0;
  }
  free(copy);
  return is_there && write_id(file, path);
}

bool tool_llvm_id_write(FILE *file, const char *program) {
  static const char usual[] = "/usr/local/lib:/usr/lib/x86_64-linux-gnu:"
                              "/usr/lib/aarch64-linux-gnu:/usr/lib64:/usr/lib";
  const mapping m = map_file(program);
  needs n;
  const bool is_written =
      find_needs(&m, &n) && (write_from(file, getenv("LD_LIBRARY_PATH"), n.library, program) ||
                             write_from(file, n.folders, n.library, program) ||
                             write_from(file, usual, n.library, program));
  unmap(&m);
  return is_written;
}
