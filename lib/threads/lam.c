// Label, assign, move (seed 003, section 4.2, Figure 5), but for the move, which is the caller's.
//
//     class_of     0 0 1 0 | 1 0 1 1 | 0 1 0 1   segments of 4, of which each class fills one,
//     label           0    |    1    |   mixed   for there are 6 of each
//     openings         ^   |   ^     |           places in a labelled segment with others' elements
//
//     element 2, of class 1, goes to the opening in segment 1, and element 5 to the one in segment
//     0: no class has to take anything out of the mixed segment.
#include "linearize/threads.h"
#include "memory.h"

#include <errno.h>

static const uint32_t MIXED = UINT32_MAX; // no class: there are at most as many

typedef struct layout {
  const uint32_t *class_of;
  size_t n, segment, num_segments;
  uint32_t classes;
  uint32_t *count;      // [classes] elements
  uint32_t *quota;      // [classes] segments that the class can still fill
  uint32_t *label;      // [num_segments] the class that fills it, or MIXED
  uint32_t *covered;    // [classes] of one segment's elements; 0 between segments
  uint32_t *kept;       // [num_segments] how many elements of its label are in it
  uint32_t *openings;   // places to be filled, class by class
  size_t *first, *last; // [classes] of the class, in openings: the next one to be taken, the end
  uint32_t *leftover;   // elements that no class has an opening for, and their number
  size_t num_leftover;
} layout;

static size_t begin_of(const layout *l, size_t s) { return s * l->segment; }

static size_t end_of(const layout *l, size_t s) {
  return l->n - begin_of(l, s) < l->segment ? l->n : begin_of(l, s) + l->segment;
}

// ---- label

// The class that covers most of the segment, the lowest of several, and how much it covers. Of
// those with quota left, if `with_quota`; MIXED if that is none. Without a branch on the elements,
// which no processor could predict.
static uint32_t covers_most(layout *l, size_t s, bool with_quota, uint32_t *covered) {
  uint64_t best = 0; // coverage, and below it the class, so that of two the greater is wanted
  for (size_t i = begin_of(l, s); i < end_of(l, s); i++)
    l->covered[l->class_of[i]]++;
  for (size_t i = begin_of(l, s); i < end_of(l, s); i++) {
    uint32_t c = l->class_of[i];
    uint64_t here = with_quota && l->quota[c] == 0 ? 0 : l->covered[c];
    uint64_t key = here << 32 | (MIXED - c);
    best = key > best ? key : best;
    l->covered[c] = 0;
  }
  *covered = (uint32_t)(best >> 32);
  return *covered == 0 ? MIXED : MIXED - (uint32_t)best;
}

static void set_label(layout *l, size_t s, uint32_t label) {
  l->label[s] = label;
  if (label != MIXED)
    l->quota[label]--;
}

// The last segment may have fewer elements: it belongs to a class whose rest would do, if there is
// one.
static void label_short_segment(layout *l, size_t s) {
  size_t size = end_of(l, s) - begin_of(l, s);
  for (uint32_t c = 0; c < l->classes; c++)
    l->quota[c] = l->count[c] % l->segment >= size;
  l->label[s] = covers_most(l, s, true, &l->kept[s]);
  for (uint32_t c = 0; c < l->classes && l->label[s] == MIXED; c++)
    if (l->quota[c] > 0)
      l->label[s] = c;
}

// The `full` segments, those that a class covers most first. `start` has room for all coverages,
// and one more.
static void order_by_coverage(const layout *l, size_t full, size_t *start, uint32_t *order) {
  size_t most = l->segment;
  for (size_t s = 0; s < full; s++)
    start[most - l->kept[s] + 1]++;
  for (size_t c = 0; c < most; c++)
    start[c + 1] += start[c];
  for (size_t s = 0; s < full; s++)
    order[start[most - l->kept[s]]++] = (uint32_t)s;
}

// By coverage; then the classes that cover no segment best get what is left, so that all have as
// many segments as they can fill.
static void label_segments(layout *l, size_t full, size_t *start, uint32_t *order) {
  if (full < l->num_segments)
    label_short_segment(l, full);
  if (full == 0)
    return;
  for (uint32_t c = 0; c < l->classes; c++)
    l->quota[c] = (uint32_t)(l->count[c] / l->segment);
  for (size_t s = 0; s < full; s++)
    l->label[s] = covers_most(l, s, false, &l->kept[s]);
  order_by_coverage(l, full, start, order);
  for (size_t k = 0; k < full; k++) {
    uint32_t best = l->label[order[k]];
    set_label(l, order[k], l->quota[best] > 0 ? best : MIXED);
  }
  for (size_t s = 0; s < full; s++)
    if (l->label[s] == MIXED)
      set_label(l, s, covers_most(l, s, true, &l->kept[s]));
  uint32_t c = 0;
  for (size_t s = 0; s < full; s++) {
    while (c < l->classes && l->quota[c] == 0)
      c++;
    if (c < l->classes && l->label[s] == MIXED)
      set_label(l, s, c);
  }
}

