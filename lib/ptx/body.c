// 1. Statements in their order: declarations name registers, instructions are cut into operands.
// 2. Branches and tables, whose labels may stand behind them, are resolved, innermost scope first.
// 3. Scopes are closed from the inside out.
#include "body.h"

#include "names.h"

#include <stdio.h>
#include <string.h>

// `%r<8>`
typedef struct declared {
  uint32_t count;
  uint32_t type, type_end;
} declared;

typedef struct parser {
  lin_arena *arena;
  lin_ptx_body *body;
  lin_ptx_names *names;
  lin_ptx_names *opcodes; // one scope; the value is a number in body->opcode
  lin_ptx_scan scan;
  const char *text;
  uint32_t scope, open; // the innermost scope; braces to be closed
  uint32_t loc;
  declared *declared;
  uint32_t num_declared;
  uint32_t declared_capacity, instruction_capacity, opcode_capacity, access_capacity;
  uint32_t label_capacity, table_capacity, target_capacity, scope_capacity, register_capacity;
  uint32_t loc_capacity, leads_capacity;
} parser;

enum { MOST_NESTED = 64 }; // scopes: names are looked for in each

// ---- small things

static bool refuse(parser *p, uint32_t place, const char *reason) {
  p->body->refused = reason;
  p->body->refused_at = place;
  return false;
}

static bool refuse_word(parser *p, lin_ptx_token token, const char *what) {
  char message[128];
  uint32_t length = token.end - token.start;
  snprintf(message, sizeof message, "%s '%.*s'", what, (int)(length < 60 ? length : 60),
           p->text + token.start);
  return refuse(p, token.start, lin_arena_text(p->arena, message, strlen(message)));
}

static bool is(const parser *p, lin_ptx_token token, const char *word) {
  return lin_ptx_is(p->text, token, word);
}

// Goes behind the next semicolon. False if there is none.
static bool skip_statement(parser *p) {
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&p->scan);
    if (token.first == ';' && token.kind == LIN_PTX_PUNCTUATION)
      return true;
    if (token.kind == LIN_PTX_END || token.kind == LIN_PTX_BAD)
      return refuse(p, token.start, "a statement that doesn't end");
  }
}

static uint32_t parent_of(const parser *p, uint32_t scope) { return p->body->scope[scope].parent; }

// The innermost meaning of a word as seen from `scope`, or NULL.
static const lin_ptx_name *find_outwards(const parser *p, uint32_t scope, lin_ptx_token word) {
  for (; scope != LIN_NONE; scope = parent_of(p, scope)) {
    const lin_ptx_name *found =
        lin_ptx_names_find(p->names, scope, p->text + word.start, word.end - word.start);
    if (found != NULL)
      return found;
  }
  return NULL;
}

// ---- registers

static uint32_t add_register(parser *p, lin_ptx_register reg) {
  lin_ptx_body *body = p->body;
  body->reg = LIN_ROOM(p->arena, body->reg, body->num_regs, &p->register_capacity);
  body->reg[body->num_regs] = reg;
  return body->num_regs++;
}

// `%r12` of `%r<51>`: the declaration, if the name is one of those. A number has no zeros in front;
// what is before it may end in digits, too (%v2r1 of %v2r<4>, %r10 of %r1<8>).
static const declared *find_range(const parser *p, uint32_t scope, const char *name,
                                  uint32_t length) {
  for (uint32_t prefix = length - 1; prefix > 0 && name[prefix] >= '0' && name[prefix] <= '9';
       prefix--) {
    if (name[prefix] == '0' && length - prefix > 1)
      continue;
    const lin_ptx_name *found = lin_ptx_names_find(p->names, scope, name, prefix);
    if (found == NULL || found->meant != LIN_PTX_REGISTERS)
      continue;
    lin_ptx_token digits = {LIN_PTX_WORD, (uint32_t)(name + prefix - p->text),
                            (uint32_t)(name + length - p->text), name[prefix]};
    const declared *range = &p->declared[found->value];
    if (lin_ptx_number(p->text, digits) < range->count)
      return range;
  }
  return NULL;
}

