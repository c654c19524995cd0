#include "folds.h"

#include "define.h"
#include "moves.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

lin_edge lin_ptx_fold_exit(const lin_ptx_function *f, const lin_ptx_fold *fold, uint32_t i) {
  lin_edge first = f->graph->first_edge[fold->test[i]];
  lin_block next = fold->test[i + 1 < fold->count ? i + 1 : 0];
  return f->graph->destination[first] == next ? first + 1 : first;
}

// Whether who leaves by a test before `test` needs the register.
static bool is_needed_before(const lin_ptx_function *f, const lin_ptx_fold *fold,
                             lin_ptx_needs *needs, uint32_t test, uint32_t reg) {
  for (uint32_t i = 0; i < test; i++)
    if (lin_ptx_is_needed(needs, f->graph->destination[lin_ptx_fold_exit(f, fold, i)], reg))
      return true;
  return false;
}

static void keep(lin_arena *arena, lin_ptx_fold *fold, uint32_t *capacity, uint32_t test,
                 uint32_t reg) {
  for (uint32_t k = 0; k < fold->num_kept; k++)
    if (fold->kept[k].test == test && fold->kept[k].reg == reg)
      return;
  fold->kept = LIN_ROOM(arena, fold->kept, fold->num_kept, capacity);
  fold->kept[fold->num_kept++] = (lin_ptx_kept){test, reg, 0, LIN_NONE};
}

// The only instruction behind the first test that sets a register, or LIN_NONE.
static uint32_t only_set(const lin_ptx_function *f, const lin_ptx_fold *fold, uint32_t reg) {
  const lin_ptx_body *body = f->body;
  uint32_t found = LIN_NONE;
  for (uint32_t i = 1; i < fold->count; i++)
    for (uint32_t at = f->block[fold->test[i]].first; at < f->block[fold->test[i]].branch; at++)
      for (LIN_PTX_ACCESSES(body, at, access)) {
        if (body->access[access].reg != reg || body->access[access].kind == LIN_PTX_READ)
          continue;
        if (found != LIN_NONE)
          return LIN_NONE;
        found = at;
      }
  return found;
}

static bool has_opcode(const lin_ptx_body *body, uint32_t at, const char *opcode) {
  const lin_ptx_instruction *i = &body->instruction[at];
  return i->operands - i->name > strlen(opcode) &&
         memcmp(body->module->text + i->name, opcode, strlen(opcode)) == 0;
}

// Whether an instruction is `add` of a type that wraps around, and of nothing else: s32, u64.
static bool is_plain_add(const lin_ptx_body *body, uint32_t at) {
  static const char *const opcodes[] = {"add.s16", "add.u16", "add.s32",
                                        "add.u32", "add.s64", "add.u64"};
  const lin_ptx_instruction *i = &body->instruction[at];
  for (size_t k = 0; k < sizeof opcodes / sizeof *opcodes; k++)
    if (i->operands - i->name == strlen(opcodes[k]) &&
        memcmp(body->module->text + i->name, opcodes[k], strlen(opcodes[k])) == 0)
      return true;
  return false;
}

// The number that an instruction adds to `reg`, `add.s32 ..., %reg, -3`: with its sign, the text up
// to the semicolon, of `*length` characters. NULL if it is nothing like that.
static const char *added_number(const lin_ptx_body *body, uint32_t at, uint32_t reg, int *length) {
  lin_ptx_word word[LIN_PTX_MOST_WORDS];
  uint32_t count;
  if (!is_plain_add(body, at) || lin_ptx_words(body, at, word, &count) == NULL || count != 3 ||
      word[1].access == LIN_NONE || body->access[word[1].access].reg != reg ||
      word[2].access != LIN_NONE)
    return NULL;
  const char *text = body->module->text, *end = text + body->instruction[at].end - 1;
  const char *comma = memchr(text + word[1].end, ',', word[2].start - word[1].end);
  if (comma == NULL || text[word[2].start] < '0' || text[word[2].start] > '9')
    return NULL;
  *length = (int)(end - (comma + 1));
  return comma + 1;
}

