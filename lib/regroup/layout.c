#include "layout.h"

// The items, those first of which most is left behind full words; equal ones in their order.
// Counting sort.
static uint32_t *by_rest(lin_arena *arena, uint32_t count, const uint32_t *bits) {
  uint32_t start[LIN_WORD + 1] = {0}, *order = LIN_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    start[LIN_WORD - bits[i] % LIN_WORD]++;
  for (uint32_t i = 0, sum = 0; i <= LIN_WORD; i++) {
    uint32_t here = start[i];
    start[i] = sum;
    sum += here;
  }
  for (uint32_t i = 0; i < count; i++)
    order[start[LIN_WORD - bits[i] % LIN_WORD]++] = i;
  return order;
}

typedef struct packing {
  uint32_t *used, *items; // [words] bits, and how many items
  uint32_t words;
} packing;

static void put(packing *p, lin_layout *layout, uint32_t item, uint32_t rest) {
  uint32_t word = 0;
  while (word < p->words && p->used[word] + rest > LIN_WORD)
    word++;
  p->words += word == p->words;
  layout->word[item] = word;
  layout->shift[item] = p->used[word];
  p->used[word] += rest;
  p->items[word]++;
}

lin_layout lin_layout_find(lin_arena *arena, uint32_t count, const uint32_t *bits, bool has_first) {
  lin_layout layout = {.full = LIN_ARRAY(arena, uint32_t, count),
                       .word = LIN_ARRAY(arena, uint32_t, count),
                       .shift = LIN_ARRAY(arena, uint32_t, count),
                       .is_alone = LIN_ARRAY(arena, bool, count)};
  const uint32_t *order = by_rest(arena, count, bits);
  packing p = {LIN_ARRAY(arena, uint32_t, count), LIN_ARRAY(arena, uint32_t, count), 0};
  if (has_first)
    put(&p, &layout, 0, bits[0]);
  for (uint32_t i = 0; i < count; i++)
    if (bits[order[i]] % LIN_WORD != 0 && !(has_first && order[i] == 0))
      put(&p, &layout, order[i], bits[order[i]] % LIN_WORD);
  layout.num_words = p.words;
  for (uint32_t i = 0; i < count; i++) {
    layout.full[i] = layout.num_words;
    layout.num_words += bits[i] / LIN_WORD;
    layout.is_alone[i] = bits[i] % LIN_WORD != 0 && p.items[layout.word[i]] == 1;
  }
  return layout;
}
