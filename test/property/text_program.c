#define _POSIX_C_SOURCE 200809L // strtok_r
#include "text_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct open_line { // an if or a loop
  bool is_loop;
  uint32_t clause; // of an if: the statement that goes to the next clause, or LIN_NONE
  uint32_t start;  // of a loop
  uint32_t ends;   // the jumps to what comes behind, as a list through `to`
} open_line;

typedef struct label {
  const char *name;
  uint32_t at;
} label;

typedef struct reader {
  lin_arena *arena;
  text_program *program;
  open_line open[1000];
  uint32_t depth;
  label label[1000], jump[1000]; // where labels are, and gotos
  uint32_t num_labels;
  const char *wrong;
} reader;

static void fail(reader *r, const char *wrong) {
  if (r->wrong == NULL)
    r->wrong = wrong;
}

static text_statement *add(reader *r, text_kind kind, const char *condition, uint32_t to) {
  text_statement *s = &r->program->statement[r->program->count++];
  *s = (text_statement){.kind = kind, .condition = condition, .to = to, .other = LIN_NONE};
  return s;
}

static uint32_t block_of(const lin_graph *graph, const char *name) {
  if (strcmp(name, "return") == 0)
    return TEXT_RETURN;
  char *end;
  unsigned long block = name[0] == 'B' ? strtoul(name + 1, &end, 10) : LIN_NONE;
  return block < graph->num_blocks && *end == '\0' ? (uint32_t)block : LIN_NONE;
}

// ---- reading

static void chain(reader *r, uint32_t *ends, bool is_word) {
  add(r, TEXT_JUMP, NULL, *ends)->is_word = is_word;
  *ends = r->program->count - 1;
}

static void lead_here(reader *r, uint32_t ends) {
  while (ends != LIN_NONE) {
    uint32_t next = r->program->statement[ends].to;
    r->program->statement[ends].to = r->program->count;
    ends = next;
  }
}

static open_line *innermost_loop(reader *r) {
  for (uint32_t i = r->depth; i-- > 0;)
    if (r->open[i].is_loop)
      return &r->open[i];
  fail(r, "a break or continue outside of loops");
  return &r->open[0];
}

static bool read_jump(reader *r, const char *line) {
  if (strcmp(line, "break") == 0) {
    chain(r, &innermost_loop(r)->ends, true);
  } else if (strcmp(line, "continue") == 0) {
    add(r, TEXT_JUMP, NULL, innermost_loop(r)->start)->is_word = true;
  } else if (strncmp(line, "goto ", 5) == 0) {
    r->jump[r->program->num_gotos++] = (label){line + 5, r->program->count};
    add(r, TEXT_JUMP, NULL, LIN_NONE)->is_word = true;
  } else {
    return false;
  }
  return true;
}

static void end_clause(reader *r) {
  open_line *o = &r->open[r->depth - 1];
  if (o->is_loop || o->clause == LIN_NONE)
    fail(r, "an else that doesn't belong to an if");
  chain(r, &o->ends, false);
  r->program->statement[o->clause].to = r->program->count;
  o->clause = LIN_NONE;
}

static void close(reader *r, const char *condition) {
  open_line *o = &r->open[--r->depth];
  if (o->is_loop && condition != NULL)
    add(r, TEXT_IF_NOT, condition, o->start);
  else if (o->is_loop)
    add(r, TEXT_JUMP, NULL, o->start);
  else if (o->clause != LIN_NONE)
    r->program->statement[o->clause].to = r->program->count;
  lead_here(r, o->ends);
}

static void open_if(reader *r, char *condition, bool is_else) {
  condition[strlen(condition) - 2] = '\0'; // " {"
  if (!is_else)
    r->open[r->depth++] = (open_line){.ends = LIN_NONE};
  r->open[r->depth - 1].clause = r->program->count;
  add(r, TEXT_IF, condition, LIN_NONE);
}