static bool adds_number(const lin_ptx_body *body, uint32_t at, uint32_t reg) {
  int length;
  return added_number(body, at, reg, &length) != NULL;
}

// The instruction that makes a kept register a counter, or LIN_NONE. The sum may be another
// register's, which it becomes at the end of the iteration.
static uint32_t find_add(const lin_ptx_function *f, const lin_ptx_fold *fold, uint32_t reg) {
  const lin_ptx_body *body = f->body;
  uint32_t at = only_set(f, fold, reg);
  if (at == LIN_NONE || adds_number(body, at, reg))
    return at;
  lin_ptx_word word[LIN_PTX_MOST_WORDS];
  uint32_t count;
  if (!has_opcode(body, at, "mov.") || lin_ptx_words(body, at, word, &count) == NULL ||
      count != 2 || word[1].access == LIN_NONE)
    return LIN_NONE;
  uint32_t sum = only_set(f, fold, body->access[word[1].access].reg);
  return sum != LIN_NONE && sum < at && adds_number(body, sum, reg) ? sum : LIN_NONE;
}

// Whether a test behind the first sets the register.
static bool is_set_later(const lin_ptx_function *f, const lin_ptx_fold *fold, uint32_t reg) {
  for (uint32_t i = 1; i < fold->count; i++)
    for (uint32_t at = f->block[fold->test[i]].first; at < f->block[fold->test[i]].branch; at++)
      for (LIN_PTX_ACCESSES(f->body, at, access))
        if (f->body->access[access].reg == reg && f->body->access[access].kind != LIN_PTX_READ)
          return true;
  return false;
}

static bool is_sunk(const lin_ptx_fold *fold, uint32_t at) {
  for (uint32_t k = 0; k < fold->num_sunk; k++)
    if (fold->sunk[k] == at)
      return true;
  return false;
}

// Whether a test reads the register, from the first one's branch on.
static bool is_read(const lin_ptx_function *f, const lin_ptx_fold *fold, uint32_t reg) {
  const lin_ptx_body *body = f->body;
  for (uint32_t i = 0; i < fold->count; i++) {
    const lin_ptx_block *b = &f->block[fold->test[i]];
    for (uint32_t at = i == 0 ? b->branch : b->first; at <= b->branch; at++)
      for (LIN_PTX_ACCESSES(body, at, access))
        if (body->access[access].reg == reg && body->access[access].kind == LIN_PTX_READ)
          return true;
  }
  return false;
}

// Whether an instruction is a `mov` of what stays as it is, to what nobody reads in the loop.
static bool may_sink(const lin_ptx_function *f, const lin_ptx_fold *fold, lin_ptx_needs *needs,
                     uint32_t at) {
  const lin_ptx_body *body = f->body;
  lin_ptx_word word[LIN_PTX_MOST_WORDS];
  uint32_t count;
  if (!has_opcode(body, at, "mov.") || lin_ptx_words(body, at, word, &count) == NULL ||
      count != 2 || word[0].access == LIN_NONE)
    return false;
  uint32_t to = body->access[word[0].access].reg;
  if (word[1].access != LIN_NONE) {
    uint32_t from = body->access[word[1].access].reg;
    if (from == to || is_set_later(f, fold, from))
      return false;
  }
  return only_set(f, fold, to) == at && !is_read(f, fold, to) &&
         !lin_ptx_is_needed(needs, fold->test[0], to);
}

static void sink(lin_arena *arena, const lin_ptx_function *f, lin_ptx_fold *fold,
                 lin_ptx_needs *needs) {
  uint32_t capacity = 0;
  for (uint32_t i = 1; i < fold->count; i++)
    for (uint32_t at = f->block[fold->test[i]].first; at < f->block[fold->test[i]].branch; at++)
      if (may_sink(f, fold, needs, at)) {
        fold->sunk = LIN_ROOM(arena, fold->sunk, fold->num_sunk, &capacity);
        fold->sunk[fold->num_sunk++] = at;
      }
}