// ---- assign

static void collect_openings(layout *l) {
  for (size_t s = 0; s < l->num_segments; s++)
    if (l->label[s] != MIXED)
      l->last[l->label[s]] += end_of(l, s) - begin_of(l, s) - l->kept[s];
  size_t total = 0;
  for (uint32_t c = 0; c < l->classes; c++) {
    size_t openings = l->last[c];
    l->first[c] = l->last[c] = total;
    total += openings;
  }
  for (size_t s = 0; s < l->num_segments; s++) {
    uint32_t label = l->label[s];
    if (label == MIXED || l->kept[s] == end_of(l, s) - begin_of(l, s))
      continue;
    size_t last = l->last[label], end = last + (end_of(l, s) - begin_of(l, s) - l->kept[s]);
    for (size_t i = begin_of(l, s); last < end; i++) {
      l->openings[last] = (uint32_t)i;
      last += l->class_of[i] != label;
    }
    l->last[label] = end;
  }
}

static bool fill(layout *l, uint32_t element, uint32_t *destination) {
  uint32_t c = l->class_of[element];
  if (l->first[c] == l->last[c])
    return false;
  destination[element] = l->openings[l->first[c]++];
  return true;
}

// Elements in openings have to leave; then openings that are left are filled out of mixed segments,
// where each place that is vacated takes one of those that had nowhere to go. There are as many of
// the one as of the other: what leaves the openings is what comes into them.
static void assign(layout *l, uint32_t *destination) {
  for (size_t i = 0; i < l->n; i++)
    destination[i] = (uint32_t)i;
  size_t num_openings = l->classes > 0 ? l->last[l->classes - 1] : 0;
  for (size_t i = 0; i < num_openings; i++)
    if (!fill(l, l->openings[i], destination))
      l->leftover[l->num_leftover++] = l->openings[i];
  size_t placed = 0;
  for (size_t s = 0; s < l->num_segments; s++)
    for (size_t i = begin_of(l, s); i < end_of(l, s) && l->label[s] == MIXED; i++)
      if (fill(l, (uint32_t)i, destination))
        destination[l->leftover[placed++]] = (uint32_t)i;
}

// ----

static bool count_classes(layout *l) {
  for (size_t i = 0; i < l->n; i++) {
    if (l->class_of[i] >= l->classes)
      return false;
    l->count[l->class_of[i]]++;
  }
  return true;
}

static int done(lin_memory *memory, int error) {
  lin_memory_release(memory);
  if (error != 0)
    errno = error;
  return error == 0 ? 0 : -1;
}

int linearize_lam(const uint32_t *class_of, size_t n, uint32_t classes, size_t segment,
                  uint32_t *destination) {
  lin_memory memory = {0};
  if (n > UINT32_MAX || segment == 0 || (n > 0 && (class_of == NULL || destination == NULL)))
    return done(&memory, EINVAL);
  layout l = {.class_of = class_of,
              .n = n,
              .segment = segment,
              .num_segments = n / segment + (n % segment != 0),
              .classes = classes};
  l.count = LIN_HAVE(&memory, uint32_t, classes);
  l.quota = LIN_HAVE(&memory, uint32_t, classes);
  l.covered = LIN_HAVE(&memory, uint32_t, classes);
  l.first = LIN_HAVE(&memory, size_t, classes);
  l.last = LIN_HAVE(&memory, size_t, classes);
  l.label = LIN_HAVE(&memory, uint32_t, l.num_segments);
  l.kept = LIN_HAVE(&memory, uint32_t, l.num_segments);
  l.openings = LIN_HAVE(&memory, uint32_t, n);
  l.leftover = LIN_HAVE(&memory, uint32_t, n);
  size_t full = n / segment;
  size_t *start = LIN_HAVE(&memory, size_t, full > 0 ? segment + 2 : 0); // coverages
  uint32_t *order = LIN_HAVE(&memory, uint32_t, full);
  if (memory.is_out)
    return done(&memory, ENOMEM);
  if (!count_classes(&l))
    return done(&memory, EINVAL);
  label_segments(&l, full, start, order);
  collect_openings(&l);
  assign(&l, destination);
  return done(&memory, 0);
}
