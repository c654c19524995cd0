// Reads the file of counts.
#include "counts_file.h"

#include "chance.h"

#include <inttypes.h>
#include <string.h>

typedef struct piece {
  const char *text;
  size_t length;
} piece;

typedef struct reader {
  lin_memory *memory;
  piece rest;  // behind the line
  piece line;  // without its end, and without "# " where it had that
  size_t at;   // its number
  bool failed; // what is wrong has been said
  lin_counts_error *error;
} reader;

static bool fail(reader *r, const char *what) {
  if (!r->failed) {
    r->error->line = r->at;
    snprintf(r->error->text, sizeof r->error->text, "%s", what);
  }
  r->failed = true;
  return false;
}

// A line of which it is known what should stand there.
static bool fail_expected(reader *r, const char *expected) {
  char text[sizeof r->error->text];
  snprintf(text, sizeof text, "'# %s' is expected here", expected);
  return fail(r, text);
}

// ---- lines and what stands in them

static bool next_line(reader *r) {
  if (r->failed)
    return false;
  r->at++;
  if (r->memory->is_out)
    return fail(r, "there is not enough memory for the file");
  if (r->rest.length == 0)
    return fail(r, "the file is cut off: it has no '# end'");
  const char *end = memchr(r->rest.text, '\n', r->rest.length);
  if (end == NULL)
    return fail(r, "the file is cut off in this line");
  r->line = (piece){r->rest.text, (size_t)(end - r->rest.text)};
  r->rest = (piece){end + 1, r->rest.length - r->line.length - 1};
  if (r->line.length > 0 && r->line.text[r->line.length - 1] == '\r')
    r->line.length--;
  return true;
}

static bool skip(piece *p, const char *word) {
  size_t length = strlen(word);
  if (p->length < length || memcmp(p->text, word, length) != 0)
    return false;
  *p = (piece){p->text + length, p->length - length};
  return true;
}

static bool is(piece p, const char *word) { return skip(&p, word) && p.length == 0; }

// The next line has to be "# KEY VALUE"; what is left of it is the value.
static bool next_value(reader *r, const char *key) {
  if (!next_line(r))
    return false;
  if (!skip(&r->line, "# ") || !skip(&r->line, key) || !skip(&r->line, " "))
    return fail_expected(r, key);
  return true;
}

static bool read_number(piece *p, uint64_t most, uint64_t *number) {
  size_t used = 0;
  *number = 0;
  for (; used < p->length && p->text[used] >= '0' && p->text[used] <= '9'; used++) {
    uint64_t digit = (uint64_t)(p->text[used] - '0');
    if (*number > (UINT64_MAX - digit) / 10)
      return false;
    *number = 10 * *number + digit;
  }
  *p = (piece){p->text + used, p->length - used};
  return used > 0 && *number <= most;
}

// A line "# KEY NUMBER", from `least` to `most`.
static bool next_number(reader *r, const char *key, uint64_t least, uint64_t most,
                        uint64_t *number) {
  if (!next_value(r, key))
    return false;
  if (read_number(&r->line, most, number) && r->line.length == 0 && *number >= least)
    return true;
  char text[sizeof r->error->text];
  snprintf(text, sizeof text, "'%s' is not a number from %" PRIu64 " to %" PRIu64, key, least,
           most);
  return fail(r, text);
}

// A line "# times NUMBER", or "# times NUMBER of MORE".
static bool next_times(reader *r, uint64_t *times, uint64_t *launched) {
  if (!next_value(r, "times"))
    return false;
  bool ok = read_number(&r->line, UINT64_MAX, times) && *times >= 1;
  *launched = 0;
  if (ok && skip(&r->line, " of "))
    ok = read_number(&r->line, UINT64_MAX, launched) && *launched > *times;
  return ok && r->line.length == 0
             ? true
             : fail(r, "'times' is not a number of at least 1, or that and 'of' a larger one");
}

static bool next_small_number(reader *r, const char *key, uint32_t least, uint32_t *number) {
  uint64_t value = 0;
  bool ok = next_number(r, key, least, UINT32_MAX - 1, &value);
  *number = (uint32_t)value;
  return ok;
}

// How many lines, or items of one, are to come. Each takes two characters at least, so that memory
// is asked for no more than there is to read.
static bool next_count(reader *r, const char *key, uint32_t least, uint32_t *count) {
  if (!next_small_number(r, key, least, count))
    return false;
  return *count <= r->rest.length / 2 ? true : fail(r, "the file is cut off: it has fewer");
}

static bool next_shape(reader *r, const char *key, uint32_t *shape) {
  if (!next_value(r, key))
    return false;
  for (int i = 0; i < 3; i++) {
    uint64_t value = 0;
    if ((i > 0 && !skip(&r->line, " ")) || !read_number(&r->line, UINT32_MAX, &value) || value == 0)
      return fail(r, "three numbers are expected, each at least 1");
    shape[i] = (uint32_t)value;
  }
  return r->line.length == 0 ? true : fail(r, "three numbers are expected, each at least 1");
}

