#define _POSIX_C_SOURCE 200809L // open_memstream
#include "splice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct splicing {
  lin_arena *arena;
  const lin_ptx_module *ptx, *written;
  const lin_ptx_place *to, *from;
  const lin_ptx_body *body;    // of `to`
  const lin_lift_lines *lines; // of `to`
  bool *is_put;                // [body->num_locs]
  bool is_copy;  // then parameters have the names that LLVM gives them, else those of `to`
  uint32_t last; // the .loc that was put last
  FILE *out;
} splicing;

static const lin_ptx_place *find_function(const lin_ptx_module *module, const char *name) {
  const uint32_t number = lin_ptx_find_function(module, name);
  return number == module->num_functions ? NULL : &module->function[number];
}

// What is inlined somewhere stands behind the .loc of that place.
static void put_with_callers(splicing *s, uint32_t loc) {
  uint32_t count = 0, capacity = 0, *chain = NULL;
  for (uint32_t at = loc; at != LIN_NONE && (at == loc || !s->is_put[at]);
       at = s->lines->caller[at]) {
    chain = LIN_ROOM(s->arena, chain, count, &capacity);
    chain[count++] = at;
  }
  while (count > 0) {
    const lin_ptx_loc *l = &s->body->loc[chain[--count]];
    s->is_put[chain[count]] = true;
    fprintf(s->out, "%.*s\n", (int)(l->end - l->start), s->ptx->text + l->start);
  }
}

// `.loc 1 17 0` of what LLVM wrote.
static void put_loc(splicing *s, lin_ptx_scan *scan) {
  lin_ptx_next(scan);
  uint32_t line = lin_ptx_number(scan->text, lin_ptx_next(scan));
  lin_ptx_next(scan);
  uint32_t loc = lin_lift_loc_on(s->lines, line);
  if (loc == LIN_NONE || loc == s->last)
    return;
  s->last = loc;
  put_with_callers(s, loc);
}

static bool is_word(const char *text, lin_ptx_token word, const char *name, size_t length) {
  return word.end - word.start == length && memcmp(text + word.start, name, length) == 0;
}

// f_param_3 of what LLVM wrote: the number, or LIN_NONE.
static uint32_t parameter_of(const splicing *s, lin_ptx_token word) {
  size_t name = strlen(s->from->name), length = word.end - word.start;
  const char *text = s->written->text + word.start;
  static const char middle[] = "_param_";
  if (length <= name + sizeof middle - 1 || memcmp(text, s->from->name, name) != 0 ||
      memcmp(text + name, middle, sizeof middle - 1) != 0)
    return LIN_NONE;
  lin_ptx_token number = {LIN_PTX_WORD, word.start + (uint32_t)(name + sizeof middle - 1), word.end,
                          '0'};
  uint32_t found = lin_ptx_number(s->written->text, number);
  return found < s->to->parameters.count ? found : LIN_NONE;
}

static const char of[] = ".of.";
static const char written_result[] = "func_retval0"; // LLVM's name for a function's

const char *lin_lift_own_name(lin_arena *arena, const char *name, const char *function) {
  size_t size = strlen(name) + strlen(of) + strlen(function) + 1;
  char *text = lin_arena_bytes(arena, size);
  snprintf(text, size, "%s%s%s", name, of, function);
  return text;
}

// `s.of.f` of what LLVM wrote for f: the length of `s`, or 0.
static uint32_t own_length(const splicing *s, lin_ptx_token word) {
  size_t length = word.end - word.start, behind = strlen(of) + strlen(s->to->name);
  const char *end = s->written->text + word.end;
  bool is_own = length > behind && memcmp(end - behind, of, strlen(of)) == 0 &&
                memcmp(end - strlen(s->to->name), s->to->name, strlen(s->to->name)) == 0;
  return is_own ? (uint32_t)(length - behind) : 0;
}

