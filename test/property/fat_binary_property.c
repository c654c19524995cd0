// Properties of fat binaries on their way through linearize-run's library.
//
//   fat_binary_property FIRST COUNT PTX...
//
// For each seed a fat binary is made of some of the PTX, packed or not, and other entries.
// Linearized, it has the same entries, of which those of PTX hold what PTX becomes, and the others
// what they held. Then bytes of it change, or its end goes: whatever comes out, nothing is read or
// written outside of what is there, which the address sanitizer sees, and what comes out can be
// linearized again.
#include "common/lifting.h"
#include "expect.h"
#include "linearize-run/fat_binary.h"
#include "preload/symbols.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

enum { HEADER = 16, ENTRY = 64, MOST_ENTRIES = 6, MOST_FILES = 64 };
enum { PTX = 1, MACHINE_CODE = 2, LZ4 = 0x2000 };

// As symbols.c has it, without a dlsym of its own.
void *symbols_in(void *handle, const char *name) { return dlsym(handle, name); }

static uint64_t state;

static uint32_t below(uint32_t limit) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((state >> 33) % limit);
}

static char *file[MOST_FILES];
static int num_files;

static void read_file(const char *name) {
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

typedef struct binary {
  unsigned char *data;
  size_t size;
  const char *text[MOST_ENTRIES]; // of its PTX; NULL: machine code
  int count;
} binary;

static void put(unsigned char *at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++)
    at[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t get(const unsigned char *at, int bytes) {
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

static void add_entry(binary *b) {
  bool is_ptx = below(4) > 0, is_packed = is_ptx && below(2) == 0;
  const char *text = is_ptx ? file[below((uint32_t)num_files)] : "machine code";
  size_t length = strlen(text) + 1, options = 8 * below(3);
  b->data = realloc(b->data, b->size + ENTRY + options + 2 * length + 64);
  unsigned char *entry = b->data + b->size, *payload = entry + ENTRY + options;
  memset(entry, 0, ENTRY + options + 2 * length + 64);
  memset(entry + ENTRY, 'x', options);
  size_t size = length;
  if (is_packed)
    size = pack(payload, text, length);
  else
    memcpy(payload, text, length);
  size_t whole = (size + 7) / 8 * 8;
  put(entry, is_ptx ? PTX : MACHINE_CODE, 2);
  put(entry + 4, ENTRY + options, 4);
  put(entry + 8, whole, 8);
  put(entry + 16, is_packed ? size : 0, 4);
  put(entry + 28, 75 + below(3), 4);
  put(entry + 40, 0x11 | (is_packed ? LZ4 : 0), 8);
  put(entry + 56, is_packed ? length : 0, 8);
  b->text[b->count++] = is_ptx ? text : NULL;
  b->size += ENTRY + options + whole;
}

static binary make(void) {
  binary b = {.data = calloc(1, HEADER), .size = HEADER};
  for (uint32_t i = 0, count = below(MOST_ENTRIES + 1); i < count; i++)
    add_entry(&b);
  put(b.data, FAT_BINARY_MAGIC, 4);
  put(b.data + 4, 1, 2);
  put(b.data + 6, HEADER, 2);
  put(b.data + 8, b.size - HEADER, 8);
  return b;
}

// In place of the helper: a line more, once.
char *tool_lift(const char *name, const char *text, size_t *length, const char *options,
                uint32_t sm, unsigned most_seconds, lin_ptx_hear hear, void *context,
                const char **failure) {
  (void)name, (void)options, (void)sm, (void)most_seconds, (void)hear, (void)context;
  static const char line[] = "// lifted\n";
  *failure = NULL;
  if (*length >= sizeof line && memcmp(text, line, sizeof line - 1) == 0)
    return NULL;
  char *made = malloc(sizeof line + *length);
  memcpy(made, line, sizeof line - 1);
  memcpy(made + sizeof line - 1, text, *length);
  *length += sizeof line - 1;
  made[*length] = '\0';
  return made;
}

static void *linearize(const unsigned char *data, size_t size, size_t *result_size) {
  image given = {.data = data, .size = size, .name = "image", .is_quiet = true};
  return image_linearize(&given, result_size);
}

// The entry at `before`, which was linearized to the one at `after`.
static void check_entry(const unsigned char *before, const unsigned char *after, const char *text) {
  size_t header = (size_t)get(before + 4, 4), payload = (size_t)get(after + 8, 8), size = 0;
  EXPECT(get(after + 4, 4) == header && memcmp(before + ENTRY, after + ENTRY, header - ENTRY) == 0);
  EXPECT(get(before, 2) == get(after, 2) && get(before + 28, 4) == get(after + 28, 4));
  image given = {.name = "image", .is_quiet = true};
  char *wanted = text == NULL ? NULL : image_linearize_text(&given, text, strlen(text), &size);
  if (wanted == NULL) {
    EXPECT(memcmp(before, after, header + payload) == 0);
  } else {
    EXPECT(get(after + 40, 8) == 0x11 && get(after + 16, 4) == 0 && get(after + 56, 8) == 0);
    EXPECT(payload % 8 == 0 && payload >= size && memcmp(after + header, wanted, size) == 0);
  }
  free(wanted);
}

static void check_whole(const binary *b) {
  size_t size = b->size, at = HEADER, to = HEADER;
  unsigned char *made = linearize(b->data, b->size, &size);
  const unsigned char *after = made == NULL ? b->data : made;
  EXPECT(get(after + 8, 8) == size - HEADER);
  for (int i = 0; i < b->count; i++) {
    check_entry(b->data + at, after + to, b->text[i]);
    at += (size_t)(get(b->data + at + 4, 4) + get(b->data + at + 8, 8));
    to += (size_t)(get(after + to + 4, 4) + get(after + to + 8, 8));
  }
  EXPECT(to == size && at == b->size);
  free(made);
}

static void check_damaged(const binary *b) {
  size_t size = below(4) == 0 ? 1 + below((uint32_t)b->size) : b->size, made_size = 0,
         again_size = 0;
  unsigned char *damaged = malloc(size); // exactly, for the sanitizer
  memcpy(damaged, b->data, size);
  for (uint32_t i = 0, count = below(4); i < count; i++) {
    size_t at = below((uint32_t)(below(2) == 0 || size < 200 ? size : 200));
    damaged[at] = below(2) == 0 ? (unsigned char)below(256) : (unsigned char)(below(2) * 255);
  }
  unsigned char *made = linearize(damaged, size, &made_size);
  if (made != NULL)
    free(linearize(made, made_size, &again_size));
  free(made);
  free(damaged);
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  for (int i = 3; i < argc; i++)
    read_file(argv[i]);
  unsigned long first = strtoul(argv[1], NULL, 10), count = strtoul(argv[2], NULL, 10);
  for (unsigned long seed = first; seed < first + count && failed == 0; seed++) {
    state = seed;
    binary b = make();
    check_whole(&b);
    check_damaged(&b);
    free(b.data);
    if (failed > 0)
      printf("seed %lu\n", seed);
  }
  for (int i = 0; i < num_files; i++)
    free(file[i]);
  return expect_end();
}