// What a name means where the parser is, LIN_PTX_NOTHING if it isn't the function's own.
static lin_ptx_name resolve(parser *p, uint32_t scope, uint32_t start, uint32_t end) {
  const char *name = p->text + start;
  uint32_t length = end - start;
  for (; scope != LIN_NONE; scope = parent_of(p, scope)) {
    const lin_ptx_name *found = lin_ptx_names_find(p->names, scope, name, length);
    if (found != NULL)
      return *found;
    const declared *range = find_range(p, scope, name, length);
    if (range == NULL)
      continue;
    lin_ptx_name *entry = lin_ptx_names_entry(p->names, scope, name, length);
    entry->meant = LIN_PTX_REGISTER;
    entry->value = add_register(p, (lin_ptx_register){.start = start,
                                                      .end = end,
                                                      .type = range->type,
                                                      .type_end = range->type_end,
                                                      .scope = scope});
    return *entry;
  }
  return (lin_ptx_name){.meant = LIN_PTX_NOTHING};
}

// A register, or LIN_NONE; `%v.x` is a part of %v.
static uint32_t find_register(parser *p, lin_ptx_token word, bool *is_part) {
  *is_part = false;
  if (word.first >= '0' && word.first <= '9')
    return LIN_NONE;
  lin_ptx_name name = resolve(p, p->scope, word.start, word.end);
  const char *dot = memchr(p->text + word.start, '.', word.end - word.start);
  if (name.meant == LIN_PTX_NOTHING && dot != NULL && word.first != '.') {
    name = resolve(p, p->scope, word.start, (uint32_t)(dot - p->text));
    *is_part = true;
  }
  return name.meant == LIN_PTX_REGISTER ? name.value : LIN_NONE;
}

static lin_ptx_name *declare(parser *p, lin_ptx_token word, lin_ptx_meant meant, uint32_t value) {
  lin_ptx_name *entry =
      lin_ptx_names_entry(p->names, p->scope, p->text + word.start, word.end - word.start);
  entry->meant = meant;
  entry->value = value;
  return entry;
}

// .reg .b32 %r<51>, %x;
static bool read_registers(parser *p) {
  lin_ptx_token type = {0};
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&p->scan);
    if (token.first == ';')
      return true;
    if (token.first == ',')
      continue;
    if (token.kind != LIN_PTX_WORD)
      return refuse(p, token.start, "registers that aren't declared as usual");
    if (token.first == '.') {
      type = token;
      continue;
    }
    if (lin_ptx_peek(&p->scan).first != '<') {
      lin_ptx_register reg = {token.start, token.end, type.start, type.end, p->scope, false};
      declare(p, token, LIN_PTX_REGISTER, add_register(p, reg));
      continue;
    }
    lin_ptx_next(&p->scan);
    uint32_t count = lin_ptx_number(p->text, lin_ptx_next(&p->scan));
    lin_ptx_token closing = lin_ptx_next(&p->scan);
    if (count == UINT32_MAX || closing.first != '>')
      return refuse(p, closing.start, "registers that aren't declared as usual");
    p->declared = LIN_ROOM(p->arena, p->declared, p->num_declared, &p->declared_capacity);
    p->declared[p->num_declared] = (declared){count, type.start, type.end};
    declare(p, token, LIN_PTX_REGISTERS, p->num_declared++);
  }
}

// Parameters that are registers: (.reg .b32 %a, .reg .b64 %b).
static void read_signature(parser *p) {
  lin_ptx_token type = {0};
  bool is_register = false;
  for (p->scan.at = p->body->place->signature; p->scan.at < p->body->place->body;) {
    lin_ptx_token token = lin_ptx_next(&p->scan);
    if (token.kind != LIN_PTX_WORD) {
      is_register = false;
    } else if (is(p, token, ".reg")) {
      is_register = true;
    } else if (is_register && token.first == '.') {
      type = token;
    } else if (is_register) {
      lin_ptx_register reg = {token.start, token.end, type.start, type.end, 0, true};
      declare(p, token, LIN_PTX_REGISTER, add_register(p, reg));
    }
  }
}

