// Reads PTX for ptx_machine.c: ptx_machine_read.
#include "ptx_program.h"

#include <stdlib.h>

enum { MOST_DEPTH = 32 }; // of nested scopes

typedef struct named {
  const char *name;
  uint32_t scope, value, count; // count > 0: %r<count>
  uint32_t width;
} named;

typedef struct table {
  const char *name;
  uint32_t scope, first, count;
  const char **label;
  uint32_t *target;
} table;

typedef struct reader {
  lin_arena *arena;
  const char *at, *end;
  const char *word; // the token at hand; "" at the end
  function *f;
  named *declared;
  uint32_t num_declared, declared_capacity, instruction_capacity, operand_capacity;
  uint32_t register_capacity, hash_capacity;
  named *interned; // registers by name: open addressing
  uint32_t interned_size, num_interned;
  uint32_t scope, parent[1 << 16];
  named *label;
  uint32_t num_labels, label_capacity;
  table *table;
  uint32_t num_tables, table_capacity;
  const char *wrong;
} reader;

static bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (c != '\0' && strchr("_$%.", c) != NULL);
}

static const char *scan(reader *r) {
  for (;;) {
    while (r->at < r->end && strchr(" \t\r\n", *r->at) != NULL)
      r->at++;
    if (r->at + 1 < r->end && r->at[0] == '/' && r->at[1] == '/') {
      while (r->at < r->end && *r->at != '\n')
        r->at++;
    } else if (r->at + 1 < r->end && r->at[0] == '/' && r->at[1] == '*') {
      const char *close = strstr(r->at, "*/");
      r->at = close == NULL ? r->end : close + 2;
    } else {
      break;
    }
  }
  const char *start = r->at;
  if (r->at >= r->end)
    return r->word = "";
  if (*r->at == '"') {
    for (r->at++; r->at < r->end && *r->at != '"'; r->at++)
      r->at += *r->at == '\\';
    r->at++;
  } else if (is_of_word(*r->at)) {
    while (r->at < r->end && (is_of_word(*r->at) || (begins(r->at, "::") && is_of_word(r->at[2]))))
      r->at += is_of_word(*r->at) ? 1 : 2;
  } else {
    r->at++;
  }
  return r->word = lin_arena_text(r->arena, start, (size_t)(r->at - start));
}

static bool is(const reader *r, const char *word) { return strcmp(r->word, word) == 0; }

static void skip_to(reader *r, char last) {
  while (r->word[0] != '\0' && r->word[0] != last)
    scan(r);
}

static uint32_t width_of(const char *type) {
  return strcmp(type, ".pred") == 0     ? 1
         : strstr(type, "16x2") != NULL ? 32
         : strstr(type, "128") != NULL  ? 64
         : strstr(type, "64") != NULL   ? 64
         : strstr(type, "16") != NULL   ? 16
         : strstr(type, "32") != NULL   ? 32
                                        : 8;
}

static uint32_t new_register(reader *r, const char *name, uint32_t width) {
  function *f = r->f;
  f->width = LIN_ROOM(r->arena, f->width, f->num_registers, &r->register_capacity);
  f->hash = LIN_ROOM(r->arena, f->hash, f->num_registers, &r->hash_capacity);
  f->width[f->num_registers] = width;
  f->hash[f->num_registers] = hash_text(name);
  return f->num_registers++;
}

static void declare(reader *r, const char *name, uint32_t count, uint32_t width) {
  r->declared = LIN_ROOM(r->arena, r->declared, r->num_declared, &r->declared_capacity);
  r->declared[r->num_declared++] =
      (named){name, r->scope, count == 0 ? new_register(r, name, width) : 0, count, width};
}

static named *intern(reader *r, const char *name, uint32_t scope) {
  uint64_t at = mix(hash_text(name), scope) % r->interned_size;
  while (r->interned[at].name != NULL &&
         (r->interned[at].scope != scope || strcmp(r->interned[at].name, name) != 0))
    at = (at + 1) % r->interned_size;
  return &r->interned[at];
}

static uint32_t find_register(reader *r, const char *name, uint32_t scope) {
  size_t length = strlen(name), digits = length;
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
    digits--;
  for (;; scope = r->parent[scope]) {
    named *entry = intern(r, name, scope);
    if (entry->name != NULL)
      return entry->value;
    for (uint32_t i = 0; i < r->num_declared; i++) {
      const named *d = &r->declared[i];
      if (d->scope != scope || (d->count == 0 && strcmp(d->name, name) != 0))
        continue;
      size_t prefix = strlen(d->name);
      if (d->count > 0 &&
          (prefix < digits || prefix >= length || strncmp(name, d->name, prefix) != 0 ||
           strtoul(name + prefix, NULL, 10) >= d->count))
        continue;
      uint32_t value = d->count == 0 ? d->value : new_register(r, name, d->width);
      *entry = (named){.name = name, .scope = scope, .value = value};
      if (2 * ++r->num_interned > r->interned_size)
        r->wrong = "too many registers";
      return value;
    }
    if (scope == 0)
      return LIN_NONE;
  }
}

