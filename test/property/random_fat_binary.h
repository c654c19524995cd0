// Random fat binaries, of files of PTX.
#ifndef LIN_TEST_RANDOM_FAT_BINARY_H
#define LIN_TEST_RANDOM_FAT_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAT_RANDOM_HEADER = 16, FAT_RANDOM_ENTRY = 64, FAT_RANDOM_MOST_ENTRIES = 6 };

typedef struct fat_random {
  unsigned char *data; // to be freed
  size_t size;
  const char *text[FAT_RANDOM_MOST_ENTRIES]; // of its PTX; NULL: machine code
  uint32_t architecture[FAT_RANDOM_MOST_ENTRIES];
  int count;
} fat_random;

// Calls `check` for each seed of FIRST COUNT PTX..., the command line, until it returns false; that
// seed is printed. Returns false if the command line is too short.
bool fat_random_run(int argc, char **argv, bool (*check)(void));

// The next random number, less than `limit`.
uint32_t fat_random_below(uint32_t limit);

// A fat binary with up to FAT_RANDOM_MOST_ENTRIES entries, packed or not.
fat_random fat_random_make(void);

// Changes up to three bytes, of which half lie near the beginning.
void fat_random_damage(unsigned char *data, size_t size);

// Numbers of so many bytes, the lowest first.
void fat_random_put(unsigned char *at, uint64_t value, int bytes);
uint64_t fat_random_get(const unsigned char *at, int bytes);

#endif