static const char *keep(reader *r, piece p) {
  char *text = LIN_HAVE(r->memory, char, p.length + 1);
  if (text != NULL)
    memcpy(text, p.text, p.length);
  return text;
}

// ---- the launch

static bool read_hash(reader *r, uint64_t *hash) {
  static const char digits[] = "0123456789abcdef";
  if (!next_value(r, "hash"))
    return false;
  bool ok = r->line.length == 16;
  for (size_t i = 0; ok && i < 16; i++) {
    const char *digit = memchr(digits, r->line.text[i], 16);
    ok = digit != NULL;
    *hash = 16 * *hash + (uint64_t)(ok ? digit - digits : 0);
  }
  return ok ? true : fail(r, "'hash' is not 16 hexadecimal digits");
}

static bool read_field(reader *r, const char **field) {
  char end = skip(&r->line, "\"") ? '"' : ',';
  const char *stop = memchr(r->line.text, end, r->line.length);
  if (stop == NULL && end == '"')
    return fail(r, "a quote is not closed");
  size_t length = stop == NULL ? r->line.length : (size_t)(stop - r->line.text);
  *field = keep(r, (piece){r->line.text, length});
  r->line = (piece){r->line.text + length, r->line.length - length};
  if (end == '"')
    skip(&r->line, "\"");
  return true;
}

static bool read_block(reader *r, uint32_t num_blocks, lin_counts_block *block) {
  static const char expected[] = "'# FUNCTION,BLOCK,CYCLES,PLACE,AROUND' is expected here";
  uint64_t latency = 0, around = UINT32_MAX;
  if (!next_line(r))
    return false;
  if (!skip(&r->line, "# ") || !read_field(r, &block->function) || !skip(&r->line, ",") ||
      !read_field(r, &block->name) || !skip(&r->line, ","))
    return fail(r, expected);
  if (!read_number(&r->line, UINT32_MAX, &latency))
    return fail(r, "the block's cycles are not a number");
  if (!skip(&r->line, ",") || !read_field(r, &block->source) || !skip(&r->line, ","))
    return fail(r, expected);
  if (r->line.length > 0 && (!read_number(&r->line, num_blocks - 1, &around) || r->line.length > 0))
    return fail(r, "the block around it is not a number of one, or nothing");
  block->around = (uint32_t)around;
  block->latency = (uint32_t)latency;
  return true;
}

// None is around itself, be it by way of others.
static bool are_around(reader *r, const lin_counts_launch *l) {
  lin_chance ignored;
  uint32_t *around = LIN_HAVE(r->memory, uint32_t, l->num_blocks);
  for (uint32_t b = 0; around != NULL && b < l->num_blocks; b++)
    around[b] = l->blocks[b].around;
  return lin_chance_start(&ignored, r->memory, l->num_blocks, around, NULL) || r->memory->is_out
             ? true
             : fail(r, "a block is around itself");
}

// "# 0:1 4:8"; blocks rise.
static bool read_vector(reader *r, uint32_t num_blocks, uint64_t *vector) {
  if (!next_line(r))
    return false;
  if (!skip(&r->line, "#"))
    return fail(r, "a vector is expected here, '# BLOCK:COUNT ...'");
  for (uint64_t block = 0, least = 0; r->line.length > 0; least = block + 1) {
    uint64_t count;
    if (!skip(&r->line, " ") || !read_number(&r->line, UINT32_MAX, &block) ||
        !skip(&r->line, ":") || !read_number(&r->line, UINT64_MAX, &count))
      return fail(r, "the vector is not '# BLOCK:COUNT ...'");
    if (block >= num_blocks || block < least)
      return fail(r, "the vector's blocks don't rise, or there are fewer");
    vector[block] = count;
  }
  return true;
}

// "# 96*0 32*1 4*-"
static bool read_runs(reader *r, lin_counts_launch *l) {
  if (!next_line(r))
    return false;
  uint64_t sum = 0;
  bool ok = skip(&r->line, "#");
  for (uint32_t i = 0; ok && i < l->num_runs; i++) {
    uint64_t threads = 0, vector = LIN_COUNTS_UNKNOWN;
    ok = skip(&r->line, " ") && read_number(&r->line, UINT32_MAX, &threads) &&
         skip(&r->line, "*") &&
         (skip(&r->line, "-") || read_number(&r->line, UINT32_MAX - 1, &vector));
    if (ok && vector != LIN_COUNTS_UNKNOWN && vector >= l->num_vectors)
      return fail(r, "there are fewer vectors");
    ok = ok && threads > 0;
    l->run[i] = (lin_counts_run){(uint32_t)threads, (uint32_t)vector};
    sum += threads;
  }
  if (!ok || r->line.length > 0)
    return fail(r, "as many threads as announced are expected here, '# THREADS*VECTOR ...'");
  return sum == lin_counts_threads(l)
             ? true
             : fail(r, "there are not as many threads as the launch has by 'grid' and 'block'");
}

