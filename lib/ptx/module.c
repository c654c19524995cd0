#include "module.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
  lin_arena *arena;
  lin_ptx_module *module;
  lin_ptx_scan scan;
  lin_ptx_error *error;
  uint32_t function_capacity, file_capacity, alias_capacity;
  uint32_t counted, line; // lines up to a place
  uint32_t num_ended;     // variables whose statement has ended
} reader;

__attribute__((format(printf, 3, 4))) static bool fail(reader *r, uint32_t place,
                                                       const char *format, ...) {
  char message[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  r->error->line = lin_ptx_line(r->scan.text, place);
  r->error->message = lin_arena_text(r->arena, message, strlen(message));
  return false;
}

static bool is(const reader *r, lin_ptx_token token, const char *word) {
  return lin_ptx_is(r->scan.text, token, word);
}

static bool check(reader *r, lin_ptx_token token) {
  if (token.kind == LIN_PTX_BAD && (token.first == '"' || token.first == '/'))
    return fail(r, token.start, "a %s that doesn't end", token.first == '"' ? "string" : "comment");
  if (token.kind == LIN_PTX_BAD)
    return fail(r, token.start, "the byte 0x%02x: this is no PTX", (unsigned char)token.first);
  if (token.kind == LIN_PTX_END)
    return fail(r, token.start, "the text ends too soon");
  return true;
}

// Goes behind the bracket that closes the one before the scan.
static bool skip_group(reader *r, const char *closing) {
  char open[64]; // what closes each; deeper ones are counted alone
  uint32_t depth = 0;
  open[depth++] = closing[0];
  while (depth > 0) {
    lin_ptx_token token = lin_ptx_next(&r->scan);
    if (!check(r, token))
      return false;
    char closes = token.first == '('   ? ')'
                  : token.first == '{' ? '}'
                  : token.first == '[' ? ']'
                                       : 0;
    if (token.kind != LIN_PTX_PUNCTUATION)
      continue;
    if (closes != 0) {
      if (depth == sizeof open)
        return fail(r, token.start, "brackets nested over %zu deep", sizeof open);
      open[depth++] = closes;
    } else if (token.first == ')' || token.first == '}' || token.first == ']') {
      if (token.first != open[depth - 1])
        return fail(r, token.start, "'%c' where '%c' is due", token.first, open[depth - 1]);
      depth--;
    }
  }
  return true;
}

// The line of a place behind all that were asked for before.
static uint32_t line_at(reader *r, uint32_t place) {
  r->line += lin_ptx_line(r->scan.text + r->counted, place - r->counted) - 1;
  r->counted = place;
  return r->line;
}

static bool read_version(reader *r) {
  lin_ptx_token token = lin_ptx_next(&r->scan);
  if (token.kind == LIN_PTX_BAD)
    return check(r, token);
  if (!is(r, token, ".version"))
    return fail(r, token.start, "this is no PTX: it doesn't begin with .version");
  token = lin_ptx_next(&r->scan);
  lin_ptx_token major = token;
  while (major.end > major.start &&
         memchr(r->scan.text + major.start, '.', major.end - major.start))
    major.end--;
  uint32_t version = lin_ptx_number(r->scan.text, major);
  if (version == UINT32_MAX || major.end == major.start)
    return check(r, token) && fail(r, token.start, ".version without a number");
  if (version == 0 || version > LIN_PTX_NEWEST)
    return fail(r, token.start, "PTX version %.*s isn't known: 1.0 to %d.x are",
                (int)(token.end - token.start < 16 ? token.end - token.start : 16),
                r->scan.text + token.start, LIN_PTX_NEWEST);
  const lin_ptx_token minor = {LIN_PTX_WORD, major.end + 1, token.end, '0'};
  const uint32_t tenths = lin_ptx_number(r->scan.text, minor);
  r->module->version = 10 * version + (tenths == UINT32_MAX ? 0 : tenths);
  return true;
}

// .target sm_90a, debug
static void read_target(reader *r) {
  do {
    lin_ptx_token token = lin_ptx_next(&r->scan);
    const char *word = r->scan.text + token.start;
    if (is(r, token, "debug"))
      r->module->is_debug = true;
    if (token.kind == LIN_PTX_WORD && token.end - token.start > 3 && strncmp(word, "sm_", 3) == 0) {
      r->module->target = lin_arena_text(r->arena, word, token.end - token.start);
      token.start += 3;
      char last = r->scan.text[token.end - 1]; // sm_90a, sm_100f
      token.end -= last == 'a' || last == 'f';
      uint32_t sm = lin_ptx_number(r->scan.text, token);
      r->module->sm = sm == UINT32_MAX ? 0 : sm;
    }
  } while (lin_ptx_peek(&r->scan).first == ',' && lin_ptx_next(&r->scan).first == ',');
}

// .file 1 "app.cu"
static void read_file(reader *r) {
  lin_ptx_module *module = r->module;
  uint32_t number = lin_ptx_number(r->scan.text, lin_ptx_next(&r->scan));
  lin_ptx_token name = lin_ptx_peek(&r->scan);
  if (name.kind != LIN_PTX_STRING)
    return;
  lin_ptx_next(&r->scan);
  module->file = LIN_ROOM(r->arena, module->file, module->num_files, &r->file_capacity);
  module->file[module->num_files++] = (lin_ptx_source){
      number, lin_arena_text(r->arena, r->scan.text + name.start + 1, name.end - name.start - 2)};
}

// Whether a word begins a statement of the module. It ends a declaration that has no
// semicolon, too: the PTX of CUDA 2 to 4 has none there, and ptxas needs none.
static bool begins_statement(const reader *r, lin_ptx_token token) {
  static const char *const words[] = {".visible", ".weak",   ".extern", ".common", ".func",
                                      ".entry",   ".alias",  ".file",   ".global", ".const",
                                      ".shared",  ".target", ".tex",    ".section"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is(r, token, words[i]))
      return true;
  return false;
}

// .alias name, function;
static void read_alias(reader *r) {
  lin_ptx_module *module = r->module;
  lin_ptx_token name = lin_ptx_next(&r->scan);
  if (lin_ptx_next(&r->scan).first != ',')
    return;
  lin_ptx_token of = lin_ptx_next(&r->scan);
  module->alias = LIN_ROOM(r->arena, module->alias, module->num_aliases, &r->alias_capacity);
  module->alias[module->num_aliases++] =
      (lin_ptx_alias){lin_arena_text(r->arena, r->scan.text + name.start, name.end - name.start),
                      lin_arena_text(r->arena, r->scan.text + of.start, of.end - of.start)};
}

// The results in front of a function's name, or the parameters behind it.
static bool read_list(reader *r, lin_ptx_place *place) {
  lin_ptx_scan scan = r->scan;
  if (lin_ptx_peek(&scan).first != ')') {
    if (lin_ptx_variables_read(r->arena, &scan, &(lin_ptx_variable){0},
                               place->name == NULL ? &place->results : &place->parameters) == ')')
      r->scan = scan;
    else
      place->unusual = scan.at;
  }
  return skip_group(r, ")");
}

// .maxntid 256, 1, 1   .minnctapersm 2
static bool read_bound(reader *r, lin_ptx_token token, lin_ptx_place *place) {
  static const char *const words[] = {".maxntid", ".reqntid", ".minnctapersm", ".maxnreg"};
  uint32_t i = 0;
  while (i < LIN_PTX_BOUNDS && !is(r, token, words[i]))
    i++;
  lin_ptx_bound *bound = &place->bound[i];
  if (i == LIN_PTX_BOUNDS)
    return false;
  for (bound->count = 0; bound->count < 3 && lin_ptx_peek(&r->scan).kind == LIN_PTX_WORD;) {
    bound->number[bound->count++] = lin_ptx_number(r->scan.text, lin_ptx_next(&r->scan));
    if (lin_ptx_peek(&r->scan).first == ',')
      lin_ptx_next(&r->scan);
    else
      break;
  }
  return true;
}

// .func (results) name (parameters) .maxntid 1, 2, 3 { ... }  or ;
static bool read_function(reader *r, uint32_t start, bool is_kernel) {
  lin_ptx_module *module = r->module;
  lin_ptx_place place = {.is_kernel = is_kernel,
                         .start = start,
                         .signature = r->scan.at,
                         .line = line_at(r, r->scan.at)};
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&r->scan);
    if (!check(r, token))
      return false;
    if (token.first == '(') {
      if (!read_list(r, &place))
        return false;
      place.directives = r->scan.at;
    } else if (token.first == '{' && place.name != NULL) {
      place.body = token.end;
      if (!skip_group(r, "}"))
        return false;
      place.end = r->scan.at - 1;
      module->function =
          LIN_ROOM(r->arena, module->function, module->num_functions, &r->function_capacity);
      module->function[module->num_functions++] = place;
      return true;
    } else if (token.first == ';') {
      return true; // declared
    } else if (read_bound(r, token, &place)) {
      continue;
    } else if (place.name != NULL && begins_statement(r, token)) {
      r->scan.at = token.start;
      return true;
    } else if (is(r, token, ".pragma")) {
      while (lin_ptx_peek(&r->scan).kind == LIN_PTX_STRING || lin_ptx_peek(&r->scan).first == ',')
        lin_ptx_next(&r->scan);
      if (lin_ptx_peek(&r->scan).first == ';')
        lin_ptx_next(&r->scan);
    } else if (place.name == NULL && token.kind == LIN_PTX_WORD && token.first != '.') {
      place.name = lin_arena_text(r->arena, r->scan.text + token.start, token.end - token.start);
      place.named = token.start;
      place.directives = token.end;
    } else if (token.kind != LIN_PTX_WORD && token.first != ',') {
      return fail(r, token.start, "'%c' in the declaration of a function", token.first);
    }
  }
}

