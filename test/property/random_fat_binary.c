#include "random_fat_binary.h"

#include "common/fat_entries.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 64, PTX = 1, MACHINE_CODE = 2, LZ4 = 0x2000 };

static uint64_t state;

uint32_t fat_random_below(uint32_t limit) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((state >> 33) % limit);
}

static char *file[MOST_FILES];
static int num_files;

static void add_file(const char *name) {
  FILE *stream = fopen(name, "rb");
  if (stream == NULL || num_files == MOST_FILES)
    exit(2);
  fseek(stream, 0, SEEK_END);
  size_t size = (size_t)ftell(stream);
  rewind(stream);
  file[num_files] = calloc(1, size + 1);
  if (fread(file[num_files++], 1, size, stream) != size)
    exit(2);
  fclose(stream);
}

void fat_random_put(unsigned char *at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++)
    at[i] = (unsigned char)(value >> 8 * i);
}

uint64_t fat_random_get(const unsigned char *at, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++)
    value |= (uint64_t)at[i] << 8 * i;
  return value;
}

// A block of LZ4 that is one run of bytes.
static size_t pack(unsigned char *result, const char *text, size_t size) {
  size_t used = 0, left = size < 15 ? 0 : size - 15;
  result[used++] = (unsigned char)((size < 15 ? size : 15) << 4);
  for (; size >= 15 && left >= 255; left -= 255)
    result[used++] = 255;
  if (size >= 15)
    result[used++] = (unsigned char)left;
  memcpy(result + used, text, size);
  return used + size;
}

static void add_entry(fat_random *b) {
  bool is_ptx = fat_random_below(4) > 0, is_packed = is_ptx && fat_random_below(2) == 0;
  const char *text = is_ptx ? file[fat_random_below((uint32_t)num_files)] : "machine code";
  size_t length = strlen(text) + 1, options = 8 * fat_random_below(3);
  b->data = realloc(b->data, b->size + FAT_RANDOM_ENTRY + options + 2 * length + 64);
  unsigned char *entry = b->data + b->size, *payload = entry + FAT_RANDOM_ENTRY + options;
  memset(entry, 0, FAT_RANDOM_ENTRY + options + 2 * length + 64);
  memset(entry + FAT_RANDOM_ENTRY, 'x', options);
  size_t size = length;
  if (is_packed)
    size = pack(payload, text, length);
  else
    memcpy(payload, text, length);
  size_t whole = (size + 7) / 8 * 8;
  fat_random_put(entry, is_ptx ? PTX : MACHINE_CODE, 2);
  fat_random_put(entry + 4, FAT_RANDOM_ENTRY + options, 4);
  fat_random_put(entry + 8, whole, 8);
  fat_random_put(entry + 16, is_packed ? size : 0, 4);
  b->architecture[b->count] = 75 + fat_random_below(3);
  fat_random_put(entry + 28, b->architecture[b->count], 4);
  fat_random_put(entry + 40, 0x11 | (is_packed ? LZ4 : 0), 8);
  fat_random_put(entry + 56, is_packed ? length : 0, 8);
  b->text[b->count++] = is_ptx ? text : NULL;
  b->size += FAT_RANDOM_ENTRY + options + whole;
}

fat_random fat_random_make(void) {
  fat_random b = {.data = calloc(1, FAT_RANDOM_HEADER), .size = FAT_RANDOM_HEADER};
  for (uint32_t i = 0, count = fat_random_below(FAT_RANDOM_MOST_ENTRIES + 1); i < count; i++)
    add_entry(&b);
  fat_random_put(b.data, FAT_MAGIC, 4);
  fat_random_put(b.data + 4, 1, 2);
  fat_random_put(b.data + 6, FAT_RANDOM_HEADER, 2);
  fat_random_put(b.data + 8, b.size - FAT_RANDOM_HEADER, 8);
  return b;
}

void fat_random_damage(unsigned char *data, size_t size) {
  for (uint32_t i = 0, count = fat_random_below(4); i < count; i++) {
    size_t at = fat_random_below((uint32_t)(fat_random_below(2) == 0 || size < 200 ? size : 200));
    data[at] = fat_random_below(2) == 0 ? (unsigned char)fat_random_below(256)
                                        : (unsigned char)(fat_random_below(2) * 255);
  }
}

static void release(void) {
  for (int i = 0; i < num_files; i++)
    free(file[i]);
  num_files = 0;
}

bool fat_random_run(int argc, char **argv, bool (*check)(void)) {
  if (argc < 4)
    return false;
  for (int i = 3; i < argc; i++)
    add_file(argv[i]);
  unsigned long first = strtoul(argv[1], NULL, 10), count = strtoul(argv[2], NULL, 10);
  bool is_good = true;
  for (unsigned long seed = first; seed < first + count && is_good; seed++) {
    state = seed;
    is_good = check();
    if (!is_good)
      printf("seed %lu\n", seed);
  }
  release();
  return true;
}