static bool read_head(reader *r, lin_counts_launch *l) {
  bool ok = read_hash(r, &l->hash) && next_times(r, &l->times, &l->launched) &&
            next_shape(r, "grid", l->grid) && next_shape(r, "block", l->block);
  if (!ok)
    return false;
  if (lin_counts_threads(l) > UINT32_MAX)
    return fail(r, "the launch has 2^32 threads or more");
  if (!next_small_number(r, "sample", 1, &l->sample) || !next_value(r, "gpu"))
    return false;
  l->gpu = keep(r, r->line);
  return next_small_number(r, "multiprocessors", 0, &l->multiprocessors) &&
         next_number(r, "time", 0, UINT64_MAX, &l->time);
}

// Behind its line `# launch`, in which the kernel's name is left.
static bool read_launch(reader *r, lin_counts_launch *l) {
  l->kernel = keep(r, r->line);
  if (!read_head(r, l) || !next_count(r, "blocks", 1, &l->num_blocks))
    return false;
  l->blocks = LIN_HAVE(r->memory, lin_counts_block, l->num_blocks);
  for (uint32_t b = 0; b < l->num_blocks; b++)
    if (!read_block(r, l->num_blocks, &l->blocks[b]))
      return false;
  if (!are_around(r, l) || !next_count(r, "vectors", 0, &l->num_vectors))
    return false;
  l->vector = LIN_HAVE(r->memory, uint64_t, (size_t)l->num_vectors * l->num_blocks);
  for (uint32_t v = 0; v < l->num_vectors; v++)
    if (!read_vector(r, l->num_blocks, l->vector + (size_t)v * l->num_blocks))
      return false;
  if (!next_count(r, "threads", 0, &l->num_runs))
    return false;
  l->run = LIN_HAVE(r->memory, lin_counts_run, l->num_runs);
  return read_runs(r, l);
}

// If there are any: behind the launch, in whose next line the reader is then.
static bool read_passes(reader *r, lin_counts_launch *l) {
  if (!is(r->line, "# passes"))
    return true;
  l->passes = LIN_HAVE(r->memory, uint64_t, l->num_blocks);
  l->passes_at_most = LIN_HAVE(r->memory, uint64_t, l->num_blocks);
  if (!read_vector(r, l->num_blocks, l->passes) ||
      !read_vector(r, l->num_blocks, l->passes_at_most))
    return false;
  for (uint32_t b = 0; b < l->num_blocks; b++)
    if (l->passes_at_most[b] > l->passes[b])
      return fail(r, "more passes are left than there are");
  return next_line(r);
}

// ---- the file

static bool is_launch(reader *r) { return skip(&r->line, "# launch "); }

// What begins so is counted in lines; each launch is one of them.
static uint32_t count_launches(reader r) {
  uint32_t count = 0;
  while (r.rest.length > 0 && next_line(&r))
    count += is_launch(&r);
  return count;
}

// The version, and the profile's rows.
static bool read_top(reader *r) {
  static const char first[] = "# linearize counts ";
  if (!next_line(r))
    return false;
  if (!skip(&r->line, first))
    return fail(r, "no file of counts: it doesn't begin with '# linearize counts 2'");
  if (!is(r->line, "2"))
    return fail(r, "a file of counts of another version: this reads version 2");
  do
    if (!next_line(r))
      return false;
  while (r->line.length == 0 || r->line.text[0] != '#');
  return true;
}

lin_counts *lin_counts_read(lin_memory *memory, const char *text, size_t length,
                            lin_counts_error *error) {
  lin_counts_error ignored;
  reader r = {.memory = memory, .rest = {text, length}, .error = error};
  reader ahead = r;
  ahead.error = &ignored;
  if (!read_top(&r))
    return NULL;
  lin_counts *counts = LIN_HAVE(memory, lin_counts, 1);
  uint32_t room = count_launches(ahead);
  lin_counts_launch *launch = LIN_HAVE(memory, lin_counts_launch, room);
  while (launch != NULL && !r.failed && is_launch(&r)) {
    lin_counts_launch *l = &launch[counts->num_launches++];
    if (read_launch(&r, l) && next_line(&r))
      read_passes(&r, l);
  }
  if (memory->is_out)
    next_line(&r); // says so
  else if (!r.failed && !is(r.line, "# end"))
    fail(&r, "'# launch' or '# end' is expected here");
  else if (!r.failed && r.rest.length > 0)
    r.at++, fail(&r, "nothing is expected behind '# end'");
  if (r.failed)
    return NULL;
  counts->launch = launch;
  return counts;
}

uint64_t lin_counts_threads(const lin_counts_launch *l) {
  uint64_t threads = 1; // a product of six numbers below 2^32: UINT64_MAX is more than any good one
  for (int i = 0; i < 3; i++) {
    threads = threads > UINT32_MAX ? UINT64_MAX : threads * l->grid[i];
    threads = threads > UINT32_MAX ? UINT64_MAX : threads * l->block[i];
  }
  return threads;
}
