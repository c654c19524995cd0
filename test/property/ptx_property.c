// Mutated PTX: whatever the text is, it is refused in one line, or its functions are read, and a
// module of which nothing is changed comes out byte for byte.
//
//   ptx_property SEED COUNT FILE...
//
// Each of COUNT texts is one of the files, a few of whose bytes, words or lines are changed, moved,
// swapped, repeated or taken away. Meant for a build with sanitizers (scripts/fuzz ptx); prints the
// seed of what fails, and stops.
#define _POSIX_C_SOURCE 200809L
#include "expect.h"

#include "ptx/divergence.h"
#include "ptx/operands.h"
#include "ptx/patch.h"
#include "ptx/prospects.h"

#include <stdlib.h>
#include <string.h>

static uint64_t state, seed;

// Of sanitizers; they call it before they end the program.
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void say_seed(void) { fprintf(stderr, "seed %llu\n", (unsigned long long)seed); }

static uint32_t draw(uint32_t limit) {
  state += 0x9e3779b97f4a7c15u; // splitmix64
  uint64_t z = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return limit == 0 ? 0 : (uint32_t)((z ^ (z >> 31)) % limit);
}

typedef struct text {
  char *bytes;
  uint32_t length;
} text;

static text read_file(const char *name) {
  FILE *file = fopen(name, "rb");
  if (file == NULL) {
    fprintf(stderr, "%s can't be read\n", name);
    exit(2);
  }
  text result = {NULL, 0};
  for (uint32_t capacity = 1u << 16;; capacity *= 2) {
    result.bytes = realloc(result.bytes, capacity);
    result.length +=
        (uint32_t)fread(result.bytes + result.length, 1, capacity - result.length, file);
    if (result.length < capacity)
      break;
  }
  fclose(file);
  return result;
}

// A piece of a text: a few bytes, or what stands between two blanks, semicolons or ends of lines.
typedef struct span {
  uint32_t start, end;
} span;

enum { KINDS = 4 }; // bytes, lines, words, statements

static span choose_span(text t, uint32_t kind) {
  uint32_t start = draw(t.length), end = start + 1 + draw(3);
  const char *stops = kind == 0 ? NULL : kind == 1 ? "\n" : kind == 2 ? " \t\n,;" : ";";
  if (stops != NULL) {
    while (start > 0 && strchr(stops, t.bytes[start - 1]) == NULL)
      start--;
    while (end < t.length && strchr(stops, t.bytes[end - 1]) == NULL)
      end++;
  }
  return (span){start, end < t.length ? end : t.length};
}

static text splice(text t, span at, const char *with, uint32_t length) {
  text result = {malloc((size_t)t.length + length + 1), at.start + length + (t.length - at.end)};
  memcpy(result.bytes, t.bytes, at.start);
  memcpy(result.bytes + at.start, with, length);
  memcpy(result.bytes + at.start + length, t.bytes + at.end, t.length - at.end);
  free(t.bytes);
  return result;
}

// Two pieces that don't overlap change places: labels, registers, lines.
static text swap(text t, span first, span second) {
  if (first.start > second.start) {
    span other = first;
    first = second;
    second = other;
  }
  if (first.end > second.start)
    return t;
  char *bytes = malloc((size_t)t.length + 1), *at = bytes;
  const span pieces[] = {
      {0, first.start}, second, {first.end, second.start}, first, {second.end, t.length}};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    memcpy(at, t.bytes + pieces[i].start, pieces[i].end - pieces[i].start);
    at += pieces[i].end - pieces[i].start;
  }
  free(t.bytes);
  return (text){bytes, t.length};
}