// .param .b32 retval0;  .shared .align 4 .b8 s[128];  .local ... = { ... };
static bool read_variable(parser *p) {
  uint32_t start = p->scan.at;
  if (!skip_statement(p))
    return false;
  lin_ptx_scan scan = {p->text, p->scan.at, start};
  for (bool is_next = true; scan.at < p->scan.at;) {
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.first == '=')
      break;
    if (token.kind == LIN_PTX_WORD && token.first != '.' && is_next &&
        !(token.first >= '0' && token.first <= '9')) {
      declare(p, token, LIN_PTX_VARIABLE, 0);
      is_next = false;
    }
    is_next |= token.first == ',';
  }
  return true;
}

// ---- labels

static void add_target(parser *p, lin_ptx_token token) {
  lin_ptx_body *body = p->body;
  body->target = LIN_ROOM(p->arena, body->target, body->num_targets, &p->target_capacity);
  body->target[body->num_targets++] = (lin_ptx_target){token.start, token.end, LIN_NONE};
}

// name: .branchtargets L1, L2;
static bool read_table(parser *p, lin_ptx_token name) {
  lin_ptx_body *body = p->body;
  body->table = LIN_ROOM(p->arena, body->table, body->num_tables, &p->table_capacity);
  lin_ptx_table *table = &body->table[body->num_tables];
  *table = (lin_ptx_table){.first = body->num_targets};
  declare(p, name, LIN_PTX_TABLE, body->num_tables++);
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&p->scan);
    if (token.kind != LIN_PTX_WORD)
      return refuse(p, token.start, "a list of labels that isn't written as usual");
    add_target(p, token);
    token = lin_ptx_next(&p->scan);
    if (token.first != ',' && token.first != ';')
      return refuse(p, token.start, "a list of labels that isn't written as usual");
    if (token.first == ';')
      break;
  }
  table->count = body->num_targets - table->first;
  return true;
}

static bool read_label(parser *p, lin_ptx_token name) {
  lin_ptx_body *body = p->body;
  lin_ptx_token next = lin_ptx_peek(&p->scan);
  if (is(p, next, ".branchtargets")) {
    lin_ptx_next(&p->scan);
    return read_table(p, name);
  }
  if (is(p, next, ".callprototype") || is(p, next, ".calltargets")) {
    declare(p, name, LIN_PTX_VARIABLE, 0);
    return skip_statement(p);
  }
  if (lin_ptx_names_find(p->names, p->scope, p->text + name.start, name.end - name.start) != NULL)
    return refuse_word(p, name, "two meanings of");
  body->label = LIN_ROOM(p->arena, body->label, body->num_labels, &p->label_capacity);
  body->label[body->num_labels] =
      (lin_ptx_label){name.start, name.end, p->scope, body->count, false};
  declare(p, name, LIN_PTX_LABEL, body->num_labels++);
  return true;
}

// .loc 1 8 218, function_name $L__info_string0 + 4, inlined_at 1 9 3
static bool read_loc(parser *p) {
  lin_ptx_body *body = p->body;
  uint32_t number[3];
  for (int i = 0; i < 3; i++) {
    lin_ptx_token token = lin_ptx_next(&p->scan);
    number[i] = lin_ptx_number(p->text, token);
    if (number[i] == UINT32_MAX)
      return refuse(p, token.start, ".loc that isn't written as usual");
  }
  while (lin_ptx_peek(&p->scan).first == ',') {
    lin_ptx_next(&p->scan);
    bool is_place = is(p, lin_ptx_next(&p->scan), "inlined_at");
    for (int i = 0; i < (is_place ? 3 : 1); i++)
      lin_ptx_next(&p->scan);
    if (!is_place && lin_ptx_peek(&p->scan).first == '+') {
      lin_ptx_next(&p->scan);
      lin_ptx_next(&p->scan);
    }
  }
  if (number[1] == 0) // of nobody's line
    return true;
  body->loc = LIN_ROOM(p->arena, body->loc, body->num_locs, &p->loc_capacity);
  body->loc[body->num_locs] = (lin_ptx_loc){number[0], number[1]};
  p->loc = body->num_locs++;
  return true;
}

