#include "merge_sort.h"

#include <string.h>

// Merges from[begin..middle) and from[middle..end) into the same places of `to`.
static void merge(const uint32_t *from, uint32_t *to, size_t begin, size_t middle, size_t end,
                  lin_before *before, const void *context) {
  size_t left = begin, right = middle;
  for (size_t at = begin; at < end; at++) {
    bool take_right = left == middle || (right < end && before(from[right], from[left], context));
    to[at] = take_right ? from[right++] : from[left++];
  }
}

void lin_merge_sort(uint32_t *number, uint32_t *other, size_t count, lin_before *before,
                    const void *context) {
  uint32_t *from = number, *to = other;
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t begin = 0; begin < count; begin += 2 * width) {
      size_t middle = count - begin < width ? count : begin + width;
      size_t end = count - begin < 2 * width ? count : begin + 2 * width;
      merge(from, to, begin, middle, end, before, context);
    }
    uint32_t *swapped = from;
    from = to;
    to = swapped;
  }
  if (from != number && count > 0)
    memcpy(number, from, count * sizeof *number);
}
