#include "statements.h"

#include <string.h>

typedef struct reader {
  lin_arena *arena;
  const lin_ptx_module *module;
  lin_ptx_scan scan;
  lin_ptx_statement *statement;
  uint32_t count, capacity;
} reader;

static bool is(const reader *r, lin_ptx_token token, const char *word) {
  return lin_ptx_is(r->scan.text, token, word);
}

// Whether a word begins a statement, behind its linkage; and of what kind.
static bool begins(const reader *r, lin_ptx_token token, lin_ptx_statement_kind *kind) {
  static const struct {
    const char *word;
    lin_ptx_statement_kind kind;
  } words[] = {{".func", LIN_PTX_IS_DECLARED},    {".entry", LIN_PTX_IS_DECLARED},
               {".global", LIN_PTX_IS_GLOBAL},    {".const", LIN_PTX_IS_CONSTANT},
               {".shared", LIN_PTX_IS_SHARED},    {".tex", LIN_PTX_IS_OTHER},
               {".texref", LIN_PTX_IS_OTHER},     {".surfref", LIN_PTX_IS_OTHER},
               {".samplerref", LIN_PTX_IS_OTHER}, {".alias", LIN_PTX_IS_OTHER}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is(r, token, words[i].word)) {
      *kind = words[i].kind;
      return true;
    }
  return false;
}

static void take_name(reader *r, lin_ptx_statement *s, lin_ptx_token token) {
  s->name = r->scan.text + token.start;
  s->length = token.end - token.start;
}

// Reads on to the semicolon, or to what begins the next statement where there is none.
static void read_rest(reader *r, lin_ptx_statement *s) {
  uint32_t depth = 0;
  for (bool skips = false;;) {
    const lin_ptx_token token = lin_ptx_peek(&r->scan);
    lin_ptx_statement_kind next;
    const bool is_outside = depth == 0 && token.kind == LIN_PTX_WORD;
    if (token.kind == LIN_PTX_END || token.kind == LIN_PTX_BAD ||
        (is_outside && s->name != NULL &&
         (lin_ptx_is_linkage(r->scan.text, token) || begins(r, token, &next))))
      return;
    lin_ptx_next(&r->scan);
    s->end = token.end;
    if (token.kind == LIN_PTX_PUNCTUATION) {
      depth += token.first == '(' || token.first == '{' || token.first == '[';
      depth -= token.first == ')' || token.first == '}' || token.first == ']';
      s->has_value |= depth == 0 && token.first == '=';
      if (depth == 0 && token.first == ',' && s->kind != LIN_PTX_IS_DECLARED)
        s->kind = LIN_PTX_IS_OTHER;
      if (depth == 0 && token.first == ';')
        return;
    } else if (is_outside && token.first != '.' && s->name == NULL && !skips) {
      take_name(r, s, token);
    }
    skips = is(r, token, ".align"); // its number is no name
  }
}

static void add(reader *r, lin_ptx_statement s) {
  r->statement = LIN_ROOM(r->arena, r->statement, r->count, &r->capacity);
  r->statement[r->count++] = s;
}

static void add_function(reader *r, uint32_t number) {
  const lin_ptx_place *f = &r->module->function[number];
  add(r, (lin_ptx_statement){.kind = LIN_PTX_IS_FUNCTION,
                             .name = f->name,
                             .length = (uint32_t)strlen(f->name),
                             .start = f->start,
                             .end = f->end + 1,
                             .place = number,
                             .has_linkage = true});
  r->scan.at = f->end + 1;
}

// .section .debug_info { ... }
static void skip_section(reader *r) {
  uint32_t depth = 0;
  do {
    const lin_ptx_token token = lin_ptx_next(&r->scan);
    if (token.kind == LIN_PTX_END)
      return;
    depth += token.first == '{' && token.kind == LIN_PTX_PUNCTUATION;
    depth -= token.first == '}' && token.kind == LIN_PTX_PUNCTUATION;
    if (depth == 0 && token.first == '}')
      return;
  } while (true);
}

static void read_statement(reader *r, lin_ptx_token token) {
  lin_ptx_statement s = {.start = token.start, .end = token.end};
  while (lin_ptx_is_linkage(r->scan.text, token)) {
    s.has_linkage = true;
    s.is_external |= is(r, token, ".extern");
    token = lin_ptx_next(&r->scan);
  }
  if (!begins(r, token, &s.kind))
    return;
  read_rest(r, &s);
  if (s.name != NULL)
    add(r, s);
}

lin_ptx_statement *lin_ptx_statements(lin_arena *arena, const lin_ptx_module *module,
                                      uint32_t *count) {
  reader r = {.arena = arena, .module = module, .scan = {module->text, module->length, 0}};
  for (uint32_t function = 0;;) {
    const lin_ptx_token token = lin_ptx_peek(&r.scan);
    if (token.kind == LIN_PTX_END || token.kind == LIN_PTX_BAD)
      break;
    if (function < module->num_functions && token.start == module->function[function].start) {
      add_function(&r, function++);
      continue;
    }
    lin_ptx_next(&r.scan);
    if (is(&r, token, ".section"))
      skip_section(&r);
    else if (token.kind == LIN_PTX_WORD)
      read_statement(&r, token);
  }
  *count = r.count;
  return r.statement;
}