static bool read_directive(parser *p, lin_ptx_token name) {
  if (is(p, name, ".reg"))
    return read_registers(p);
  if (is(p, name, ".loc"))
    return read_loc(p);
  if (is(p, name, ".pragma"))
    return skip_statement(p);
  static const char *const variables[] = {".param", ".local", ".shared", ".global", ".const"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (is(p, name, variables[i]))
      return read_variable(p);
  return refuse_word(p, name, "the directive");
}

// ---- instructions

static uint32_t number_opcode(parser *p, lin_ptx_token word) {
  const char *text = p->text + word.start;
  uint32_t length = word.end - word.start;
  lin_ptx_name *entry = lin_ptx_names_entry(p->opcodes, 0, text, length);
  if (entry->meant == LIN_PTX_NOTHING) {
    lin_ptx_body *body = p->body;
    body->opcode = LIN_ROOM(p->arena, body->opcode, body->num_opcodes, &p->opcode_capacity);
    body->opcode[body->num_opcodes] = lin_ptx_opcode_of(text, length);
    entry->meant = LIN_PTX_VARIABLE;
    entry->value = body->num_opcodes++;
  }
  return entry->value;
}

static void add_access(parser *p, uint32_t reg, lin_ptx_access_kind kind) {
  lin_ptx_body *body = p->body;
  body->access = LIN_ROOM(p->arena, body->access, body->num_accesses, &p->access_capacity);
  body->access[body->num_accesses++] = (lin_ptx_access){reg & 0x3fffffffu, kind & 3u};
}

// The operands of one instruction, while it is read.
typedef struct operands {
  const lin_ptx_opcode *opcode;
  bool is_predicated;
  uint32_t number;   // which operand, from 0
  uint32_t brackets; // [ that are open
  uint32_t groups;   // ( and { that are open
  bool is_returned;  // call: in the list of results
  bool is_own;       // reads what differs from thread to thread, and is no register
} operands;

// Special registers that are the same for all threads of a warp.
static bool is_uniform_register(const parser *p, lin_ptx_token word) {
  static const char *const uniform[] = {"%aggr_smem_size",
                                        "%clusterid",
                                        "%cluster_ctaid",
                                        "%cluster_ctarank",
                                        "%cluster_nctaid",
                                        "%cluster_nctarank",
                                        "%ctaid",
                                        "%dynamic_smem_size",
                                        "%gridid",
                                        "%is_explicit_cluster",
                                        "%nclusterid",
                                        "%nctaid",
                                        "%nsmid",
                                        "%ntid",
                                        "%nwarpid",
                                        "%reserved_smem_offset_begin",
                                        "%reserved_smem_offset_cap",
                                        "%reserved_smem_offset_end",
                                        "%smid",
                                        "%total_smem_size",
                                        "%warpid",
                                        "WARP_SZ"};
  const char *dot = memchr(p->text + word.start, '.', word.end - word.start);
  if (dot != NULL)
    word.end = (uint32_t)(dot - p->text);
  for (size_t i = 0; i < sizeof uniform / sizeof *uniform; i++)
    if (is(p, word, uniform[i]))
      return true;
  return strncmp(p->text + word.start, "%envreg", 7) == 0;
}

// Whether a word that is no register stands for what differs from thread to thread: %tid, what a
// call has returned, parameters of functions that aren't kernels.
static bool is_own(const parser *p, const operands *o, lin_ptx_token word) {
  if (word.first == '%')
    return !is_uniform_register(p, word);
  if (!o->opcode->is_param || o->brackets == 0 || (word.first >= '0' && word.first <= '9'))
    return false;
  return !p->body->place->is_kernel || find_outwards(p, p->scope, word) != NULL;
}

static void read_word(parser *p, operands *o, lin_ptx_token word) {
  bool is_part;
  uint32_t reg = find_register(p, word, &is_part);
  if (reg == LIN_NONE) {
    o->is_own |= is_own(p, o, word);
    return;
  }
  const lin_ptx_opcode *opcode = o->opcode;
  bool sets = opcode->flow == LIN_PTX_CALL
                  ? o->is_returned
                  : opcode->has_result && o->number == 0 && o->brackets == 0;
  if (!opcode->is_known) {
    add_access(p, reg, LIN_PTX_READ);
    add_access(p, reg, LIN_PTX_MAY_SET);
  } else if (sets) {
    if (opcode->keeps)
      add_access(p, reg, LIN_PTX_READ);
    add_access(p, reg,
               o->is_predicated || opcode->keeps || is_part ? LIN_PTX_MAY_SET : LIN_PTX_SET);
  } else {
    add_access(p, reg, LIN_PTX_READ);
  }
}

static bool read_operands(parser *p, operands *o) {
  bool is_first = true;
  for (;; is_first = false) {
    lin_ptx_token token = lin_ptx_next(&p->scan);
    switch (token.kind) {
    case LIN_PTX_WORD:
      read_word(p, o, token);
      continue;
    case LIN_PTX_STRING:
      continue;
    case LIN_PTX_END:
    case LIN_PTX_BAD:
      return refuse(p, token.start, "an instruction that doesn't end");
    case LIN_PTX_PUNCTUATION:
      break;
    }
    switch (token.first) {
    case ';':
      return true;
    case '[':
      o->brackets++;
      break;
    case ']':
      o->brackets -= o->brackets > 0;
      break;
    case '(':
    case '{':
      o->is_returned |= is_first && token.first == '(';
      o->groups++;
      break;
    case ')':
    case '}':
      o->groups -= o->groups > 0;
      o->is_returned &= o->groups > 0;
      break;
    case ',':
      o->number += o->groups == 0 && o->brackets == 0;
      break;
    default:
      break;
    }
  }
}

static lin_ptx_instruction *add_instruction(parser *p) {
  lin_ptx_body *body = p->body;
  if (body->count == p->instruction_capacity)
    body->leads_to = LIN_ROOM(p->arena, body->leads_to, body->count, &p->leads_capacity);
  body->instruction = LIN_ROOM(p->arena, body->instruction, body->count, &p->instruction_capacity);
  lin_ptx_instruction *at = &body->instruction[body->count];
  *at = (lin_ptx_instruction){.start = p->scan.at,
                              .operands = p->scan.at,
                              .end = p->scan.at,
                              .access = body->num_accesses,
                              .predicate = LIN_NONE,
                              .scope = p->scope,
                              .loc = p->loc};
  body->leads_to[body->count] = LIN_NONE;
  return at;
}

// @!%p opcode operands;
static bool read_instruction(parser *p, lin_ptx_token token) {
  lin_ptx_body *body = p->body;
  lin_ptx_instruction *at = add_instruction(p);
  at->start = token.start;
  if (token.first == '@') {
    token = lin_ptx_next(&p->scan);
    at->is_negated = token.first == '!';
    if (at->is_negated)
      token = lin_ptx_next(&p->scan);
    bool is_part = false;
    uint32_t reg = token.kind == LIN_PTX_WORD ? find_register(p, token, &is_part) : LIN_NONE;
    if (reg == LIN_NONE)
      return refuse(p, token.start, "a predicate that is no register of the function");
    at->predicate = reg;
    add_access(p, reg, LIN_PTX_READ);
    token = lin_ptx_next(&p->scan);
  }
  if (token.kind != LIN_PTX_WORD)
    return refuse(p, token.start, "something that is no statement");
  at->name = token.start;
  at->operands = token.end;
  at->opcode = number_opcode(p, token);
  operands o = {.opcode = &body->opcode[at->opcode], .is_predicated = at->predicate != LIN_NONE};
  if (!read_operands(p, &o))
    return false;
  at->end = p->scan.at;
  at->is_own = o.is_own || o.opcode->is_own;
  body->count++;
  return true;
}

static void open_scope(parser *p, uint32_t parent) {
  lin_ptx_body *body = p->body;
  body->scope = LIN_ROOM(p->arena, body->scope, body->num_scopes, &p->scope_capacity);
  body->scope[body->num_scopes] = (lin_ptx_scope){
      .parent = parent,
      .depth = parent == LIN_NONE ? 0 : body->scope[parent].depth + 1,
      .first = body->count,
  };
  p->scope = body->num_scopes++;
}

static bool read_statement(parser *p, lin_ptx_token token) {
  lin_ptx_body *body = p->body;
  if (token.first == ';')
    return true;
  if (token.first == '{') {
    if (body->scope[p->scope].depth >= MOST_NESTED)
      return refuse(p, token.start, "scopes nested over 64 deep");
    open_scope(p, p->scope);
    return true;
  }
  if (token.first == '}') {
    if (p->scope == 0)
      return refuse(p, token.start, "'}' closes nothing");
    body->scope[p->scope].behind = body->count;
    p->scope = parent_of(p, p->scope);
    return true;
  }
  if (token.kind == LIN_PTX_WORD && lin_ptx_peek(&p->scan).first == ':') {
    lin_ptx_next(&p->scan);
    return read_label(p, token);
  }
  if (token.kind == LIN_PTX_WORD && token.first == '.')
    return read_directive(p, token);
  if (token.kind == LIN_PTX_WORD || token.first == '@')
    return read_instruction(p, token);
  return refuse(p, token.start, "something that is no statement");
}

static void read_statements(parser *p) {
  lin_ptx_body *body = p->body;
  open_scope(p, LIN_NONE);
  read_signature(p);
  p->scan = (lin_ptx_scan){p->text, body->place->end, body->place->body};
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&p->scan);
    if (token.kind == LIN_PTX_END)
      break;
    if (!read_statement(p, token))
      break;
  }
  body->scope[0].behind = body->count;
  p->scope = 0;
  lin_ptx_instruction *end = add_instruction(p);
  end->start = end->operands = end->end = body->place->end;
}