static void read_registers(reader *r) {
  uint32_t width = 32;
  for (scan(r); r->word[0] != ';' && r->word[0] != '\0';) {
    const char *name = r->word;
    scan(r);
    if (name[0] == '.') {
      if (strchr("busfp", name[1]) != NULL)
        width = width_of(name);
      continue;
    }
    if (name[0] == ',')
      continue;
    uint32_t count = 0;
    if (is(r, "<")) {
      count = (uint32_t)strtoul(scan(r), NULL, 10);
      scan(r);
      scan(r);
    }
    declare(r, name, count, width);
  }
}

static void add_operand(reader *r, operand o) {
  function *f = r->f;
  f->operand = LIN_ROOM(r->arena, f->operand, f->num_operands, &r->operand_capacity);
  f->operand[f->num_operands++] = o;
}

static bool has_no_result(const char *opcode) {
  static const char *const names[] = {
      "st.",        "red.",           "bar",           "membar",         "fence",   "prefetch",
      "cp.",        "discard",        "nanosleep",     "brkpt",          "pmevent", "stmatrix",
      "wmma.store", "griddepcontrol", "mbarrier.init", "mbarrier.inval", "wgmma.",  "setmaxnreg"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (begins(opcode, names[i]))
      return strstr(opcode, "bar.red") == NULL && strstr(opcode, "barrier.cta.red") == NULL;
  return false;
}

static bool is_seen(const char *opcode) {
  static const char *const names[] = {"shfl", "vote",     "match",   "activemask",
                                      "bar",  "mbarrier", "redux",   "elect",
                                      "wmma", "mma",      "ldmatrix"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (begins(opcode, names[i]))
      return true;
  return has_no_result(opcode);
}

static kind kind_of(const char *opcode) {
  return begins(opcode, "bra") && (opcode[3] == '\0' || opcode[3] == '.')   ? BRANCH
         : begins(opcode, "brx")                                            ? SWITCH
         : begins(opcode, "call")                                           ? CALL
         : begins(opcode, "ret") && (opcode[3] == '\0' || opcode[3] == '.') ? RETURN
         : strcmp(opcode, "exit") == 0                                      ? EXIT
         : strcmp(opcode, "trap") == 0                                      ? TRAP
         : begins(opcode, "st.")                                            ? STORE
         : begins(opcode, "ld.") || begins(opcode, "ldu.")                  ? LOAD
         : begins(opcode, "atom.") || begins(opcode, "red.")                ? ATOMIC
         : is_seen(opcode)                                                  ? EVENT
                                                                            : PLAIN;
}

static void read_operand_word(reader *r, operand o, const char *word) {
  uint32_t reg = word[0] >= '0' && word[0] <= '9' ? LIN_NONE : find_register(r, word, r->scope);
  if (reg != LIN_NONE) {
    o.kind = REGISTER;
    o.value = reg;
  } else if (word[0] >= '0' && word[0] <= '9') {
    o.kind = NUMBER;
    bool is_float = word[0] == '0' && strchr("fFdD", word[1]) != NULL && word[1] != '\0';
    o.value = is_float ? strtoull(word + 2, NULL, 16) : strtoull(word, NULL, 0);
  } else if (word[0] == '%') {
    o.kind = SPECIAL;
    o.value = strcmp(word, "%tid.x") == 0 ? 0 : hash_text(word) | 1;
  } else {
    o.kind = SYMBOL;
    o.value = hash_text(word);
  }
  add_operand(r, o);
}

// Up to the semicolon.
static void read_operands(reader *r, instruction *i) {
  uint8_t list = 1;
  bool is_address = false, is_negative = false, is_negated = false, is_sum = false;
  uint32_t groups = 0;
  i->first = r->f->num_operands;
  for (; r->word[0] != ';' && r->word[0] != '\0'; scan(r)) {
    char c = r->word[0];
    groups += c == '{' || c == '(';
    groups -= (c == '}' || c == ')') && groups > 0;
    is_address = c == '[' || (is_address && c != ']');
    if (c == ',' && groups == 0 && !is_address)
      list++;
    if (c == '-' || c == '!' || c == '+') {
      is_negative = c == '-';
      is_negated = c == '!';
      is_sum = is_address && c == '+';
    } else if (is_of_word(c) && r->word[0] != '.' && strcmp(r->word, "_") != 0) {
      if (is_address && (is_sum || is_negative) && r->f->num_operands > i->first) {
        uint64_t offset = strtoull(r->word, NULL, 0);
        r->f->operand[r->f->num_operands - 1].offset = is_negative ? 0 - offset : offset;
      } else {
        read_operand_word(
            r, (operand){.list = list, .is_address = is_address, .is_negated = is_negated},
            r->word);
        operand *last = &r->f->operand[r->f->num_operands - 1];
        if (is_negative && last->kind == NUMBER)
          last->value = 0 - last->value;
      }
      is_negative = is_negated = is_sum = false;
    }
  }
  i->count = r->f->num_operands - i->first;
  if (i->count > MOST_OPERANDS)
    r->wrong = "too many operands";
}

static void read_instruction(reader *r) {
  function *f = r->f;
  f->instruction =
      LIN_ROOM(r->arena, f->instruction, f->num_instructions, &r->instruction_capacity);
  instruction i = {.predicate = LIN_NONE, .scope = r->scope, .target = LIN_NONE};
  if (is(r, "@")) {
    scan(r);
    i.is_negated = is(r, "!");
    if (i.is_negated)
      scan(r);
    i.predicate = find_register(r, r->word, r->scope);
    if (i.predicate == LIN_NONE)
      r->wrong = "a predicate that isn't declared";
    scan(r);
  }
  i.opcode = r->word;
  i.hash = hash_text(i.opcode);
  i.kind = kind_of(i.opcode);
  scan(r);
  if (i.kind == CALL) {
    i.has_result = is(r, "(");
    read_operands(r, &i);
  } else if (i.kind == BRANCH) {
    i.label = r->word;
    skip_to(r, ';');
  } else {
    i.has_result = i.kind != SWITCH && !has_no_result(i.opcode);
    read_operands(r, &i);
  }
  f->instruction[f->num_instructions++] = i;
}

static void add_label(reader *r, const char *name) {
  r->label = LIN_ROOM(r->arena, r->label, r->num_labels, &r->label_capacity);
  r->label[r->num_labels++] =
      (named){.name = name, .scope = r->scope, .value = r->f->num_instructions};
}

static void read_table(reader *r, const char *name) {
  r->table = LIN_ROOM(r->arena, r->table, r->num_tables, &r->table_capacity);
  table *t = &r->table[r->num_tables++];
  *t = (table){.name = name, .scope = r->scope};
  uint32_t capacity = 0;
  for (scan(r); r->word[0] != ';' && r->word[0] != '\0'; scan(r))
    if (r->word[0] != ',') {
      t->label = LIN_ROOM(r->arena, t->label, t->count, &capacity);
      t->label[t->count++] = r->word;
    }
}

// A word that may be a label: what follows it decides.
static void read_word(reader *r) {
  const char *name = r->word, *place = r->at;
  if (strcmp(scan(r), ":") != 0) {
    r->at = place;
    r->word = name;
    read_instruction(r);
    return;
  }
  place = r->at;
  scan(r);
  if (is(r, ".branchtargets")) {
    read_table(r, name);
  } else if (is(r, ".callprototype") || is(r, ".calltargets")) {
    skip_to(r, ';');
  } else {
    r->at = place;
    add_label(r, name);
  }
}

static uint32_t find_label(const reader *r, const char *name, uint32_t scope) {
  for (;; scope = r->parent[scope]) {
    for (uint32_t i = 0; i < r->num_labels; i++)
      if (r->label[i].scope == scope && strcmp(r->label[i].name, name) == 0)
        return r->label[i].value;
    if (scope == 0)
      return LIN_NONE;
  }
}

// The list of a switch is its last operand.
static void resolve_switch(reader *r, instruction *i) {
  const operand *last = &r->f->operand[i->first + --i->count];
  for (uint32_t at = 0; at < r->num_tables; at++) {
    const table *t = &r->table[at];
    if (hash_text(t->name) != last->value)
      continue;
    uint32_t *way = LIN_ARRAY(r->arena, uint32_t, t->count);
    for (uint32_t k = 0; k < t->count; k++) {
      way[k] = find_label(r, t->label[k], t->scope);
      if (way[k] == LIN_NONE)
        r->wrong = "a label that isn't there";
    }
    i->way = way;
    i->num_ways = t->count;
  }
  if (i->way == NULL)
    r->wrong = "a list of labels that isn't there";
}

static void resolve(reader *r) {
  for (uint32_t at = 0; at < r->f->num_instructions && r->wrong == NULL; at++) {
    instruction *i = &r->f->instruction[at];
    if (i->kind == SWITCH) {
      resolve_switch(r, i);
    } else if (i->kind == BRANCH) {
      i->target = find_label(r, i->label, i->scope);
      if (i->target == LIN_NONE)
        r->wrong = "a label that isn't there";
    }
  }
}

static void read_body(reader *r) {
  uint32_t open[MOST_DEPTH], depth = 0, scopes = 1;
  for (scan(r); r->word[0] != '\0' && r->wrong == NULL; scan(r)) {
    if (is(r, "{")) {
      if (depth == MOST_DEPTH || scopes == sizeof r->parent / sizeof *r->parent) {
        r->wrong = "too many scopes";
        return;
      }
      open[depth++] = r->scope;
      r->parent[scopes] = r->scope;
      r->scope = scopes++;
    } else if (is(r, "}")) {
      if (depth == 0)
        break;
      r->scope = open[--depth];
    } else if (is(r, ".reg")) {
      read_registers(r);
    } else if (is(r, ".loc")) {
      while (r->at < r->end && *r->at != '\n')
        r->at++;
    } else if (r->word[0] == '.') {
      skip_to(r, ';');
    } else if (r->word[0] == '@') {
      read_instruction(r);
    } else if (r->word[0] != ';') {
      read_word(r);
    }
  }
  r->scope = 0;
  resolve(r);
}

static void read_parameters(reader *r, bool is_result) {
  function *f = r->f;
  bool is_register = false;
  uint32_t width = 32;
  const char *last = NULL;
  for (scan(r); r->word[0] != '\0'; scan(r)) {
    if (r->word[0] == '.') {
      is_register |= is(r, ".reg");
      if (r->word[1] != '\0' && strchr("busfp", r->word[1]) != NULL && !is(r, ".param") &&
          !is(r, ".ptr"))
        width = width_of(r->word);
    } else if (is_of_word(r->word[0]) && !(r->word[0] >= '0' && r->word[0] <= '9')) {
      last = r->word;
    } else if (r->word[0] == ',' || r->word[0] == ')') {
      if (last != NULL && f->num_parameters < MOST_OPERANDS) {
        uint32_t reg = LIN_NONE;
        if (is_register) {
          declare(r, last, 0, width);
          reg = r->declared[r->num_declared - 1].value;
        }
        f->own[f->num_parameters] = reg;
        f->result[f->num_parameters++] = hash_text(last);
        f->num_results += is_result;
      }
      is_register = false;
      last = NULL;
      if (r->word[0] == ')')
        return;
    }
  }
}

static bool read_function(reader *r, function *f, bool is_kernel) {
  *f = (function){.is_kernel = is_kernel};
  f->own = LIN_ARRAY(r->arena, uint32_t, MOST_OPERANDS);
  f->result = LIN_ARRAY(r->arena, uint64_t, MOST_OPERANDS);
  r->f = f;
  r->declared = NULL;
  r->label = NULL;
  r->table = NULL;
  r->num_declared = r->declared_capacity = r->num_labels = r->label_capacity = r->num_tables =
      r->table_capacity = r->instruction_capacity = r->operand_capacity = r->register_capacity =
          r->hash_capacity = 0;
  uint64_t rest = (uint64_t)(r->end - r->at) / 4; // a name and what is around it
  r->interned_size = rest < 1 << 16 ? 64 + (uint32_t)rest : 1 << 16;
  r->num_interned = 0;
  r->interned = LIN_ARRAY(r->arena, named, r->interned_size);
  for (scan(r); r->word[0] != '\0'; scan(r)) {
    if (is(r, ";"))
      return false;
    if (is(r, "("))
      read_parameters(r, f->name == NULL);
    else if (is(r, "{"))
      break;
    else if (f->name == NULL && r->word[0] != '.' && is_of_word(r->word[0]))
      f->name = r->word;
  }
  read_body(r);
  return r->wrong == NULL;
}

ptx_machine *ptx_machine_read(lin_arena *arena, const char *text, const char **reason) {
  ptx_machine *machine = LIN_NEW(arena, ptx_machine);
  uint32_t capacity = 0;
  reader *r = LIN_NEW(arena, reader);
  r->arena = arena;
  r->at = text;
  r->end = text + strlen(text);
  while (scan(r)[0] != '\0' && r->wrong == NULL) {
    bool is_kernel = is(r, ".entry");
    if (!is_kernel && !is(r, ".func"))
      continue;
    machine->function = LIN_ROOM(arena, machine->function, machine->num_functions, &capacity);
    machine->num_functions +=
        read_function(r, &machine->function[machine->num_functions], is_kernel);
  }
  *reason = r->wrong;
  return r->wrong == NULL ? machine : NULL;
}
