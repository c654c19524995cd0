#include "tuned.h"

#include "fields.h"
#include "times.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- the order of lines

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_shapes(const uint32_t a[3], const uint32_t b[3]) {
  for (int i = 0; i < 3; i++)
    if (a[i] != b[i])
      return ORDER(a[i], b[i]);
  return 0;
}

static int compare_kernels(const lin_tuned_line *a, const char *kernel, uint64_t hash) {
  int order = strcmp(a->kernel, kernel);
  return order != 0 ? order : ORDER(a->hash, hash);
}

static int compare(const lin_tuned_line *a, const lin_tuned_line *b) {
  int order = compare_kernels(a, b->kernel, b->hash);
  if (order == 0)
    order = compare_shapes(a->grid, b->grid);
  if (order == 0)
    order = compare_shapes(a->block, b->block);
  if (order == 0)
    order = ORDER(a->shared, b->shared);
  if (order == 0)
    order = ORDER(a->sizes, b->sizes);
  return order != 0 ? order : strcmp(a->gpu, b->gpu);
}

static int by_age(const void *a, const void *b) {
  const lin_tuned_line *left = a, *right = b;
  int order = compare(left, right);
  return order != 0 ? order : ORDER(left->age, right->age);
}

// The first line that isn't before `key`; or, if hash and kernel are all that counts, of that
// kernel.
static uint32_t lower_bound(const lin_tuned *t, const lin_tuned_line *key, bool only_kernel) {
  uint32_t low = 0, high = t->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = only_kernel ? compare_kernels(&t->line[middle], key->kernel, key->hash)
                            : compare(&t->line[middle], key);
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const lin_tuned_line *lin_tuned_find(const lin_tuned *t, const lin_tuned_line *key) {
  uint32_t at = lower_bound(t, key, false);
  return at < t->count && compare(&t->line[at], key) == 0 ? &t->line[at] : NULL;
}

uint32_t lin_tuned_of(const lin_tuned *t, const char *kernel, uint64_t hash,
                      const lin_tuned_line **first) {
  lin_tuned_line key = {.kernel = kernel, .hash = hash};
  uint32_t at = lower_bound(t, &key, true), count = 0;
  *first = t->line + at;
  while (at + count < t->count && compare_kernels(*first + count, kernel, hash) == 0)
    count++;
  return count;
}

// ---- what is best

const lin_tuned_version *lin_tuned_version_of(const lin_tuned_line *line, const char *name) {
  for (uint32_t i = 0; i < line->count; i++)
    if (strcmp(line->version[i].name, name) == 0)
      return &line->version[i];
  return NULL;
}

// The square of a median's standard error.
static double variance(const lin_tuned_version *v) {
  double least = (double)v->time / 1000, noise = (double)v->noise;
  double error = 1.2533 * 1.4826 * (noise > least ? noise : least);
  return error * error / v->launches;
}

static bool is_far(const lin_tuned_version *plain, const lin_tuned_version *v) {
  return plain->launches > 0 && v->launches > 0 && lin_is_far(v->time, plain->time);
}

uint32_t lin_tuned_missing(const lin_tuned_line *line, const lin_tuned_version *v,
                           uint32_t wanted) {
  const lin_tuned_version *plain = lin_tuned_version_of(line, LIN_VERSIONS_PLAIN);
  if (v->launches >= wanted || (plain != NULL && is_far(plain, v)))
    return 0;
  return wanted - v->launches;
}

static bool is_faster(const lin_tuned_version *a, const lin_tuned_version *b) {
  double gain = (double)b->time - (double)a->time;
  return gain > 0 && gain * gain > 9 * (variance(a) + variance(b));
}

lin_tuned_verdict lin_tuned_judge(const lin_tuned_line *line, uint32_t *winner) {
  const lin_tuned_version *v = line->version;
  const lin_tuned_version *plain = lin_tuned_version_of(line, LIN_VERSIONS_PLAIN);
  uint32_t best = 0;
  for (uint32_t i = 0; i < line->count; i++) {
    if (lin_tuned_missing(line, &v[i], LIN_TUNED_LEAST) > 0)
      return LIN_TUNED_TOO_FEW;
    if (v[i].time < v[best].time)
      best = i;
  }
  *winner = best;
  if (&v[best] != plain)
    return plain == NULL || is_faster(&v[best], plain) ? LIN_TUNED_IS_WON : LIN_TUNED_TOO_CLOSE;
  for (uint32_t i = 0; i < line->count; i++)
    if (i != best && !is_faster(plain, &v[i]))
      return LIN_TUNED_TOO_CLOSE;
  return LIN_TUNED_IS_WON;
}

bool lin_tuned_is_few(const lin_tuned_line *line) {
  uint32_t launches = 0;
  for (uint32_t i = 0; i < line->count; i++)
    if (line->version[i].first.launches > launches)
      launches = line->version[i].first.launches;
  const lin_tuned_version *plain = lin_tuned_version_of(line, LIN_VERSIONS_PLAIN);
  return launches > 0 && (launches <= LIN_FIRST || lin_first_is_uneven(&plain->first));
}

// Of few launches medians are compared where one of the two was measured by linearize-tune alone.
static bool is_by_pairs(const lin_tuned_version *v, const lin_tuned_version *plain, bool is_few) {
  return is_few && v->first.launches > 0 && plain->first.launches > 0;
}

// What it takes of the plain one's time, if it is faster than that; 1 if it isn't.
static double share(const lin_tuned_version *v, const lin_tuned_version *plain, bool is_few) {
  lin_pairs pairs = lin_first_pairs(&v->first, &plain->first);
  if (is_by_pairs(v, plain, is_few))
    return lin_pairs_agree(&pairs) ? (double)pairs.a / (double)pairs.b : 1;
  bool is_known = v->launches > 0 && plain->launches > 0;
  return is_known && is_faster(v, plain) ? (double)v->time / (double)plain->time : 1;
}

uint32_t lin_tuned_best(const lin_tuned_line *line) {
  const lin_tuned_version *plain = lin_tuned_version_of(line, LIN_VERSIONS_PLAIN);
  const lin_tuned_version *winner = lin_tuned_version_of(line, line->winner);
  const bool is_few = lin_tuned_is_few(line);
  if (winner != NULL && !is_few)
    return (uint32_t)(winner - line->version);
  uint32_t best = (uint32_t)(plain - line->version);
  double least = 1;
  for (uint32_t i = 0; i < line->count; i++) {
    double taken = share(&line->version[i], plain, is_few);
    best = taken < least ? i : best;
    least = taken < least ? taken : least;
  }
  return best;
}

const char *lin_tuned_winner(const lin_tuned_line *line) {
  uint32_t winner;
  return lin_tuned_judge(line, &winner) == LIN_TUNED_IS_WON ? line->version[winner].name
                                                            : LIN_TUNED_NONE;
}

// ---- adding

static uint64_t mean(uint64_t a, uint32_t a_times, uint64_t b, uint32_t b_times) {
  double sum = (double)a * a_times + (double)b * b_times;
  return (uint64_t)(sum / ((double)a_times + (double)b_times) + 0.5);
}

static uint32_t add_launches(uint32_t a, uint32_t b) {
  return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

// What two inputs, or two runs, differ by is noise, too.
static void unite_versions(lin_tuned_version *a, const lin_tuned_version *b) {
  lin_first_unite(&a->first, &b->first);
  if (b->launches == 0)
    return;
  if (a->launches == 0) {
    a->time = b->time;
    a->noise = b->noise;
    a->launches = b->launches;
    return;
  }
  uint64_t time = mean(a->time, a->launches, b->time, b->launches);
  uint64_t a_off = a->time > time ? a->time - time : time - a->time;
  uint64_t b_off = b->time > time ? b->time - time : time - b->time;
  a->noise = mean(a->noise > a_off ? a->noise : a_off, a->launches,
                  b->noise > b_off ? b->noise : b_off, b->launches);
  a->time = time;
  a->launches = add_launches(a->launches, b->launches);
}

// `b` is the newer one.
static void unite(lin_tuned_line *a, const lin_tuned_line *b) {
  bool is_alike = strcmp(a->driver, b->driver) == 0 && strcmp(a->compiler, b->compiler) == 0;
  if (!is_alike) {
    *a = *b;
    return;
  }
  for (uint32_t i = 0; i < b->count; i++) {
    const lin_tuned_version *known = lin_tuned_version_of(a, b->version[i].name);
    if (known != NULL)
      unite_versions(&a->version[known - a->version], &b->version[i]);
    else if (a->count < LIN_VERSIONS_MOST)
      a->version[a->count++] = b->version[i];
  }
  a->winner = lin_tuned_winner(a);
}

static bool make_room(lin_tuned *t) {
  if (t->count < t->capacity)
    return true;
  uint32_t capacity = t->capacity == 0 ? 16 : 2 * t->capacity;
  lin_tuned_line *line = realloc(t->line, capacity * sizeof *line);
  if (line == NULL)
    return false;
  t->line = line;
  t->capacity = capacity;
  return true;
}

bool lin_tuned_add(lin_tuned *t, const lin_tuned_line *line) {
  uint32_t at = lower_bound(t, line, false);
  if (at < t->count && compare(&t->line[at], line) == 0) {
    unite(&t->line[at], line);
    return true;
  }
  if (!make_room(t))
    return false;
  memmove(&t->line[at + 1], &t->line[at], (t->count - at) * sizeof *line);
  t->line[at] = *line;
  t->count++;
  return true;
}

void lin_tuned_release(lin_tuned *t) {
  free(t->line);
  *t = (lin_tuned){0};
}

// ---- reading

static bool read_numbers(const char *field, uint32_t *number, uint32_t count, uint64_t least) {
  char *at = (char *)(uintptr_t)field;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t value;
    if ((i > 0 && !lin_field_skip(&at, " ")) || !lin_field_number(&at, UINT32_MAX, &value) ||
        value < least)
      return false;
    number[i] = (uint32_t)value;
  }
  return *at == '\0';
}

static bool read_sizes(char *field, uint64_t *sizes) {
  *sizes = 0;
  return strcmp(field, "-") == 0 ||
         (lin_field_hash(&field, sizes) && *field == '\0' && *sizes != 0);
}

// Behind a version's numbers: what is known of its first launches, if anything is.
static bool read_first(char **at, lin_first *first) {
  uint64_t launches;
  if (**at == '\0')
    return true;
  if (!lin_field_skip(at, " ") || !lin_field_number(at, UINT32_MAX, &launches) || launches == 0)
    return false;
  first->launches = (uint32_t)launches;
  for (uint32_t i = 0; **at != '\0'; i++)
    if (i == LIN_FIRST || !lin_field_skip(at, " ") ||
        !lin_field_number(at, UINT64_MAX, &first->time[i]))
      return false;
  return true;
}

// NAME TIME NOISE LAUNCHES [OF-A-RUN [TIME]...]
static const char *read_version(char *field, lin_tuned_line *line) {
  if (line->count == LIN_VERSIONS_MOST)
    return "too many versions";
  lin_tuned_version *v = &line->version[line->count];
  char *blank = strchr(field, ' ');
  uint64_t launches;
  v->name = field;
  if (blank == NULL)
    return "a version's name, its time, noise and launches are expected here";
  *blank = '\0';
  char *at = blank + 1;
  bool is_whole = lin_field_number(&at, UINT64_MAX, &v->time) && lin_field_skip(&at, " ") &&
                  lin_field_number(&at, UINT64_MAX, &v->noise) && lin_field_skip(&at, " ") &&
                  lin_field_number(&at, UINT32_MAX, &launches) && read_first(&at, &v->first);
  if (!is_whole)
    return "a version's name, its time, noise and launches are expected here";
  if (!lin_versions_is_name(v->name) && strcmp(v->name, LIN_VERSIONS_PLAIN) != 0)
    return "a version can't have that name";
  if (lin_tuned_version_of(line, v->name) != NULL)
    return "the version was named before";
  v->launches = (uint32_t)launches;
  line->count++;
  return NULL;
}

// All fields in front of the versions are there, or none is looked at.
static const char *read_line(char *rest, lin_tuned_line *line) {
  enum { KERNEL, HASH, GRID, BLOCK, SHARED, SIZES, GPU, DRIVER, COMPILER, WINNER, FIELDS };
  char *field[FIELDS];
  for (int i = 0; i < FIELDS; i++)
    field[i] = lin_field_next(&rest);
  if (field[WINNER] == NULL)
    return "the line is cut off: it has too few fields";
  *line = (lin_tuned_line){.kernel = field[KERNEL],
                           .gpu = field[GPU],
                           .driver = field[DRIVER],
                           .compiler = field[COMPILER],
                           .winner = field[WINNER]};
  char *hash = field[HASH];
  if (!lin_field_hash(&hash, &line->hash) || *hash != '\0')
    return "the hash is not 16 hexadecimal digits";
  if (!read_numbers(field[GRID], line->grid, 3, 1) ||
      !read_numbers(field[BLOCK], line->block, 3, 1))
    return "a grid and a thread block are three numbers each, at least 1";
  if (!read_numbers(field[SHARED], &line->shared, 1, 0))
    return "bytes of shared memory are a number";
  if (!read_sizes(field[SIZES], &line->sizes))
    return "sizes are 16 hexadecimal digits, or -";
  for (char *version; (version = lin_field_next(&rest)) != NULL;) {
    const char *wrong = read_version(version, line);
    if (wrong != NULL)
      return wrong;
  }
  if (lin_tuned_version_of(line, LIN_VERSIONS_PLAIN) == NULL)
    return "the plain version's time is missing";
  bool is_there =
      strcmp(line->winner, LIN_TUNED_NONE) == 0 || lin_tuned_version_of(line, line->winner) != NULL;
  return !is_there ? "the winner is none of the versions" : NULL;
}

// Lines that say something of the same become one, the newer ones last.
static void sort(lin_tuned *t) {
  uint32_t count = t->count;
  lin_tuned_line *line = t->line;
  if (count == 0)
    return;
  qsort(line, count, sizeof *line, by_age);
  t->count = 1;
  for (uint32_t i = 1; i < count; i++) {
    if (compare(&line[t->count - 1], &line[i]) == 0)
      unite(&line[t->count - 1], &line[i]);
    else
      line[t->count++] = line[i];
  }
}

static bool fail(lin_versions_error *error, size_t line, const char *what) {
  error->line = line;
  snprintf(error->text, sizeof error->text, "%s", what);
  return false;
}

static bool append(lin_tuned *t, char *text, lin_versions_error *error) {
  char *line = lin_field_line(&text);
  if (line == NULL || !lin_field_skip(&line, "linearize tuned "))
    return fail(error, 1,
                "this is no file of linearize-tune: 'linearize tuned 1' is expected here");
  if (strcmp(line, "1") != 0)
    return fail(error, 1, "the file is of another version of linearize");
  size_t number = 1;
  while ((line = lin_field_line(&text)) != NULL) {
    number++;
    if (line[0] == '#' || line[0] == '\0')
      continue;
    if (!make_room(t))
      return fail(error, number, "there is not enough memory for the file");
    const char *wrong = read_line(line, &t->line[t->count]);
    if (wrong != NULL)
      return fail(error, number, wrong);
    t->line[t->count].age = t->count;
    t->count++;
  }
  return text[0] == '\0' ? true : fail(error, number + 1, "the file is cut off in this line");
}

bool lin_tuned_read(lin_tuned *t, char *text, size_t length, lin_versions_error *error) {
  uint32_t before = t->count;
  for (uint32_t i = 0; i < before; i++)
    t->line[i].age = i;
  text[length] = '\0';
  if (!append(t, text, error)) {
    t->count = before;
    return false;
  }
  sort(t);
  return true;
}

// ---- writing

static void write_shape(FILE *file, const uint32_t shape[3]) {
  fprintf(file, "%u %u %u\t", shape[0], shape[1], shape[2]);
}

static void write_text(FILE *file, const char *text) {
  lin_field_write(file, text);
  fputc('\t', file);
}

static void write_first(FILE *file, const lin_first *first) {
  if (first->launches == 0)
    return;
  fprintf(file, " %u", first->launches);
  for (uint32_t i = 0; i < lin_first_length(first); i++)
    fprintf(file, " %" PRIu64, first->time[i]);
}

static void write_line(FILE *file, const lin_tuned_line *line) {
  write_text(file, line->kernel);
  fprintf(file, "%016" PRIx64 "\t", line->hash);
  write_shape(file, line->grid);
  write_shape(file, line->block);
  fprintf(file, "%u\t", line->shared);
  if (line->sizes == 0)
    fputs("-\t", file);
  else
    fprintf(file, "%016" PRIx64 "\t", line->sizes);
  write_text(file, line->gpu);
  write_text(file, line->driver);
  write_text(file, line->compiler);
  lin_field_write(file, line->winner);
  for (uint32_t i = 0; i < line->count; i++) {
    const lin_tuned_version *v = &line->version[i];
    fprintf(file, "\t%s %" PRIu64 " %" PRIu64 " %u", v->name, v->time, v->noise, v->launches);
    write_first(file, &v->first);
  }
  fputc('\n', file);
}

void lin_tuned_write(FILE *file, const lin_tuned *t) {
  fputs("linearize tuned 1\n"
        "# kernel\thash\tgrid\tblock\tshared\tsizes\tgpu\tdriver\tcompiler\twinner\t"
        "version ns noise launches\n",
        file);
  for (uint32_t i = 0; i < t->count; i++)
    write_line(file, &t->line[i]);
}