// ---- where branches lead

static bool resolve_target(parser *p, uint32_t scope, lin_ptx_target *target) {
  lin_ptx_token word = {LIN_PTX_WORD, target->start, target->end, p->text[target->start]};
  const lin_ptx_name *found = find_outwards(p, scope, word);
  if (found == NULL || found->meant != LIN_PTX_LABEL)
    return refuse_word(p, word, "there is no label");
  target->label = found->value;
  return true;
}

static bool resolve_table(parser *p, uint32_t at, lin_ptx_token word) {
  lin_ptx_body *body = p->body;
  uint32_t scope = body->instruction[at].scope;
  const lin_ptx_name *found = find_outwards(p, scope, word);
  if (found == NULL || found->meant != LIN_PTX_TABLE)
    return refuse_word(p, word, "there is no list of labels");
  lin_ptx_table *table = &body->table[found->value];
  body->leads_to[at] = found->value;
  for (uint32_t i = 0; i < table->count && table->users == 0; i++)
    if (!resolve_target(p, found->scope, &body->target[table->first + i]))
      return false;
  table->users++;
  return true;
}

// Whether an instruction that is no branch names a label: then it may go there.
static bool names_label(parser *p, uint32_t at) {
  const lin_ptx_instruction *i = &p->body->instruction[at];
  lin_ptx_scan scan = {p->text, i->end, i->operands};
  while (scan.at < i->end) {
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.kind != LIN_PTX_WORD)
      continue;
    const lin_ptx_name *found = find_outwards(p, i->scope, token);
    if (found != NULL && (found->meant == LIN_PTX_LABEL || found->meant == LIN_PTX_TABLE))
      return true;
  }
  return false;
}