bool lin_ptx_is_linkage(const char *text, lin_ptx_token token) {
  return lin_ptx_is(text, token, ".visible") || lin_ptx_is(text, token, ".weak") ||
         lin_ptx_is(text, token, ".extern") || lin_ptx_is(text, token, ".common");
}

// .global .b32 x;   What isn't written as usual is gone over.
static void read_variable(reader *r, lin_ptx_token former, lin_ptx_token token,
                          lin_ptx_space space) {
  const lin_ptx_variable known = {
      .space = space,
      .declared = lin_ptx_is_linkage(r->scan.text, former) ? former.start : token.start,
      .is_extern = is(r, former, ".extern")};
  lin_ptx_variables *all = &r->module->variables;
  const uint32_t before = all->count;
  lin_ptx_scan scan = r->scan;
  const char end = lin_ptx_variables_read(r->arena, &scan, &known, all);
  if (end == ';' || end == '=')
    r->scan = scan;
  else
    all->count = before;
}

static bool read_module(reader *r) {
  if (!read_version(r))
    return false;
  for (lin_ptx_token former = {0}, token;; former = token) {
    token = lin_ptx_next(&r->scan);
    if (token.kind == LIN_PTX_END)
      return true;
    if (!check(r, token))
      return false;
    bool is_kernel = is(r, token, ".entry");
    const lin_ptx_space space = lin_ptx_space_of(r->scan.text, token);
    if (is_kernel || is(r, token, ".func")) {
      if (!read_function(r, lin_ptx_is_linkage(r->scan.text, former) ? former.start : token.start,
                         is_kernel))
        return false;
    } else if (is(r, token, ".target")) {
      read_target(r);
    } else if (is(r, token, ".file")) {
      read_file(r);
    } else if (is(r, token, ".address_size")) {
      r->module->has_long_addresses = is(r, lin_ptx_next(&r->scan), "64");
    } else if (space != LIN_PTX_GENERIC && space < LIN_PTX_PARAM) {
      read_variable(r, former, token, space);
    } else if (token.first == ';') {
      for (lin_ptx_variables *all = &r->module->variables; r->num_ended < all->count;)
        all->variable[r->num_ended++].behind = token.end;
    } else if (is(r, token, ".alias")) {
      read_alias(r);
    } else if (token.first == '{' || token.first == '(' || token.first == '[') {
      if (!skip_group(r, token.first == '{' ? "}" : token.first == '(' ? ")" : "]"))
        return false;
    } else if (token.first == '}' || token.first == ')' || token.first == ']') {
      return fail(r, token.start, "'%c' closes nothing", token.first);
    }
  }
}