// Puts another name in place of a parameter's, the result's or that of a variable of the function's
// own. Returns false if it isn't one.
static bool put_name(splicing *s, lin_ptx_token word) {
  const char *text = s->written->text, *own = s->ptx->text;
  uint32_t length = own_length(s, word);
  if (length > 0) {
    fwrite(text + word.start, 1, length, s->out);
    return true;
  }
  const lin_ptx_variables *parameters = &s->to->parameters, *results = &s->to->results;
  if (s->is_copy) { // assembly has the names of `to`
    for (uint32_t i = 0; i < parameters->count; i++) {
      const lin_ptx_variable *p = &parameters->variable[i];
      if (is_word(text, word, own + p->start, p->end - p->start)) {
        fprintf(s->out, "%s_param_%u", s->from->name, i);
        return true;
      }
    }
    return false;
  }
  const uint32_t number = parameter_of(s, word);
  const bool is_result =
      results->count > 0 && is_word(text, word, written_result, sizeof written_result - 1);
  if (number == LIN_NONE && !is_result)
    return false;
  const lin_ptx_variable *name =
      is_result ? &results->variable[results->count - 1] : &parameters->variable[number];
  fwrite(own + name->start, 1, name->end - name->start, s->out);
  return true;
}

// Prototypes and pragmas of the whole function. Those of pieces stand in these.
static void put_asides(splicing *s) {
  for (uint32_t i = 0; i < s->body->num_asides; i++) {
    const lin_ptx_aside *aside = &s->body->aside[i];
    if (aside->scope == 0)
      fprintf(s->out, "\t%.*s\n", (int)(aside->end - aside->start), s->ptx->text + aside->start);
  }
}

// The function's own variables, but for local memory, which LLVM has laid out anew. Parameters of
// calls that stand in braces are the assembly's.
static void put_variables(splicing *s) {
  const lin_ptx_variables *all = &s->body->variables;
  for (uint32_t i = 0, put = 0; i < all->count; i++) {
    const lin_ptx_variable *v = &all->variable[i];
    if (v->space == LIN_PTX_LOCAL || v->scope != 0 || v->behind == put)
      continue;
    put = v->behind; // of several names in one statement
    fprintf(s->out, "\t%.*s\n", (int)(v->behind - v->declared), s->ptx->text + v->declared);
  }
}

// A comment of LLVM's, or a label of debug info that nobody reads: not to be put.
static bool is_noise(const char *line, const char *end) {
  while (line < end && (*line == ' ' || *line == '\t'))
    line++;
  static const char *const noise[] = {"//", "$L__tmp", "$L__func_begin", "$L__func_end", NULL};
  for (const char *const *n = noise; *n != NULL; n++)
    if ((size_t)(end - line) >= strlen(*n) && memcmp(line, *n, strlen(*n)) == 0)
      return true;
  return line == end;
}

// LLVM makes `bfe.s64 to, from, place, width` of two shifts. ptxas 13.0 makes six machine
// instructions of that where both numbers are known, and three of the shifts: so they stay shifts.
// False: it is another line.
static bool put_shifts(const splicing *s, uint32_t start, uint32_t end) {
  const char *text = s->written->text;
  lin_ptx_scan scan = {text, end, start};
  lin_ptx_token token = lin_ptx_next(&scan), operand[4];
  if (token.kind != LIN_PTX_WORD || !lin_ptx_is(text, token, "bfe.s64"))
    return false;
  for (int i = 0; i < 4; i++) {
    operand[i] = lin_ptx_next(&scan);
    lin_ptx_next(&scan); // a comma, or the end
  }
  const unsigned long place = strtoul(text + operand[2].start, NULL, 10),
                      width = strtoul(text + operand[3].start, NULL, 10);
  if (operand[2].first == '%' || operand[3].first == '%' || width == 0 || place + width > 64)
    return false;
  const int to = (int)(operand[0].end - operand[0].start);
  fprintf(s->out, "\tshl.b64 \t%.*s, %.*s, %lu;\n\tshr.s64 \t%.*s, %.*s, %lu;\n", to,
          text + operand[0].start, (int)(operand[1].end - operand[1].start),
          text + operand[1].start, 64 - place - width, to, text + operand[0].start, to,
          text + operand[0].start, 64 - width);
  return true;
}

static void put_line(splicing *s, uint32_t start, uint32_t end) {
  const char *text = s->written->text;
  lin_ptx_scan scan = {text, end, start};
  uint32_t written = start, last = start; // behind that there is a comment, if anything
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.kind == LIN_PTX_END)
      break;
    last = token.end;
    if (token.first == '.' && lin_ptx_is(text, token, ".loc")) {
      put_loc(s, &scan);
      return;
    }
    if (token.kind != LIN_PTX_WORD)
      continue;
    fwrite(text + written, 1, token.start - written, s->out);
    written = put_name(s, token) ? token.end : token.start;
  }
  if (last > written)
    fwrite(text + written, 1, last - written, s->out);
  fputc('\n', s->out);
}

