#include "extract.h"

#include "statements.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
  const lin_ptx_module *module;
  lin_ptx_patch *patch;
  lin_arena *arena;
  lin_ptx_statement *statement; // [count]
  uint32_t count;
  const lin_ptx_statement **by_name; // [count]
  bool *is_reached;                  // [count]
  uint32_t *left;                    // [num_left] reached, and not yet looked at
  uint32_t num_left;
  uint32_t *address; // [count] of a pointed variable: its number, or NO_ADDRESS
  lin_ptx_extracted *made;
} work;

#define NO_ADDRESS UINT32_MAX

// ---- names -------------------------------------------------------------------------------------

static int compare(const char *a, uint32_t a_length, const char *b, uint32_t b_length) {
  const int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
  return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int by_name(const void *a, const void *b) {
  const lin_ptx_statement *one = *(const lin_ptx_statement *const *)a,
                          *other = *(const lin_ptx_statement *const *)b;
  const int order = compare(one->name, one->length, other->name, other->length);
  return order != 0 ? order : (one->start > other->start) - (one->start < other->start);
}

static void sort_names(work *w) {
  w->by_name = lin_arena_array(w->arena, w->count + 1, sizeof *w->by_name);
  for (uint32_t i = 0; i < w->count; i++)
    w->by_name[i] = &w->statement[i];
  qsort(w->by_name, w->count, sizeof *w->by_name, by_name);
}

// The first statement of that name in by_name; w->count: there is none.
static uint32_t find(const work *w, const char *name, uint32_t length) {
  uint32_t low = 0, high = w->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const lin_ptx_statement *s = w->by_name[middle];
    if (compare(s->name, s->length, name, length) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  const lin_ptx_statement *s = low < w->count ? w->by_name[low] : NULL;
  return s != NULL && compare(s->name, s->length, name, length) == 0 ? low : w->count;
}

static const lin_ptx_statement *find_token(const work *w, lin_ptx_token token) {
  if (token.kind != LIN_PTX_WORD || token.first == '.' || token.first == '%')
    return NULL;
  const uint32_t at = find(w, w->module->text + token.start, token.end - token.start);
  return at == w->count ? NULL : w->by_name[at];
}

static uint32_t number_of(const work *w, const lin_ptx_statement *s) {
  return (uint32_t)(s - w->statement);
}

static bool has_name(const lin_ptx_statement *s, const char *name) {
  return s->length == strlen(name) && memcmp(s->name, name, s->length) == 0;
}

// ---- what is used ------------------------------------------------------------------------------

// All statements of a name: a function may be declared before it is defined.
static void reach(work *w, const lin_ptx_statement *named) {
  for (uint32_t at = find(w, named->name, named->length);
       at < w->count &&
       compare(w->by_name[at]->name, w->by_name[at]->length, named->name, named->length) == 0;
       at++) {
    const uint32_t number = number_of(w, w->by_name[at]);
    if (!w->is_reached[number])
      w->left[w->num_left++] = number;
    w->is_reached[number] = true;
  }
}

static void reach_all(work *w, const lin_ptx_statement *kernel) {
  reach(w, kernel);
  while (w->num_left > 0) {
    const lin_ptx_statement *s = &w->statement[w->left[--w->num_left]];
    lin_ptx_scan scan = {w->module->text, s->end, s->start};
    for (lin_ptx_token token; (token = lin_ptx_next(&scan)).kind != LIN_PTX_END;) {
      const lin_ptx_statement *named = find_token(w, token);
      if (named != NULL)
        reach(w, named);
    }
  }
}

// Tables that compilers make: no program has such names.
static bool is_compilers(const lin_ptx_statement *s) {
  static const char *const begins[] = {"__cudart_", "$", "_$_"};
  if (!s->has_value || s->is_external)
    return false;
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (s->length > strlen(begins[i]) && memcmp(s->name, begins[i], strlen(begins[i])) == 0)
      return true;
  return false;
}

static bool is_pointed(const lin_ptx_statement *s) {
  return s->kind == LIN_PTX_IS_GLOBAL && !is_compilers(s);
}

static const char *copy_name(const work *w, const lin_ptx_statement *s) {
  return lin_arena_text(w->arena, s->name, s->length);
}

// Conditions 3 and 4, of what is used; and the numbers of addresses.
static const char *take_variables(work *w) {
  w->made->copied = lin_arena_array(w->arena, w->count + 1, sizeof *w->made->copied);
  w->made->pointed = lin_arena_array(w->arena, w->count + 1, sizeof *w->made->pointed);
  for (uint32_t i = 0; i < w->count; i++) {
    const lin_ptx_statement *s = &w->statement[i];
    w->address[i] = NO_ADDRESS;
    if (!w->is_reached[i])
      continue;
    if (s->kind == LIN_PTX_IS_OTHER)
      return "it uses a texture, surface or sampler, or a second name of a function";
    if (s->is_external && (s->kind == LIN_PTX_IS_GLOBAL || s->kind == LIN_PTX_IS_CONSTANT))
      return "it uses a variable of another module";
    if (is_pointed(s)) {
      w->address[i] = w->made->num_pointed;
      w->made->pointed[w->made->num_pointed++] = copy_name(w, s);
    } else if (s->kind == LIN_PTX_IS_CONSTANT && !is_compilers(s)) {
      w->made->copied[w->made->num_copied++] = copy_name(w, s);
    }
  }
  return NULL;
}

// ---- bodies ------------------------------------------------------------------------------------

// What one token of a body means for what follows.
typedef struct context {
  lin_ptx_token before;
  bool declares;  // a declaration: .reg, .local, ...
  bool calls;     // a call, whose target hasn't come
  bool is_taken;  // the call's target has come
  uint32_t round; // brackets ( that are open
  uint32_t square;
} context;

static bool is_call(const work *w, lin_ptx_token token) {
  const char *word = w->module->text + token.start;
  return token.kind == LIN_PTX_WORD && token.end - token.start >= 4 &&
         memcmp(word, "call", 4) == 0 && (token.end - token.start == 4 || word[4] == '.');
}

static void begin_statement(const work *w, context *c, lin_ptx_token token) {
  c->declares = token.first == '.' && !lin_ptx_is(w->module->text, token, ".loc");
  c->calls = c->is_taken = false;
}

// An operand that names a variable in global memory: the address takes its place.
static const char *change_operand(work *w, const context *c, lin_ptx_token token, uint32_t address,
                                  lin_ptx_token after) {
  char text[48];
  if (c->declares)
    return "it declares the name of a variable of the module again";
  if (c->square == 0 && after.first == '+')
    return "it adds to the address of a variable in a way that isn't known";
  snprintf(text, sizeof text, "%%linearize_at_%u", address);
  lin_ptx_change_text(w->patch, token.start, token.end, text);
  return NULL;
}

// One word of a body. Sets *uses, at its number, for each address.
static const char *look_at_word(work *w, context *c, lin_ptx_token token, lin_ptx_token after,
                                bool *uses) {
  const lin_ptx_statement *named = find_token(w, token);
  const bool is_target = c->calls && !c->is_taken && c->round == 0;
  c->calls |= is_call(w, token);
  if (is_target) {
    c->is_taken = true;
    return named != NULL &&
                   (named->kind == LIN_PTX_IS_FUNCTION || named->kind == LIN_PTX_IS_DECLARED)
               ? NULL
               : "it calls a function by its address";
  }
  if (named == NULL)
    return NULL;
  if (named->kind == LIN_PTX_IS_FUNCTION || named->kind == LIN_PTX_IS_DECLARED)
    return c->declares ? NULL : "it takes the address of a function";
  const uint32_t address = w->address[number_of(w, named)];
  if (address == NO_ADDRESS)
    return NULL;
  uses[address] = true;
  return change_operand(w, c, token, address, after);
}

static bool is_behind(lin_ptx_token before) {
  return before.kind == LIN_PTX_PUNCTUATION &&
         (before.first == ';' || before.first == '{' || before.first == '}' || before.first == ':');
}

static const char *look_at_body(work *w, const lin_ptx_place *f, bool *uses) {
  context c = {.before = {.kind = LIN_PTX_PUNCTUATION, .first = '{'}};
  lin_ptx_scan scan = {w->module->text, f->end, f->body};
  for (lin_ptx_token token; (token = lin_ptx_next(&scan)).kind != LIN_PTX_END; c.before = token) {
    if (is_behind(c.before))
      begin_statement(w, &c, token);
    if (token.kind == LIN_PTX_PUNCTUATION) {
      c.round += token.first == '(';
      c.round -= token.first == ')' && c.round > 0;
      c.square += token.first == '[';
      c.square -= token.first == ']' && c.square > 0;
    }
    if (token.kind != LIN_PTX_WORD)
      continue;
    // Of a call only the word `call` comes before the target, and its results in brackets.
    const char *wrong = look_at_word(w, &c, token, lin_ptx_peek(&scan), uses);
    if (wrong != NULL)
      return wrong;
  }
  return NULL;
}

// The addresses that the function uses are loaded where it begins.
static void load_addresses(work *w, const lin_ptx_place *f, const bool *uses) {
  for (uint32_t i = 0; i < w->made->num_pointed; i++) {
    char text[200];
    if (!uses[i])
      continue;
    snprintf(text, sizeof text,
             "\n\t.reg .b64 %%linearize_at_%u;\n\tld.const.u64 %%linearize_at_%u, "
             "[" LIN_PTX_ADDRESS "%u];",
             i, i, i);
    lin_ptx_change_text(w->patch, f->body, f->body, text);
  }
}

static const char *change_functions(work *w) {
  bool *uses = lin_arena_array(w->arena, w->made->num_pointed + 1, sizeof *uses);
  for (uint32_t i = 0; i < w->count; i++) {
    const lin_ptx_statement *s = &w->statement[i];
    if (!w->is_reached[i] || s->kind != LIN_PTX_IS_FUNCTION)
      continue;
    const lin_ptx_place *f = &w->module->function[s->place];
    memset(uses, 0, w->made->num_pointed * sizeof *uses);
    const char *wrong = look_at_body(w, f, uses);
    if (wrong != NULL)
      return wrong;
    load_addresses(w, f, uses);
  }
  return NULL;
}

// ---- statements --------------------------------------------------------------------------------

// A variable's address or that of a function may stand in another's value.
static const char *look_at_value(const work *w, const lin_ptx_statement *s) {
  lin_ptx_scan scan = {w->module->text, s->end, s->start};
  for (lin_ptx_token token; (token = lin_ptx_next(&scan)).kind != LIN_PTX_END;) {
    const lin_ptx_statement *named = find_token(w, token);
    if (named != NULL && named != s)
      return "a variable that it uses holds an address";
  }
  return NULL;
}

static const char *change_statements(work *w) {
  for (uint32_t i = 0; i < w->count; i++) {
    const lin_ptx_statement *s = &w->statement[i];
    const bool is_variable = s->kind == LIN_PTX_IS_GLOBAL || s->kind == LIN_PTX_IS_CONSTANT;
    char text[96];
    if (!w->is_reached[i]) {
      lin_ptx_change_text(w->patch, s->start, s->end, "");
    } else if (w->address[i] != NO_ADDRESS) {
      snprintf(text, sizeof text, ".visible .const .align 8 .u64 " LIN_PTX_ADDRESS "%u;",
               w->address[i]);
      lin_ptx_change_text(w->patch, s->start, s->end, text);
    } else if (is_variable) {
      const char *wrong = look_at_value(w, s);
      if (wrong != NULL)
        return wrong;
      if (s->kind == LIN_PTX_IS_CONSTANT && !s->has_linkage)
        lin_ptx_change_text(w->patch, s->start, s->start, ".visible ");
    }
  }
  return NULL;
}

// ---- all of it ---------------------------------------------------------------------------------

static const lin_ptx_statement *find_kernel(const work *w, const char *kernel) {
  for (uint32_t i = 0; i < w->count; i++)
    if (w->statement[i].kind == LIN_PTX_IS_FUNCTION && has_name(&w->statement[i], kernel) &&
        w->module->function[w->statement[i].place].is_kernel)
      return &w->statement[i];
  return NULL;
}

const char *lin_ptx_extract(const lin_ptx_module *module, const char *kernel, lin_ptx_patch *patch,
                            lin_ptx_extracted *made) {
  work w = {.module = module, .patch = patch, .arena = patch->arena, .made = made};
  *made = (lin_ptx_extracted){0};
  w.statement = lin_ptx_statements(w.arena, module, &w.count);
  w.is_reached = lin_arena_array(w.arena, w.count + 1, sizeof *w.is_reached);
  w.left = lin_arena_array(w.arena, w.count + 1, sizeof *w.left);
  w.address = lin_arena_array(w.arena, w.count + 1, sizeof *w.address);
  sort_names(&w);
  const lin_ptx_statement *found = find_kernel(&w, kernel);
  if (module->is_debug)
    return "it was compiled for a debugger (-G)";
  if (found == NULL)
    return "its PTX isn't there";
  reach_all(&w, found);
  const char *wrong = take_variables(&w);
  if (wrong == NULL)
    wrong = change_functions(&w);
  return wrong == NULL ? change_statements(&w) : wrong;
}

bool lin_ptx_drop(const lin_ptx_module *module, const char *function, lin_ptx_patch *patch) {
  const uint32_t found = lin_ptx_find_function(module, function);
  uint32_t named = 0;
  lin_ptx_scan scan = {module->text, module->length, 0};
  for (lin_ptx_token token; (token = lin_ptx_next(&scan)).kind != LIN_PTX_END;)
    named += token.kind == LIN_PTX_WORD && lin_ptx_is(module->text, token, function);
  if (found == module->num_functions || named != 1)
    return false;
  const lin_ptx_place *place = &module->function[found];
  lin_ptx_change_text(patch, place->start, place->end + 1, "");
  return true;
}