static text mutate(text t) {
  static const char *const words[] = {"{",
                                      "}",
                                      "(",
                                      ")",
                                      "[",
                                      ";",
                                      ":",
                                      ",",
                                      "@%p1 ",
                                      "bra $B1;",
                                      "ret;",
                                      "exit;",
                                      "@%p1 ret;",
                                      "trap;",
                                      ".reg",
                                      ".reg .pred %p<9>;",
                                      "\"",
                                      "/*",
                                      "*/",
                                      "//",
                                      ".loc 1 1 1",
                                      "brx.idx %r1, $T;",
                                      "$T: .branchtargets $B1, $B2;",
                                      "%p<4294967295>",
                                      "\n{\n",
                                      "\n}\n",
                                      "$B1:",
                                      "call.uni f, ();",
                                      "bra.uni $B2;",
                                      "\r\n",
                                      "mov.u32 %r1, 0;",
                                      ".entry",
                                      ".func",
                                      ".version 7.0",
                                      ".pragma \"x\";",
                                      "<",
                                      ">",
                                      "|",
                                      "!"};
  if (t.length == 0)
    return t;
  uint32_t kind = draw(KINDS);
  span at = choose_span(t, kind), other = choose_span(t, kind);
  char byte = (char)draw(256);
  const char *word = words[draw(sizeof words / sizeof *words)];
  switch (draw(8)) {
  case 0:
    return splice(t, at, &byte, 1);
  case 1:
    return splice(t, at, "", 0); // gone
  case 2:
    at.end = at.start;
    return splice(t, at, word, (uint32_t)strlen(word));
  case 3:
    return splice(t, at, word, (uint32_t)strlen(word));
  case 4: {
    uint32_t length = other.end - other.start;
    char *copy = malloc((size_t)length + 1);
    memcpy(copy, t.bytes + other.start, length);
    if (draw(2) == 0)
      at.end = at.start;
    t = splice(t, at, copy, length);
    free(copy);
    return t;
  }
  case 5:
  case 6:
    return swap(t, at, other);
  default:
    at.end = draw(16) == 0 ? t.length : at.end; // cut off
    return splice(t, at, "", 0);
  }
}

static uint32_t functions, prospects;

static void check_function(const lin_ptx_module *module, uint32_t number, text t) {
  lin_arena arena = {0};
  const lin_ptx_place *place = &module->function[number];
  const lin_ptx_body *body = lin_ptx_body_read(&arena, module, place);
  functions++;
  if (body->refused != NULL) {
    EXPECT(body->refused_at <= t.length && strchr(body->refused, '\n') == NULL);
  } else {
    lin_ptx_function *f = lin_ptx_read(&arena, body);
    EXPECT(f->num_written <= f->graph->num_blocks);
    lin_ptx_find_uniform(f);
    for (uint32_t at = 0; at < body->count; at++) {
      lin_ptx_operands operands = {0};
      lin_ptx_operands_read(&arena, body, at, &operands);
      EXPECT(body->instruction[at].start < body->instruction[at].end);
    }
  }
  lin_arena_release(&arena);
}

static void check(text t) {
  lin_arena arena = {0};
  lin_ptx_error error;
  const lin_ptx_module *module = lin_ptx_module_read(&arena, t.bytes, t.length, &error);
  EXPECT((module == NULL) == (error.message != NULL));
  if (module == NULL) {
    EXPECT(error.line > 0 && strchr(error.message, '\n') == NULL);
    lin_arena_release(&arena);
    return;
  }
  lin_ptx_wishes wishes = {.parting = draw(2) == 0, .melds = draw(2) == 0};
  wishes.mode[draw(LIN_NO_MODE)] = true;
  lin_ptx_patch patch = {.arena = &arena};
  for (uint32_t i = 0; i < module->num_functions; i++) {
    check_function(module, i, t);
    prospects += lin_ptx_has_prospects(module, i, &wishes);
    // The same text in its place, as what is spliced.
    const lin_ptx_place *place = &module->function[i];
    lin_ptx_change_text(&patch, place->body, place->end,
                        lin_arena_text(&arena, t.bytes + place->body, place->end - place->body));
  }
  char *result;
  size_t length;
  FILE *file = open_memstream(&result, &length);
  lin_ptx_patch_write(file, t.bytes, t.length, &patch);
  fclose(file);
  bool has_nul = memchr(t.bytes, '\0', t.length) != NULL; // at which a text ends
  EXPECT(has_nul || (length == t.length && memcmp(result, t.bytes, length) == 0));
  free(result);
  lin_arena_release(&arena);
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: ptx_property SEED COUNT FILE...\n");
    return 2;
  }
  uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
  if (__sanitizer_set_death_callback != NULL)
    __sanitizer_set_death_callback(say_seed);
  uint32_t num_files = (uint32_t)argc - 3;
  text *files = malloc(num_files * sizeof *files);
  for (uint32_t i = 0; i < num_files; i++)
    files[i] = read_file(argv[3 + i]);
  for (uint64_t i = 0; i < count && failed == 0; i++) {
    state = seed = first + i;
    text original = files[draw(num_files)];
    text t = {malloc((size_t)original.length + 1), original.length};
    memcpy(t.bytes, original.bytes, original.length);
    for (uint32_t changes = draw(6); changes > 0; changes--)
      t = mutate(t);
    check(t);
    free(t.bytes);
    if (failed > 0)
      say_seed();
  }
  for (uint32_t i = 0; i < num_files; i++)
    free(files[i].bytes);
  free(files);
  printf("%llu texts, %u functions, %u with prospects\n", (unsigned long long)count, functions,
         prospects);
  return failed == 0 ? 0 : 1;
}