static void read_if(reader *r, char *words) {
  size_t length = strlen(words);
  if (words[length - 1] == '{') {
    open_if(r, words, false);
    return;
  }
  static const char *const jumps[] = {" goto ", " break", " continue"};
  for (unsigned i = 0; i < 3; i++) {
    char *jump = strstr(words, jumps[i]);
    if (jump == NULL)
      continue;
    *jump = '\0';
    uint32_t at = r->program->count;
    add(r, TEXT_IF, words, at + 2);
    read_jump(r, jump + 1);
    return;
  }
  fail(r, "an if of nothing");
}

static void read_set(reader *r, char *value) {
  const lin_graph *graph = r->program->graph;
  char *choice = strstr(value, " ? "), *other = strstr(value, " : ");
  if (choice == NULL) {
    add(r, TEXT_SET, NULL, block_of(graph, value));
    return;
  }
  if (other == NULL) {
    fail(r, "half a choice");
    return;
  }
  *choice = *other = '\0';
  add(r, TEXT_SET, value, block_of(graph, choice + 3))->other = block_of(graph, other + 3);
}

static void read_block(reader *r, const char *name) {
  uint32_t block = block_of(r->program->graph, name);
  if (block >= r->program->graph->num_blocks) {
    fail(r, "a line that says nothing known");
    return;
  }
  r->program->place[block] = r->program->count;
  r->program->times[block]++;
  add(r, TEXT_BLOCK, NULL, block);
}

static void read_line(reader *r, char *line) {
  size_t length = strlen(line);
  if (line[length - 1] == ':') {
    line[length - 1] = '\0';
    r->label[r->num_labels++] = (label){line, r->program->count};
  } else if (line[0] == '}' && r->depth == 0) {
    fail(r, "a } too many");
  } else if (strcmp(line, "}") == 0) {
    close(r, NULL);
  } else if (strncmp(line, "} while ", 8) == 0) {
    close(r, line + 8);
  } else if (line[0] == '}') {
    end_clause(r);
    if (strcmp(line, "} else {") != 0)
      open_if(r, line + strlen("} else if "), true);
  } else if (strcmp(line, "loop {") == 0) {
    r->open[r->depth++] =
        (open_line){.is_loop = true, .start = r->program->count, .ends = LIN_NONE};
  } else if (strncmp(line, "if ", 3) == 0) {
    read_if(r, line + 3);
  } else if (strncmp(line, "next = ", 7) == 0) {
    read_set(r, line + 7);
  } else if (strcmp(line, "return") == 0 || strcmp(line, "trap") == 0) {
    add(r, TEXT_END, NULL, line[0] == 'r' ? TEXT_RETURN : TEXT_TRAP);
  } else if (!read_jump(r, line)) {
    read_block(r, line);
  }
}

static void find_labels(reader *r) {
  for (uint32_t i = 0; i < r->program->num_gotos; i++) {
    uint32_t *to = &r->program->statement[r->jump[i].at].to;
    for (uint32_t k = 0; k < r->num_labels; k++)
      if (strcmp(r->jump[i].name, r->label[k].name) == 0)
        *to = r->label[k].at;
    if (*to == LIN_NONE)
      fail(r, "a goto to no label");
  }
}

text_program *text_program_read(lin_arena *arena, const lin_graph *graph, const uint32_t *rank,
                                const char *text, const char **wrong) {
  size_t length = strlen(text);
  text_program *p = LIN_NEW(arena, text_program);
  *p = (text_program){.graph = graph,
                      .rank = rank,
                      .statement = LIN_ARRAY(arena, text_statement, length),
                      .place = LIN_ARRAY(arena, uint32_t, graph->num_blocks),
                      .times = LIN_ARRAY(arena, uint32_t, graph->num_blocks)};
  reader *r = LIN_NEW(arena, reader);
  *r = (reader){.arena = arena, .program = p};
  char *copy = lin_arena_text(arena, text, length), *state = NULL;
  strtok_r(copy, "\n", &state); // the title
  for (char *line = strtok_r(NULL, "\n", &state); line != NULL && r->wrong == NULL;
       line = strtok_r(NULL, "\n", &state)) {
    line += strspn(line, " ");
    char *comment = strchr(line, '#');
    if (comment != NULL)
      *comment = '\0';
    for (size_t end = strlen(line); end > 0 && line[end - 1] == ' ';)
      line[--end] = '\0';
    if (line[0] != '\0')
      read_line(r, line);
  }
  if (r->depth > 0)
    fail(r, "a } is missing");
  if (r->wrong == NULL)
    find_labels(r);
  *wrong = r->wrong;
  return p;
}