// How much of a file is text. A NUL ends the string that the driver takes; editors leave a mark of
// the byte order or a Ctrl-Z.
static size_t without_end_marks(const char *text, size_t length) {
  static const char mark[] = "\xef\xbb\xbf";
  size_t end = length;
  for (size_t at = length; at > 0;) {
    char last = text[at - 1];
    bool is_mark = at >= 3 && memcmp(text + at - 3, mark, 3) == 0;
    if (!is_mark && last != '\0' && last != '\x1a' && last != '\n' && last != '\r')
      break;
    at -= is_mark ? 3 : 1;
    end = last == '\n' || last == '\r' ? end : at;
  }
  return end;
}

lin_ptx_module *lin_ptx_module_read(lin_arena *arena, const char *text, size_t length,
                                    lin_ptx_error *error) {
  lin_ptx_module *module = LIN_NEW(arena, lin_ptx_module);
  *error = (lin_ptx_error){0};
  if (length >= UINT32_MAX / 2) {
    *error = (lin_ptx_error){1, "over 2 GB of text"};
    return NULL;
  }
  length = without_end_marks(text, length);
  module->text = text;
  module->length = (uint32_t)length;
  reader r = {.arena = arena,
              .module = module,
              .scan = {text, (uint32_t)length, 0},
              .error = error,
              .line = 1};
  if (!read_module(&r))
    return NULL;
  // In a comment, where nobody has looked: texts that are made of this one would end there.
  const char *end = memchr(text, '\0', length);
  if (end != NULL)
    fail(&r, (uint32_t)(end - text), "a NUL, which no PTX has");
  return end == NULL ? module : NULL;
}

bool lin_ptx_is_module(const char *text, size_t length) {
  lin_ptx_scan scan = {text, length < UINT32_MAX ? (uint32_t)length : UINT32_MAX - 1, 0};
  return lin_ptx_is(text, lin_ptx_next(&scan), ".version");
}

uint32_t lin_ptx_find_function(const lin_ptx_module *module, const char *name) {
  uint32_t i = 0;
  while (i < module->num_functions && strcmp(module->function[i].name, name) != 0)
    i++;
  return i;
}

const char *lin_ptx_file(const lin_ptx_module *module, uint32_t number) {
  for (uint32_t i = 0; i < module->num_files; i++)
    if (module->file[i].number == number)
      return module->file[i].name;
  return NULL;
}