lin_ptx_fold *lin_ptx_fold_plan(lin_arena *arena, const lin_ptx_function *f, lin_ptx_needs *needs,
                                const lin_block *test, uint32_t count) {
  const lin_ptx_body *body = f->body;
  lin_ptx_fold *fold = LIN_NEW(arena, lin_ptx_fold);
  *fold = (lin_ptx_fold){.test = test, .count = count};
  uint32_t capacity = 0;
  sink(arena, f, fold, needs);
  for (uint32_t i = 1; i < count; i++)
    for (uint32_t at = f->block[test[i]].first; at < f->block[test[i]].branch; at++)
      for (LIN_PTX_ACCESSES(body, at, access)) {
        uint32_t reg = body->access[access].reg;
        if (body->access[access].kind != LIN_PTX_READ && !is_sunk(fold, at) &&
            is_needed_before(f, fold, needs, i, reg))
          keep(arena, fold, &capacity, i, reg);
      }
  for (uint32_t k = 0; k < fold->num_kept; k++) {
    fold->kept[k].adds = find_add(f, fold, fold->kept[k].reg);
    fold->num_counters += fold->kept[k].adds != LIN_NONE;
  }
  return fold;
}

// ---- text

static const char *name_of(lin_arena *arena, const lin_ptx_body *body, uint32_t reg) {
  const lin_ptx_register *r = &body->reg[reg];
  return lin_arena_text(arena, body->module->text + r->start, r->end - r->start);
}

static const char *name_new(lin_arena *arena, const char *prefix, char kind, uint32_t number) {
  char name[48];
  int length = snprintf(name, sizeof name, "%%%s_%c%" PRIu32, prefix, kind, number);
  return lin_arena_text(arena, name, (size_t)length);
}

static const char *declare_flag(lin_ptx_fold_names *names) {
  lin_ptx_say(names->header, "\t.reg .pred \t%%%s_t%" PRIu32 ";\n", names->prefix,
              ++names->num_flags);
  return name_new(names->header->arena, names->prefix, 't', names->num_flags);
}

static void declare_kept(const lin_ptx_body *body, lin_ptx_kept *kept, lin_ptx_fold_names *names) {
  const lin_ptx_register *r = &body->reg[kept->reg];
  kept->number = ++names->num_kept;
  lin_ptx_say(names->header, "\t.reg %.*s \t%%%s_m%" PRIu32 ";\n", (int)(r->type_end - r->type),
              body->module->text + r->type, names->prefix, kept->number);
}

// Whether one leaves by test `i` or one before: the flag of that.
static const char *say_flag(const lin_ptx_function *f, const lin_ptx_fold *fold,
                            lin_ptx_fold_names *names, lin_ptx_lines *lines, uint32_t i,
                            const char *predicate) {
  const lin_ptx_instruction *branch = &f->body->instruction[f->block[fold->test[i]].branch];
  bool exit_is_taken = lin_ptx_fold_exit(f, fold, i) == f->graph->first_edge[fold->test[i]];
  bool leaves_if_set = exit_is_taken != branch->is_negated;
  if (i == 0 && leaves_if_set && !is_set_later(f, fold, branch->predicate))
    return predicate;
  const char *flag = declare_flag(names);
  if (!leaves_if_set || i == 0)
    lin_ptx_say(lines, "\t%s.pred \t%s, %s;\n", leaves_if_set ? "mov" : "not", flag, predicate);
  if (i > 0)
    lin_ptx_say(lines, "\tor.pred \t%s, %s, %s;\n", flag, leaves_if_set ? predicate : flag,
                names->flag[i - 1]);
  return flag;
}

