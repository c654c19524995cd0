#include "assembly.h"

#include "costs.h"
#include "graph/graph.h"

#include <string.h>

typedef struct reader {
  const char *text;
  size_t length, at;
  lin_assembly result;
} reader;

static bool is_one_of(char c, const char *set) { return c == '\0' || strchr(set, c) != NULL; }

// What stands at `at`, or '\0' behind the end.
static char look(const reader *r, size_t at) { return at < r->length ? r->text[at] : '\0'; }

static void skip_comment(reader *r) {
  bool is_line = look(r, r->at + 1) == '/';
  for (r->at += 2; r->at < r->length; r->at++)
    if (is_line ? look(r, r->at) == '\n' : look(r, r->at) == '*' && look(r, r->at + 1) == '/')
      break;
  r->at += is_line ? 1 : 2;
}

// Moves past blanks, braces and comments; false at the end.
static bool skip_blanks(reader *r) {
  while (r->at < r->length) {
    char next = look(r, r->at + 1);
    if (look(r, r->at) == '/' && (next == '/' || next == '*'))
      skip_comment(r);
    else if (is_one_of(look(r, r->at), " \t\r\n{};"))
      r->at++;
    else
      return true;
  }
  return false;
}

// The characters up to a blank or punctuation. Two colons are of a word: shared::cta.
static size_t word_length(const reader *r) {
  size_t end = r->at;
  for (;; end++) {
    if (look(r, end) == ':' && look(r, end + 1) == ':' && end > r->at)
      end += 2;
    if (is_one_of(look(r, end), " \t\r\n,;:{}[]()|!+-"))
      return end - r->at;
  }
}

static const lin_nvptx *add(reader *r, char sigil, const char *word, size_t length) {
  uint32_t number = lin_nvptx_find(sigil, word, length, NULL);
  if (number == LIN_NONE)
    return NULL;
  const lin_nvptx *row = lin_nvptx_row(number);
  r->result.families |= UINT32_C(1) << row->family;
  return row;
}

// Of what a call does, its callee says more.
static void add_effects(reader *r, const char *word, size_t length, const lin_nvptx *row,
                        const lin_nvptx *callee) {
  r->result.has_unknown |= row == NULL;
  r->result.cost += row == NULL ? (uint32_t)LIN_COST_FEW : row->cost;
  const bool computes = row != NULL && row->gives == LIN_GIVES_OPERANDS && row->effects == 0;
  const bool passes = row != NULL && (row->family == LIN_NVPTX_CALL || // of whom, is seen elsewhere
                                      strcmp(row->name, "st.param") == 0);
  r->result.does_more |= !computes && !passes;
  if (row == NULL || row->family == LIN_NVPTX_CALL)
    r->result.effects |= callee != NULL ? callee->effects : 0;
  else
    r->result.effects |= row->effects | (lin_nvptx_polls(row, word, length) ? LIN_POLLS : 0);
}

// call.uni (retval0), f, (param0);  what stands in no parentheses is the callee.
static void note_callee(reader *r, const char *name, size_t length) {
  r->result.calls_unknown |= r->result.callee != NULL || name == NULL || is_one_of(*name, "%$");
  r->result.callee = name;
  r->result.callee_length = length;
}

static void read_statement(reader *r) {
  const char *opcode = r->text + r->at;
  size_t length = word_length(r), opcode_length = length;
  bool is_directive = look(r, r->at) == '.';
  const lin_nvptx *row = is_directive ? NULL : add(r, '\0', opcode, length), *callee = NULL;
  const bool calls = lin_nvptx_is(row, LIN_NVPTX_CALL);
  const char *called = NULL;
  size_t called_length = 0;
  uint32_t depth = 0;
  for (r->at += length; r->at < r->length && look(r, r->at) != ';';) {
    const char *word = r->text + r->at;
    length = word_length(r);
    if (length > 1 && *word == '%')
      add(r, '%', word + 1, length - 1);
    if (calls && length > 0 && depth == 0 && called == NULL) {
      called = word;
      called_length = length;
      callee = lin_nvptx_callee(word, length);
    }
    depth += length == 0 && *word == '(';
    depth -= length == 0 && *word == ')' && depth > 0;
    r->at += length == 0 ? 1 : length;
  }
  if (calls && callee == NULL)
    note_callee(r, called, called_length);
  if (!is_directive)
    add_effects(r, opcode, opcode_length, row, callee);
}

lin_assembly lin_assembly_read(const char *text, size_t length) {
  reader r = {.text = text, .length = length};
  while (skip_blanks(&r)) {
    bool is_predicate = look(&r, r.at) == '@';
    if (is_predicate)
      r.at += look(&r, r.at + 1) == '!' ? 2 : 1;
    size_t word = word_length(&r);
    if (is_predicate || word == 0 || look(&r, r.at + word) == ':') // or a label
      r.at += word + (word == 0 || !is_predicate);
    else
      read_statement(&r);
  }
  return r.result;
}
