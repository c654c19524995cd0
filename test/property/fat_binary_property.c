// Properties of fat binaries on their way through linearize-run's library.
//
//   fat_binary_property FIRST COUNT PTX...
//
// For each seed a fat binary is made of some of the PTX, packed or not, and other entries.
// Linearized, it has the same entries, of which those of PTX hold what PTX becomes, and the others
// what they held. Then bytes of it change, or its end goes: whatever comes out, nothing is read or
// written outside of what is there, which the address sanitizer sees, and what comes out can be
// linearized again.
#include "common/fat_entries.h"
#include "common/lifting.h"
#include "expect.h"
#include "linearize-run/fat_binary.h"
#include "preload/symbols.h"
#include "random_fat_binary.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// As symbols.c has it, without a dlsym of its own.
void *symbols_in(void *handle, const char *name) { return dlsym(handle, name); }

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
  size_t header = (size_t)fat_random_get(before + 4, 4),
         payload = (size_t)fat_random_get(after + 8, 8), size = 0;
  EXPECT(fat_random_get(after + 4, 4) == header &&
         memcmp(before + FAT_RANDOM_ENTRY, after + FAT_RANDOM_ENTRY, header - FAT_RANDOM_ENTRY) ==
             0);
  EXPECT(fat_random_get(before, 2) == fat_random_get(after, 2) &&
         fat_random_get(before + 28, 4) == fat_random_get(after + 28, 4));
  image given = {.name = "image", .is_quiet = true};
  char *wanted = text == NULL ? NULL : image_linearize_text(&given, text, strlen(text), &size);
  if (wanted == NULL) {
    EXPECT(memcmp(before, after, header + payload) == 0);
  } else {
    EXPECT(fat_random_get(after + 40, 8) == 0x11 && fat_random_get(after + 16, 4) == 0 &&
           fat_random_get(after + 56, 8) == 0);
    EXPECT(payload % 8 == 0 && payload >= size && memcmp(after + header, wanted, size) == 0);
  }
  free(wanted);
}

static void check_whole(const fat_random *b) {
  size_t size = b->size, at = FAT_RANDOM_HEADER, to = FAT_RANDOM_HEADER;
  unsigned char *made = linearize(b->data, b->size, &size);
  const unsigned char *after = made == NULL ? b->data : made;
  EXPECT(fat_random_get(after + 8, 8) == size - FAT_RANDOM_HEADER);
  for (int i = 0; i < b->count; i++) {
    check_entry(b->data + at, after + to, b->text[i]);
    at += (size_t)(fat_random_get(b->data + at + 4, 4) + fat_random_get(b->data + at + 8, 8));
    to += (size_t)(fat_random_get(after + to + 4, 4) + fat_random_get(after + to + 8, 8));
  }
  EXPECT(to == size && at == b->size);
  free(made);
}

static void check_damaged(const fat_random *b) {
  size_t size = fat_random_below(4) == 0 ? 1 + fat_random_below((uint32_t)b->size) : b->size,
         made_size = 0, again_size = 0;
  unsigned char *damaged = malloc(size); // exactly, for the sanitizer
  memcpy(damaged, b->data, size);
  fat_random_damage(damaged, size);
  unsigned char *made = linearize(damaged, size, &made_size);
  if (made != NULL)
    free(linearize(made, made_size, &again_size));
  free(made);
  free(damaged);
}

static bool check_seed(void) {
  fat_random b = fat_random_make();
  check_whole(&b);
  check_damaged(&b);
  free(b.data);
  return failed == 0;
}

int main(int argc, char **argv) {
  return fat_random_run(argc, argv, check_seed) ? expect_end() : 2;
}