void lin_ptx_fold_say_tests(const lin_ptx_function *f, lin_ptx_fold *fold,
                            lin_ptx_fold_names *names, lin_ptx_lines *lines) {
  const lin_ptx_body *body = f->body;
  lin_arena *arena = lines->arena;
  const char **name = LIN_ARRAY(arena, const char *, body->num_regs); // of what was set last
  const char **named = LIN_ARRAY(arena, const char *, body->num_regs);
  uint32_t kept = 0;
  names->flag = LIN_ARRAY(arena, const char *, fold->count);
  for (uint32_t i = 0; i < fold->count; i++) {
    const lin_ptx_block *b = &f->block[fold->test[i]];
    uint32_t first = kept;
    for (; kept < fold->num_kept && fold->kept[kept].test == i; kept++) {
      if (fold->kept[kept].adds != LIN_NONE)
        continue;
      declare_kept(body, &fold->kept[kept], names);
      named[fold->kept[kept].reg] = name_new(arena, names->prefix, 'm', fold->kept[kept].number);
    }
    for (uint32_t at = b->first; i > 0 && at < b->branch; at++) {
      if (is_sunk(fold, at))
        continue;
      lin_ptx_say_instruction(lines, body, at, name, named);
      for (LIN_PTX_ACCESSES(body, at, access))
        if (body->access[access].kind != LIN_PTX_READ)
          name[body->access[access].reg] = named[body->access[access].reg];
    }
    for (uint32_t k = first; k < kept; k++)
      named[fold->kept[k].reg] = NULL;
    uint32_t predicate = body->instruction[b->branch].predicate;
    names->flag[i] =
        say_flag(f, fold, names, lines, i,
                 name[predicate] != NULL ? name[predicate] : name_of(arena, body, predicate));
  }
}

static void say_kept(const lin_ptx_function *f, const lin_ptx_kept *kept,
                     const lin_ptx_fold_names *names, lin_ptx_lines *lines) {
  const char *zero;
  lin_ptx_say(lines, "\t%s \t%s, %%%s_m%" PRIu32 ";\n", lin_ptx_zero(f->body, kept->reg, &zero),
              name_of(lines->arena, f->body, kept->reg), names->prefix, kept->number);
}

// Adds to a counter what the iteration does, or takes it back.
static void say_count(const lin_ptx_function *f, const lin_ptx_kept *kept, const char *verb,
                      lin_ptx_lines *lines) {
  const lin_ptx_body *body = f->body;
  const lin_ptx_instruction *i = &body->instruction[kept->adds];
  const char *reg = name_of(lines->arena, body, kept->reg);
  const char *type = body->module->text + i->name + strlen("add");
  int length;
  const char *number = added_number(body, kept->adds, kept->reg, &length);
  assert(number != NULL && "it is a counter");
  lin_ptx_say(lines, "\t%s%.*s \t%s, %s,%.*s;\n", verb, (int)(i->operands - i->name - 3), type, reg,
              reg, length, number);
}

void lin_ptx_fold_say_around(const lin_ptx_function *f, const lin_ptx_fold *fold,
                             const lin_ptx_fold_names *names, lin_ptx_lines *lines) {
  for (uint32_t k = 0; k < fold->num_kept; k++)
    if (fold->kept[k].adds == LIN_NONE)
      say_kept(f, &fold->kept[k], names, lines);
}

void lin_ptx_fold_say_leaving(const lin_ptx_function *f, const lin_ptx_fold *fold,
                              const lin_ptx_fold_names *names, uint32_t i, lin_ptx_lines *lines) {
  for (uint32_t k = 0; k < fold->num_kept; k++) {
    const lin_ptx_kept *kept = &fold->kept[k];
    if (kept->adds != LIN_NONE && i == 0)
      say_count(f, kept, "sub", lines);
    else if (kept->adds != LIN_NONE && kept->test == i)
      say_count(f, kept, "add", lines);
    else if (kept->adds == LIN_NONE && kept->test == i)
      say_kept(f, kept, names, lines);
  }
  for (uint32_t k = 0; k < fold->num_sunk; k++)
    if (fold->sunk[k] >= f->block[fold->test[i]].first &&
        fold->sunk[k] < f->block[fold->test[i]].behind)
      lin_ptx_say_instruction(lines, f->body, fold->sunk[k], NULL, NULL);
}