static bool resolve_branch(parser *p, uint32_t at) {
  lin_ptx_body *body = p->body;
  const lin_ptx_instruction *i = &body->instruction[at];
  lin_ptx_scan scan = {p->text, i->end, i->operands};
  lin_ptx_token word = lin_ptx_next(&scan), then = lin_ptx_next(&scan);
  switch (lin_ptx_meaning(body, at)->flow) {
  case LIN_PTX_BRA:
    if (word.kind != LIN_PTX_WORD || then.first != ';')
      return refuse(p, i->start, "a branch that isn't written as usual");
    body->leads_to[at] = body->num_targets;
    add_target(p, word);
    return resolve_target(p, i->scope, &body->target[body->num_targets - 1]);
  case LIN_PTX_BRX:
    word = lin_ptx_next(&scan);
    if (then.first != ',' || word.kind != LIN_PTX_WORD || lin_ptx_next(&scan).first != ';')
      return refuse(p, i->start, "a branch that isn't written as usual");
    return resolve_table(p, at, word);
  case LIN_PTX_RETURN:
  case LIN_PTX_EXIT:
  case LIN_PTX_TRAP:
    return word.first == ';' || refuse(p, i->start, "an instruction that isn't written as usual");
  case LIN_PTX_JUMP:
    return refuse(p, i->start, "a branch to nobody knows where");
  default:
    if (!lin_ptx_meaning(body, at)->is_known && names_label(p, at))
      return refuse(p, i->start, "an unknown instruction that names a label");
    return true;
  }
}

// ---- closed scopes