// ---- conditions

static bool is_listed(const text_program *p, const char *list, uint32_t value, bool are_blocks) {
  char copy[1000], *state = NULL;
  snprintf(copy, sizeof copy, "%s", list);
  for (char *word = strtok_r(copy, ", ", &state); word != NULL; word = strtok_r(NULL, ", ", &state))
    if (strcmp(word, "or") != 0 && strcmp(word, "and") != 0 &&
        (are_blocks ? block_of(p->graph, word) : strtoul(word, NULL, 10)) == value)
      return true;
  return false;
}

static bool is_between(const text_program *p, const char *range, uint32_t value) {
  char copy[100], *state = NULL;
  snprintf(copy, sizeof copy, "%s", range);
  uint32_t first = block_of(p->graph, strtok_r(copy, ".", &state));
  uint32_t last = block_of(p->graph, strtok_r(NULL, ".", &state));
  if (value >= p->graph->num_blocks)
    return false;
  return p->rank[first] <= p->rank[value] && p->rank[value] <= p->rank[last];
}

// What stands behind "next" or the name of a block.
static bool holds_for(const text_program *p, const char *words, uint32_t value, bool are_blocks) {
  if (strncmp(words, "in ", 3) == 0)
    return is_between(p, words + 3, value);
  if (strncmp(words, "not in ", 7) == 0)
    return !is_between(p, words + 7, value);
  static const char *const nots[] = {"is none of ", "is not "};
  for (unsigned i = 0; i < 2; i++)
    if (strncmp(words, nots[i], strlen(nots[i])) == 0)
      return !is_listed(p, words + strlen(nots[i]), value, are_blocks);
  return is_listed(p, words + strlen("is "), value, are_blocks);
}

// Sets `*is_lost` if the condition asks for the branch of another block than the last one.
static bool holds(const text_program *p, const text_state *state, const char *condition,
                  uint32_t position, bool *is_lost) {
  if (strncmp(condition, "next ", 5) == 0)
    return holds_for(p, condition + 5, state->next, true);
  bool is_not = strncmp(condition, "not ", 4) == 0;
  char name[32];
  const char *words = condition + (is_not ? 4 : 0);
  size_t length = strcspn(words, " ");
  snprintf(name, sizeof name, "%.*s", (int)length, words);
  *is_lost |= state->last == LIN_NONE || block_of(p->graph, name) != state->last;
  if (words[length] == '\0')
    return (position == 0) != is_not;
  return holds_for(p, words + length + 1, position, false);
}

// ---- following

text_state text_state_start(void) { return (text_state){.last = LIN_NONE, .next = LIN_NONE}; }

text_state text_state_behind(const text_program *program, lin_block block) {
  return (text_state){.at = program->place[block] + 1, .last = block, .next = LIN_NONE};
}

uint32_t text_step(const text_program *program, text_state *state, uint32_t position) {
  for (uint32_t steps = 0; state->at < program->count && steps <= program->count; steps++) {
    text_statement *s = &program->statement[state->at++];
    bool is_lost = false;
    bool yes = s->condition == NULL || holds(program, state, s->condition, position, &is_lost);
    s->is_used = true;
    if (is_lost)
      return TEXT_LOST;
    switch (s->kind) {
    case TEXT_BLOCK:
      state->last = s->to;
      return s->to;
    case TEXT_SET:
      state->next = yes ? s->to : s->other;
      break;
    case TEXT_IF:
      state->at = yes ? state->at : s->to;
      break;
    case TEXT_IF_NOT:
      state->at = yes ? s->to : state->at;
      break;
    case TEXT_JUMP:
      state->at = s->to;
      break;
    case TEXT_END:
      return s->to;
    }
  }
  return TEXT_LOST;
}

bool text_has_unused(const text_program *program) {
  for (uint32_t i = 0; i < program->count; i++)
    if (program->statement[i].is_word && !program->statement[i].is_used)
      return true;
  return false;
}
