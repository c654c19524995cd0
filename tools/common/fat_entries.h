// The entries of fat binaries: what nvcc puts into programs.
//
//     wrapper   magic, version, where    in programs alone
//                  |
//     header    magic, version, its size, size of what follows
//     entry     kind, sizes, architecture, flags | name, options | PTX or machine code, compressed
//     entry     ...
//
// There is no description of NVIDIA's; the fields are those that fatbinary of CUDA 13.0 writes with
// each --compress-mode, and those with other meanings are copied as they are.
#ifndef LIN_TOOLS_FAT_ENTRIES_H
#define LIN_TOOLS_FAT_ENTRIES_H

#include "unpack.h"

#include <stdbool.h>
#include <stdint.h>

#define FAT_MAGIC 0xba55ed50u
#define FAT_WRAPPER_MAGIC 0x466243b1u

enum { FAT_PTX = 1, FAT_CODE = 2 };           // kinds of entries; CODE: for the machine
enum { FAT_LZ4 = 0x2000, FAT_ZSTD = 0x8000 }; // flags
enum { FAT_MOST_BYTES = 128 << 20 };          // that an entry may hold, to be unpacked

typedef struct fat_wrapper { // in programs
  uint32_t magic, version;
  const void *data;
  void *file;
} fat_wrapper;

typedef struct fat_header {
  uint32_t magic;
  uint16_t version;
  uint16_t size; // of this
  uint64_t rest; // behind it
} fat_header;

typedef struct fat_entry {
  uint16_t kind;
  uint16_t version;
  uint32_t size;    // of this, with name and options
  uint64_t payload; // behind it, with what fills it up
  uint32_t packed;  // bytes of that, if they are compressed
  uint32_t options; // where they are
  uint16_t minor, major;
  uint32_t architecture; // 90 for sm_90
  uint32_t name, name_length;
  uint64_t flags;
  uint64_t zero;
  uint64_t unpacked; // bytes that compressed ones become
} fat_entry;

typedef struct fat_reader {
  const unsigned char *data; // stays the caller's
  uint64_t size, at;         // of the fat binary; where `entry` begins
  fat_entry entry;
} fat_reader;

// Whether a fat binary's magic is at `data`, of `size` bytes. O(1).
bool fat_is(const void *data, size_t size);

// Starts before the first entry. False if that is no fat binary that is understood, or if it is
// longer than `size`; 0: it says its size itself. O(1).
bool fat_start(fat_reader *r, const void *data, size_t size);

// Reads the entry at `at`. False at the end, and with `at` not there if the entry makes no sense.
// O(1).
bool fat_read(fat_reader *r);

// The bytes of an entry with all that belongs to it: added to `at`, they lead to the next. O(1).
uint64_t fat_whole(const fat_entry *entry);

// What the entry at hand holds, unpacked if it has to be, by functions that `find` finds. *owned is
// to be freed, and may be NULL. A text of PTX may end before *length, by a zero. NULL, and why, if
// it can't be unpacked. O(what it holds).
const char *fat_content(const fat_reader *r, unpack_find *find, char **owned, size_t *length,
                        const char **reason);

#endif
