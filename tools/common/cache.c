#define _POSIX_C_SOURCE 200809L
#include "cache.h"

#include "cache_file.h"
#include "graph/fnv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Another one whenever a file has something else in it.
static const char magic[] = {'l', 'i', 'n', 'k', 'e', 'p', 't', '1'};

enum { NAME, ASKED, TEXT, MADE, SAID, NUM_PIECES };
enum { CHANGED = 1, NAMED = 2 };

// How a file begins. Its pieces stand behind that. No other machine reads it, so its numbers are
// this one's.
typedef struct head {
  char magic[sizeof magic];
  uint64_t flags;
  uint64_t length[NUM_PIECES];
  uint64_t sum; // of all but itself, and the question, which is compared
} head;

static void name_file(const tool_cache_key *key, char name[32]) {
  uint64_t hash = lin_fnv_text(LIN_FNV_START, key->asked);
  hash = lin_fnv_bytes(hash, key->text, key->length);
  snprintf(name, 32, "%016" PRIx64 TOOL_CACHE_END, hash);
}

static uint64_t sum_of(const head *h, const char *made, const char *said) {
  uint64_t sum = lin_fnv_bytes(LIN_FNV_START, h, offsetof(head, sum));
  sum = lin_fnv_bytes(sum, made, h->length[MADE]);
  return lin_fnv_bytes(sum, said, h->length[SAID]);
}

// ---- find

// Whether the file goes on so.
static bool has_bytes(int file, const char *bytes, size_t length) {
  char buffer[1 << 12];
  for (size_t done = 0; done < length;) {
    const size_t more = length - done < sizeof buffer ? length - done : sizeof buffer;
    if (!tool_file_read(file, buffer, more) || memcmp(buffer, bytes + done, more) != 0)
      return false;
    done += more;
  }
  return true;
}

// A file that is as long as its head says.
static int open_file(const tool_cache *cache, int folder, const char *name, head *h) {
  uint64_t size;
  const int file = tool_file_open(folder, name, cache->most_bytes, &size);
  if (file < 0)
    return -1;
  bool is_good = tool_file_read(file, h, sizeof *h) && memcmp(h->magic, magic, sizeof magic) == 0;
  uint64_t left = is_good ? size - sizeof *h : 0;
  for (int i = 0; i < NUM_PIECES && is_good; i++) {
    is_good = h->length[i] <= left;
    left -= is_good ? h->length[i] : 0;
  }
  if (is_good && left == 0)
    return file;
  close(file);
  return -1;
}

// Whether the file is about that question; then the answer is next.
static bool is_about(int file, const head *h, const tool_cache_key *key) {
  const tool_piece question[] = {{key->name, (h->flags & NAMED) != 0 ? strlen(key->name) : 0},
                                 {key->asked, strlen(key->asked)},
                                 {key->text, key->length}};
  for (int i = 0; i < MADE; i++)
    if (h->length[i] != question[i].length ||
        !has_bytes(file, question[i].bytes, question[i].length))
      return false;
  return true;
}

static bool read_answer(int file, const head *h, tool_cache_value *value) {
  char *made = tool_file_text(file, h->length[MADE]);
  char *said = made == NULL ? NULL : tool_file_text(file, h->length[SAID]);
  if (said == NULL || sum_of(h, made, said) != h->sum) {
    free(made);
    free(said);
    return false;
  }
  if ((h->flags & CHANGED) == 0) {
    free(made);
    made = NULL;
  }
  *value = (tool_cache_value){.made = made,
                              .said = said,
                              .made_length = h->length[MADE],
                              .said_length = h->length[SAID],
                              .is_named = (h->flags & NAMED) != 0};
  return true;
}

bool tool_cache_find(const tool_cache *cache, const tool_cache_key *key, tool_cache_value *value) {
  const int folder = tool_cache_open(cache);
  if (folder < 0)
    return false;
  char name[32];
  name_file(key, name);
  head h;
  const int file = open_file(cache, folder, name, &h);
  close(folder);
  if (file < 0)
    return false;
  const bool is_found = is_about(file, &h, key) && read_answer(file, &h, value);
  if (is_found)
    futimens(file, NULL);
  close(file);
  return is_found;
}

// ---- keep

void tool_cache_keep(const tool_cache *cache, const tool_cache_key *key,
                     const tool_cache_value *value) {
  if (value->made != NULL && value->made_length == 0)
    return;
  head h = {.flags = (value->made != NULL ? CHANGED : 0) | (value->is_named ? NAMED : 0)};
  const tool_piece pieces[] = {{(const char *)&h, sizeof h},
                               {key->name, value->is_named ? strlen(key->name) : 0},
                               {key->asked, strlen(key->asked)},
                               {key->text, key->length},
                               {value->made, value->made != NULL ? value->made_length : 0},
                               {value->said, value->said_length}};
  uint64_t size = sizeof h;
  memcpy(h.magic, magic, sizeof magic);
  for (int i = 0; i < NUM_PIECES; i++)
    size += h.length[i] = pieces[i + 1].length;
  h.sum = sum_of(&h, value->made, value->said);
  const int folder = size <= cache->most_bytes / 4 ? tool_cache_open(cache) : -1;
  if (folder < 0)
    return;
  char name[32];
  name_file(key, name);
  tool_cache_make_room(cache, folder, size);
  tool_file_write(folder, name, pieces, NUM_PIECES + 1);
  close(folder);
}