// What branches in a scope, and in those in it, need: the outermost scope that they lead to.
typedef struct needs {
  uint32_t depth; // of that; LIN_NONE: no branches
} needs;

static void need(needs *n, uint32_t depth) {
  if (n->depth == LIN_NONE || depth < n->depth)
    n->depth = depth;
}

static void need_target(const lin_ptx_body *body, needs *n, uint32_t target) {
  need(n, body->scope[body->label[body->target[target].label].scope].depth);
}

static void find_needs(const lin_ptx_body *body, uint32_t at, needs *n) {
  const lin_ptx_table *table;
  switch (lin_ptx_meaning(body, at)->flow) {
  case LIN_PTX_BRA:
    need_target(body, n, body->leads_to[at]);
    break;
  case LIN_PTX_BRX:
    table = &body->table[body->leads_to[at]];
    for (uint32_t i = 0; i < table->count; i++)
      need_target(body, n, table->first + i);
    break;
  case LIN_PTX_RETURN:
  case LIN_PTX_EXIT:
    need(n, 0);
    break;
  case LIN_PTX_TRAP: // in a scope that is closed otherwise it is nobody's end but the thread's
    need(n, body->scope[body->instruction[at].scope].depth);
    break;
  default:
    break;
  }
}

static void close_scopes(lin_arena *arena, lin_ptx_body *body) {
  needs *of = LIN_ARRAY(arena, needs, body->num_scopes);
  for (uint32_t scope = 0; scope < body->num_scopes; scope++)
    of[scope].depth = LIN_NONE;
  for (uint32_t at = 0; at < body->count; at++)
    find_needs(body, at, &of[body->instruction[at].scope]);
  for (uint32_t scope = body->num_scopes; scope-- > 1;) { // a scope before the one around it
    lin_ptx_scope *s = &body->scope[scope];
    s->is_closed = of[scope].depth == LIN_NONE || of[scope].depth >= s->depth;
    if (!s->is_closed)
      need(&of[s->parent], of[scope].depth);
  }
  uint32_t *closed = LIN_ARRAY(arena, uint32_t, body->num_scopes); // a closed one that branches
  closed[0] = LIN_NONE;
  for (uint32_t scope = 1; scope < body->num_scopes; scope++) {
    const lin_ptx_scope *s = &body->scope[scope];
    bool branches = s->is_closed && of[scope].depth != LIN_NONE;
    closed[scope] = closed[s->parent] != LIN_NONE ? closed[s->parent] : branches ? scope : LIN_NONE;
  }
  for (uint32_t at = 0; at < body->count; at++) {
    lin_ptx_instruction *i = &body->instruction[at];
    i->is_closed = closed[i->scope] != LIN_NONE;
    for (LIN_PTX_ACCESSES(body, at, access))
      if (i->is_closed && body->access[access].kind == LIN_PTX_SET)
        body->access[access].kind = LIN_PTX_MAY_SET;
  }
}

static void mark_targets(lin_ptx_body *body) {
  for (uint32_t at = 0; at < body->count; at++) {
    if (body->instruction[at].is_closed || body->leads_to[at] == LIN_NONE)
      continue;
    if (lin_ptx_meaning(body, at)->flow == LIN_PTX_BRA) {
      body->label[body->target[body->leads_to[at]].label].is_target = true;
      continue;
    }
    const lin_ptx_table *table = &body->table[body->leads_to[at]];
    for (uint32_t i = 0; i < table->count; i++)
      body->label[body->target[table->first + i].label].is_target = true;
  }
}

lin_ptx_body *lin_ptx_body_read(lin_arena *arena, const lin_ptx_module *module,
                                const lin_ptx_place *place) {
  lin_ptx_body *body = LIN_NEW(arena, lin_ptx_body);
  body->module = module;
  body->place = place;
  parser p = {.arena = arena,
              .body = body,
              .names = lin_ptx_names_new(arena),
              .opcodes = lin_ptx_names_new(arena),
              .text = module->text,
              .scan = {module->text, module->length, 0},
              .loc = LIN_NONE};
  read_statements(&p);
  for (uint32_t at = 0; at < body->count && body->refused == NULL; at++)
    resolve_branch(&p, at);
  if (body->refused != NULL)
    return body;
  close_scopes(arena, body);
  mark_targets(body);
  return body;
}