static void put_body(splicing *s) {
  const char *text = s->written->text;
  fputc('\n', s->out);
  put_variables(s);
  put_asides(s);
  for (uint32_t at = s->from->body; at < s->from->end;) {
    const char *end = memchr(text + at, '\n', s->from->end - at);
    uint32_t behind = end == NULL ? s->from->end : (uint32_t)(end - text);
    if (!is_noise(text + at, text + behind) && !put_shifts(s, at, behind))
      put_line(s, at, behind);
    at = behind + 1;
  }
}

// What goes between the braces, in the patch's arena.
static const char *make_body(splicing *s, lin_ptx_patch *patch) {
  s->is_put = LIN_ARRAY(s->arena, bool, s->body->num_locs + 1);
  char *text;
  size_t length;
  s->out = open_memstream(&text, &length);
  if (s->out == NULL)
    abort();
  put_body(s);
  fclose(s->out);
  const char *made = lin_arena_text(patch->arena, text, length);
  free(text);
  return made;
}

static splicing begin(lin_arena *arena, const lin_lift_lines *lines, const char *name,
                      const lin_ptx_module *written) {
  return (splicing){.arena = arena,
                    .ptx = lines->body->module,
                    .written = written,
                    .to = lines->body->place,
                    .from = find_function(written, name),
                    .body = lines->body,
                    .lines = lines,
                    .last = LIN_NONE};
}

bool lin_lift_splice(const lin_lift_lines *lines, const lin_ptx_module *written,
                     lin_ptx_patch *patch) {
  lin_arena arena = {0};
  splicing s = begin(&arena, lines, lines->body->place->name, written);
  if (s.from != NULL)
    lin_ptx_change_text(patch, s.to->body, s.to->end, make_body(&s, patch));
  lin_arena_release(&arena);
  return s.from != NULL;
}

// What LLVM says of its parameters, and the directives of `to`, of which it doesn't know all.
static char *make_head(const splicing *s) {
  const uint32_t behind = s->from->directives, start = s->from->start;
  const uint32_t directives = s->to->directives;
  const uint32_t first = behind - start, second = s->to->body - directives;
  char *head = lin_arena_bytes(s->arena, first + second + 1);
  memcpy(head, s->written->text + start, first);
  memcpy(head + first, s->ptx->text + directives, second);
  head[first + second] = '\0';
  return head;
}

bool lin_lift_splice_copy(const lin_lift_lines *lines, const char *name,
                          const lin_ptx_module *written, lin_ptx_patch *patch) {
  lin_arena arena = {0};
  splicing s = begin(&arena, lines, name, written);
  s.is_copy = true;
  if (s.from != NULL) {
    const lin_ptx_module *ptx = s.ptx;
    const uint32_t behind = ptx->function[ptx->num_functions - 1].end + 1;
    char *head = make_head(&s);
    lin_ptx_change_text(patch, behind, behind, "\n");
    lin_ptx_change_text(patch, behind, behind, head);
    lin_ptx_change_text(patch, behind, behind, make_body(&s, patch));
    lin_ptx_change_text(patch, behind, behind, "}\n");
    if (!s.from->is_kernel) { // which copies that stand in front of it may call
      const uint32_t front = ptx->function[0].start;
      *strrchr(head, '{') = ';';
      lin_ptx_change_text(patch, front, front, head);
      lin_ptx_change_text(patch, front, front, "\n");
    }
  }
  lin_arena_release(&arena);
  return s.from != NULL;
}

static bool has_variable(const lin_ptx_module *module, const char *text,
                         const lin_ptx_variable *v) {
  const lin_ptx_variables *all = &module->variables;
  for (uint32_t i = 0; i < all->count; i++)
    if (all->variable[i].end - all->variable[i].start == v->end - v->start &&
        memcmp(module->text + all->variable[i].start, text + v->start, v->end - v->start) == 0)
      return true;
  return false;
}

void lin_lift_splice_variables(const lin_ptx_module *ptx, const lin_ptx_module *written,
                               lin_ptx_patch *patch) {
  for (uint32_t i = 0; i < written->variables.count; i++) {
    const lin_ptx_variable *v = &written->variables.variable[i];
    if (v->is_extern || has_variable(ptx, written->text, v))
      continue;
    const uint32_t length = v->behind - v->declared;
    char *line = lin_arena_bytes(patch->arena, length + 2);
    memcpy(line, written->text + v->declared, length);
    line[length] = '\n';
    lin_ptx_change_text(patch, ptx->function[0].start, ptx->function[0].start, line);
  }
}
