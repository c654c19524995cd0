// The sections of ELF files of 64 bits: programs, libraries, object files, machine code of GPUs.
#ifndef LIN_TOOLS_ELF_SECTIONS_H
#define LIN_TOOLS_ELF_SECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct elf_reader {
  const unsigned char *data; // stays the caller's
  size_t size;
  uint64_t sections, count; // where their headers are
  uint64_t names, names_size;
  uint64_t next;     // the section that elf_next reads
  bool is_gpu;       // machine code of NVIDIA's GPUs
  uint32_t flags;    // of the file
  unsigned revision; // of what the flags mean
} elf_reader;

typedef struct elf_section {
  const char *name; // a zero ends it
  const unsigned char *data;
  size_t size;
} elf_section;

// Whether an ELF file's magic is at `data`, of `size` bytes. O(1).
bool elf_is(const void *data, size_t size);

// Starts before the first section. Returns NULL, or what is wrong, as a clause behind the file's
// name. O(1).
const char *elf_start(elf_reader *r, const void *data, size_t size);

// Reads the next section that has bytes in the file. False at the end, and with `next` not there if
// the section makes no sense. O(its name).
bool elf_next(elf_reader *r, elf_section *section);

#endif
