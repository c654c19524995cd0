// Answers that are kept: what was asked once takes no second run, of this process or another one.
//
//     asked, text ──▶ FNV-1a ──▶ FOLDER/0123456789abcdef.kept ──▶ new text, what was said
//                                 └── asked and text again, all of them: no hash decides
//
// It runs inside other people's programs: nothing here fails loudly, waits for a lock, or keeps a
// descriptor. What can't be read is asked anew, and what can't be written isn't kept.
#ifndef LIN_TOOLS_CACHE_H
#define LIN_TOOLS_CACHE_H

#include "cache_folder.h"

#include <stdbool.h>
#include <stddef.h>

// A question. Its texts stay the caller's.
typedef struct tool_cache_key {
  const char *asked; // all that the answer depends on but for the two below
  const char *name;  // of the text, which only some answers depend on
  const char *text;
  size_t length;
} tool_cache_key;

typedef struct tool_cache_value {
  char *made; // the new text, or NULL: it stays as it is
  char *said; // the remarks, as they came
  size_t made_length, said_length;
  bool is_named; // it mentions the key's name, and answers no other
} tool_cache_value;

// Whether the answer is there. Then `value` has it, its texts with a NUL behind them and to be
// freed. Only a whole file of this user's that nobody else can write is an answer; its time becomes
// now. O(length + answer).
bool tool_cache_find(const tool_cache *cache, const tool_cache_key *key, tool_cache_value *value);

// Keeps an answer, unless that is an empty text: in a file under another name, which then takes its
// place. O(length + answer + files that are kept).
void tool_cache_keep(const tool_cache *cache, const tool_cache_key *key,
                     const tool_cache_value *value);

#endif
