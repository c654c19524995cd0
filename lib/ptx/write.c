// 1. New blocks (guards, the exit, returns under predicates) find a place between those of the
// text:
//    a test in front of what it guards, a loop's test behind the loop.
// 2. Each block in the order of the text: its branch, what its edges set, and a branch to what it
//    goes on to if that doesn't follow.
// That is done twice: the first time tells which labels are needed.
#include "write.h"

#include "define.h"
#include "guards.h"
#include "places.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

typedef struct piece {
  lin_block block; // of the flow; LIN_NONE: a block of the text that nothing reaches
  lin_block input; // of the text, or LIN_NONE: a new one
} piece;

typedef struct list {
  lin_block block;
  struct list *next;
} list;

typedef struct writer {
  lin_arena scratch;
  const lin_ptx_function *f;
  const lin_ptx_body *body;
  const char *text;
  const lin_result *result;
  const lin_flow *flow;
  const lin_graph *graph;
  lin_ptx_guards *guards;
  lin_ptx_defines *defines;
  piece *piece;
  uint32_t num_pieces;
  lin_block exit;      // of the flow, or LIN_NONE
  bool is_exit_needed; // a guard leads to it
  uint32_t *label;     // [blocks of the flow] number of its new label, or 0
  uint32_t *stub;      // [edges of the flow] number of the label where it sets guards, or 0
  uint32_t *switched;  // [blocks of the function] the last switch that leads there, and by which
  uint32_t *first_way; // of its edges first
  uint32_t num_labels, num_switches;
  const char *prefix; // of new names: no name of the function begins so
  lin_ptx_patch *patch;
  bool is_final;       // the second time
  lin_ptx_lines lines; // what is to be put in
} writer;

// ---- text

#define say(w, ...) lin_ptx_say(&(w)->lines, __VA_ARGS__)

static void replace(writer *w, uint32_t start, uint32_t end, const char *text) {
  if (w->is_final)
    lin_ptx_change_text(w->patch, start, end, text);
}

// Puts the lines that were said in at `place`, and forgets them.
static void insert(writer *w, uint32_t place) {
  if (w->is_final)
    lin_ptx_insert(w->patch, w->body, place, &w->lines);
  w->lines.length = 0;
}

// Takes an instruction away, with its line if it has one for itself.
static void erase(writer *w, uint32_t at) {
  uint32_t start, end;
  lin_ptx_span_of(w->body, at, &start, &end);
  replace(w, start, end, "");
}

// Puts what was said in place of an instruction, and forgets it: what else is on its line stays.
static void replace_instruction(writer *w, uint32_t at) {
  const lin_ptx_instruction *i = &w->body->instruction[at];
  char *text = w->lines.text;
  if (w->lines.length == 0) {
    erase(w, at);
    return;
  }
  text[w->lines.length - 1] = '\0'; // the end of the last line
  replace(w, i->start, i->end, text[0] == '\t' ? text + 1 : text);
  w->lines.length = 0;
}

// ---- blocks

static lin_block input_of(const writer *w, lin_block block) {
  lin_block ordered = w->flow->original[block];
  if (ordered == LIN_NONE)
    return LIN_NONE;
  lin_block input = w->result->order->origin[ordered];
  return input < w->f->graph->num_blocks ? input : LIN_NONE; // else where returns are united
}

static bool has_text(const writer *w, lin_block block) {
  lin_block input = input_of(w, block);
  return input != LIN_NONE && input < w->f->num_written;
}

static bool is_rerouted(const writer *w, lin_edge edge) {
  lin_edge original = w->flow->original_edge[edge];
  if (original == LIN_NONE)
    return true;
  lin_block destination = w->flow->plan->analysis->graph->destination[original];
  return w->graph->destination[edge] != w->flow->place[destination];
}

// Threads that a guard sends to the exit return there; others return where they did.
static bool keeps_return(const writer *w, lin_block block) {
  lin_edge edge = w->graph->first_edge[block];
  return !is_rerouted(w, edge) && (!w->is_exit_needed || !w->flow->leaves[edge]);
}

// Whether the return under a predicate that leads to `block` stays there: nobody else comes.
static bool is_inline_return(const writer *w, lin_block block) {
  lin_block input = input_of(w, block);
  if (input == LIN_NONE || input < w->f->num_written)
    return false;
  for (LIN_IN_EDGES(w->graph, block, i))
    if (is_rerouted(w, w->graph->in_edge[i]))
      return false;
  return lin_out_degree(w->graph, block) == 0 || keeps_return(w, block);
}

static bool is_return(const writer *w, lin_block block) {
  return lin_out_degree(w->graph, block) == 1 && input_of(w, block) != LIN_NONE &&
         lin_out_degree(w->f->graph, input_of(w, block)) == 0;
}

// Whether new lines may stand in front of a block: not where a scope is open.
static bool is_outside(const writer *w, lin_block input) {
  if (input >= w->f->num_written)
    return true;
  const lin_ptx_block *b = &w->f->block[input];
  uint32_t scope = b->label != LIN_NONE ? w->body->label[b->label].scope
                   : b->first == 0      ? 0
                                        : w->body->instruction[b->first - 1].scope;
  return scope == 0;
}

static void add_last(list **end, lin_arena *arena, lin_block block) {
  list *cell = LIN_NEW(arena, list);
  *cell = (list){block, *end};
  *end = cell;
}

static void add_pieces(writer *w, const list *cells) { // the last one comes first
  uint32_t count = 0;
  for (const list *cell = cells; cell != NULL; cell = cell->next)
    count++;
  uint32_t at = w->num_pieces += count;
  for (const list *cell = cells; cell != NULL; cell = cell->next)
    w->piece[--at] = (piece){cell->block, LIN_NONE};
}

static void place_pieces(writer *w) {
  uint32_t texts = w->f->num_written;
  list **before = LIN_ARRAY(&w->scratch, list *, texts),
       **behind = LIN_ARRAY(&w->scratch, list *, texts);
  lin_block *block_of = LIN_ARRAY(&w->scratch, lin_block, texts);
  for (lin_block input = 0; input < texts; input++)
    block_of[input] = LIN_NONE;
  list *waiting = NULL;
  lin_block last = LIN_NONE;
  for (lin_block block = 0; block < w->graph->num_blocks; block++) {
    lin_block input = input_of(w, block);
    uint32_t node = w->flow->node[block];
    if (has_text(w, block)) {
      block_of[input] = block;
      if (is_outside(w, input)) {
        before[input] = waiting;
        waiting = NULL;
      }
      last = input;
    } else if (block == w->exit || is_inline_return(w, block)) {
      continue;
    } else if (node != LIN_NONE && w->flow->plan->node[node].kind == LIN_LOOP && waiting == NULL &&
               is_outside(w, last + 1)) {
      add_last(&behind[last], &w->scratch, block);
    } else {
      add_last(&waiting, &w->scratch, block);
    }
  }
  w->piece = LIN_ARRAY(&w->scratch, piece, (size_t)w->graph->num_blocks + texts + 1);
  for (lin_block input = 0; input < texts; input++) {
    add_pieces(w, before[input]);
    w->piece[w->num_pieces++] = (piece){block_of[input], input};
    add_pieces(w, behind[input]);
  }
  add_pieces(w, waiting);
  if (w->is_exit_needed)
    w->piece[w->num_pieces++] = (piece){w->exit, LIN_NONE};
}

static lin_block block_behind(const writer *w, uint32_t index) {
  return index + 1 < w->num_pieces ? w->piece[index + 1].block : LIN_NONE;
}

// ---- names

// The label of a block, in `name`.
typedef struct label_name {
  char text[256];
} label_name;

static const char *name_label(writer *w, lin_block block, label_name *name) {
  if (has_text(w, block)) {
    const lin_ptx_block *b = &w->f->block[input_of(w, block)];
    if (b->label != LIN_NONE) {
      const lin_ptx_label *label = &w->body->label[b->label];
      return lin_arena_text(&w->scratch, w->text + label->start, label->end - label->start);
    }
  }
  if (w->label[block] == 0)
    w->label[block] = ++w->num_labels;
  snprintf(name->text, sizeof name->text, "$%s_%" PRIu32, w->prefix, w->label[block]);
  return name->text;
}

static void say_label(writer *w, lin_block block) {
  if (w->label[block] != 0)
    say(w, "$%s_%" PRIu32 ":\n", w->prefix, w->label[block]);
}

static void say_jump(writer *w, lin_block to, lin_block follows) {
  label_name name;
  if (to != follows)
    say(w, "\tbra.uni \t%s;\n", name_label(w, to, &name));
}

static void say_guard(writer *w, uint32_t guard) {
  lin_ptx_guard g = w->guards->guard[guard];
  say(w, "%%%s_%c%" PRIu32, w->prefix, g.is_flag ? 'p' : 'r', g.number);
}

// ---- what edges set

static bool sets(const writer *w, lin_edge edge) {
  return lin_ptx_guards_set(w->guards, edge) != NULL;
}

static void say_set(writer *w, uint32_t guard, uint32_t value) {
  bool is_flag = w->guards->guard[guard].is_flag;
  say(w, is_flag ? "\tmov.pred \t" : "\tmov.b32 \t");
  say_guard(w, guard);
  if (is_flag)
    say(w, ", %s;\n", value != 0 ? "-1" : "0");
  else
    say(w, ", %" PRIu32 ";\n", value);
}

static void say_sets(writer *w, lin_edge edge) {
  for (const lin_ptx_live *live = lin_ptx_guards_set(w->guards, edge); live != NULL;
       live = live->next)
    say_set(w, live->guard, lin_ptx_guards_value(w->guards, edge, live->guard));
}

// What the two edges of a branch set: `condition` is true for those who take `yes`, unless it is
// `negated`.
static void say_choices(writer *w, lin_edge yes, lin_edge no, const char *condition, bool negated) {
  if (negated) {
    lin_edge other = yes;
    yes = no;
    no = other;
  }
  const lin_ptx_live *by_yes = lin_ptx_guards_set(w->guards, yes),
                     *by_no = lin_ptx_guards_set(w->guards, no);
  while (by_yes != NULL || by_no != NULL) { // both lists rise
    uint32_t guard = by_yes == NULL                 ? by_no->guard
                     : by_no == NULL                ? by_yes->guard
                     : by_yes->guard < by_no->guard ? by_yes->guard
                                                    : by_no->guard;
    bool of_yes = by_yes != NULL && by_yes->guard == guard;
    bool of_no = by_no != NULL && by_no->guard == guard;
    uint32_t if_yes = lin_ptx_guards_value(w->guards, of_yes ? yes : no, guard);
    uint32_t if_no = lin_ptx_guards_value(w->guards, of_no ? no : yes, guard);
    if (if_yes == if_no) {
      say_set(w, guard, if_yes);
    } else if (w->guards->guard[guard].is_flag) {
      say(w, if_yes != 0 ? "\tmov.pred \t" : "\tnot.pred \t");
      say_guard(w, guard);
      say(w, ", %s;\n", condition);
    } else {
      say(w, "\tselp.b32 \t");
      say_guard(w, guard);
      say(w, ", %" PRIu32 ", %" PRIu32 ", %s;\n", if_yes, if_no, condition);
    }
    by_yes = of_yes ? by_yes->next : by_yes;
    by_no = of_no ? by_no->next : by_no;
  }
}

static void say_defines(writer *w, const lin_ptx_define *define) {
  for (; define != NULL; define = define->next) {
    const lin_ptx_register *reg = &w->body->reg[define->reg];
    const char *zero, *opcode = lin_ptx_zero(w->body, define->reg, &zero);
    say(w, "\t%s \t%.*s, %s;\n", opcode, (int)(reg->end - reg->start), w->text + reg->start, zero);
  }
}

// ---- new blocks

static void say_branch(writer *w, const char *condition, bool negated, lin_block yes, lin_block no,
                       lin_block follows) {
  label_name name;
  if (yes == no) {
    say_jump(w, yes, follows);
  } else if (yes == follows) {
    say(w, "\t@%s%s bra \t%s;\n", negated ? "" : "!", condition, name_label(w, no, &name));
  } else {
    say(w, "\t@%s%s bra \t%s;\n", negated ? "!" : "", condition, name_label(w, yes, &name));
    say_jump(w, no, follows);
  }
}

// The guard is one of low..high, by one unsigned comparison.
static void say_guard_block(writer *w, lin_block block, lin_block follows) {
  const lin_node *node = &w->flow->plan->node[w->flow->node[block]];
  lin_edge yes = w->graph->first_edge[block], no = yes + 1;
  char condition[128];
  bool negated = false;
  if (w->guards->guard[node->guard].is_flag) {
    snprintf(condition, sizeof condition, "%%%s_p%" PRIu32, w->prefix,
             w->guards->guard[node->guard].number);
    negated = node->high == 0;
  } else {
    snprintf(condition, sizeof condition, "%%%s_p0", w->prefix);
    uint32_t number = w->guards->guard[node->guard].number, length = node->high - node->low;
    if (node->low != 0 && length != 0) {
      say(w, "\tsub.u32 \t%%%s_r0, %%%s_r%" PRIu32 ", %" PRIu32 ";\n", w->prefix, w->prefix, number,
          node->low);
      number = 0;
    }
    say(w, "\tsetp.%s.u32 \t%s, %%%s_r%" PRIu32 ", %" PRIu32 ";\n", length == 0 ? "eq" : "le",
        condition, w->prefix, number, length == 0 ? node->low : length);
  }
  say_choices(w, yes, no, condition, negated);
  say_branch(w, condition, negated, w->graph->destination[yes], w->graph->destination[no], follows);
}

// Where a return under a predicate leads.
static void say_return_block(writer *w, lin_block block, lin_block follows) {
  const lin_ptx_instruction *i = &w->body->instruction[w->f->block[input_of(w, block)].first];
  if (lin_out_degree(w->graph, block) == 0 || keeps_return(w, block)) {
    say(w, "\t%.*s;\n", (int)(i->operands - i->name), w->text + i->name);
    return;
  }
  lin_edge edge = w->graph->first_edge[block];
  say_sets(w, edge);
  say_jump(w, w->graph->destination[edge], follows);
}

static void write_new(writer *w, uint32_t index, uint32_t place) {
  lin_block block = w->piece[index].block, follows = block_behind(w, index);
  say_label(w, block);
  if (block == w->exit)
    say(w, "\tret;\n");
  else if (w->flow->node[block] != LIN_NONE)
    say_guard_block(w, block, follows);
  else
    say_return_block(w, block, follows);
  insert(w, place);
}

// ---- blocks of the text

static void rename_target(writer *w, uint32_t target, lin_block to) {
  const lin_ptx_target *t = &w->body->target[target];
  label_name name;
  replace(w, t->start, t->end, name_label(w, to, &name));
}

static const char *predicate_of(writer *w, const lin_ptx_instruction *i) {
  const lin_ptx_register *reg = &w->body->reg[i->predicate];
  return lin_arena_text(&w->scratch, w->text + reg->start, reg->end - reg->start);
}

// A branch that all threads of the block take.
static void write_jump(writer *w, lin_block block, lin_edge edge) {
  const lin_ptx_block *b = &w->f->block[input_of(w, block)];
  if (sets(w, edge)) {
    say_sets(w, edge);
    insert(w, lin_ptx_place_of(w->body, b->branch));
  }
  if (is_rerouted(w, edge))
    rename_target(w, w->body->leads_to[b->branch], w->graph->destination[edge]);
}

static void write_return(writer *w, lin_block block, lin_block follows) {
  const lin_ptx_block *b = &w->f->block[input_of(w, block)];
  lin_edge edge = w->graph->first_edge[block];
  if (keeps_return(w, block))
    return;
  say_sets(w, edge);
  if (b->branch == LIN_NONE) { // the end of the body
    say_jump(w, w->graph->destination[edge], follows);
    insert(w, lin_ptx_place_before(w->f, w->f->num_written));
    return;
  }
  insert(w, lin_ptx_place_of(w->body, b->branch));
  say_jump(w, w->graph->destination[edge], follows);
  replace_instruction(w, b->branch);
}

// That all threads go one way was said of those that came together before: in a region more may.
static void drop_promise(writer *w, lin_block block, const lin_ptx_instruction *i) {
  if (w->result->regions->owner[w->flow->original[block]] != LIN_NONE &&
      lin_ptx_has_part(w->text + i->name, i->operands - i->name, ".uni"))
    replace(w, i->name, i->operands, "bra");
}

// A branch under a predicate: `taken` by those for whom it holds, or doesn't where it is negated.
static void write_branch(writer *w, lin_block block, lin_block follows) {
  lin_block input = input_of(w, block);
  const lin_ptx_block *b = &w->f->block[input];
  const lin_ptx_instruction *i = &w->body->instruction[b->branch];
  lin_edge taken = w->graph->first_edge[block], other = taken + 1;
  lin_block yes = w->graph->destination[taken], no = w->graph->destination[other];
  const char *condition = predicate_of(w, i);
  if (sets(w, taken) || sets(w, other))
    say_choices(w, taken, other, condition, i->is_negated);
  if (b->returns != LIN_NONE && is_inline_return(w, yes)) {
    insert(w, lin_ptx_place_of(w->body, b->branch));
    say_jump(w, no, follows);
    insert(w, lin_ptx_place_before(w->f, input + 1));
    return;
  }
  if (b->returns == LIN_NONE && !is_rerouted(w, taken) && !is_rerouted(w, other) &&
      (b->second != LIN_NONE || no == follows)) {
    insert(w, lin_ptx_place_of(w->body, b->branch));
    drop_promise(w, block, i);
    return;
  }
  insert(w, lin_ptx_place_of(w->body, b->branch));
  say_branch(w, condition, i->is_negated, yes, no, follows);
  replace_instruction(w, b->branch);
  if (b->second != LIN_NONE)
    erase(w, b->second);
}

// Entries of the list that lead to the same place share what they set.
static void write_switch(writer *w, lin_block block, lin_block follows) {
  lin_block input = input_of(w, block);
  const lin_ptx_block *b = &w->f->block[input];
  const lin_ptx_table *table = &w->body->table[w->body->leads_to[b->branch]];
  const lin_graph *graph = w->f->graph;
  lin_edge first = w->graph->first_edge[block], given = graph->first_edge[input];
  uint32_t degree = lin_out_degree(w->graph, block);
  lin_edge *same = LIN_ARRAY(&w->scratch, lin_edge, table->count); // the first to that destination
  bool has_stubs = false; // behind the branch, where those for whom the predicate doesn't hold come
  for (uint32_t i = 0; i < table->count; i++)
    has_stubs |= sets(w, first + i);
  if (degree > table->count) {
    lin_edge other = first + table->count;
    say_sets(w, other);
    say_jump(w, w->graph->destination[other], has_stubs ? LIN_NONE : follows);
  }
  uint32_t *stub = LIN_ARRAY(&w->scratch, uint32_t, table->count);
  uint32_t number = ++w->num_switches;
  for (uint32_t i = 0; i < table->count; i++) {
    lin_block to = graph->destination[given + i];
    same[i] = w->switched[to] == number ? w->first_way[to] : i;
    w->switched[to] = number;
    w->first_way[to] = same[i];
    lin_edge edge = first + i;
    if (!sets(w, edge)) {
      if (is_rerouted(w, edge))
        rename_target(w, table->first + i, w->graph->destination[edge]);
      continue;
    }
    if (same[i] == i) {
      stub[i] = w->stub[edge] != 0 ? w->stub[edge] : ++w->num_labels;
      w->stub[edge] = stub[i];
      say(w, "$%s_%" PRIu32 ":\n", w->prefix, stub[i]);
      say_sets(w, edge);
      say_jump(w, w->graph->destination[edge], LIN_NONE);
    }
    label_name name;
    snprintf(name.text, sizeof name.text, "$%s_%" PRIu32, w->prefix, stub[same[i]]);
    const lin_ptx_target *t = &w->body->target[table->first + i];
    replace(w, t->start, t->end, name.text);
  }
  insert(w, lin_ptx_place_before(w->f, input + 1));
}

static void write_text(writer *w, uint32_t index) {
  lin_block block = w->piece[index].block, input = w->piece[index].input;
  lin_block follows = block_behind(w, index);
  const lin_ptx_block *b = &w->f->block[input];
  if (block == LIN_NONE) // nothing reaches it
    return;
  say_label(w, block);
  insert(w, lin_ptx_place_before(w->f, input));
  say_defines(w, w->defines->of[input]);
  insert(w, b->branch != LIN_NONE ? lin_ptx_place_of(w->body, b->branch)
                                  : lin_ptx_place_before(w->f, input + 1));
  uint32_t degree = lin_out_degree(w->graph, block);
  if (degree == 0)
    return;
  lin_edge edge = w->graph->first_edge[block];
  lin_ptx_flow flow =
      b->branch == LIN_NONE ? LIN_PTX_ON : lin_ptx_meaning(w->body, b->branch)->flow;
  if (flow == LIN_PTX_BRX) {
    write_switch(w, block, follows);
  } else if (is_return(w, block)) {
    write_return(w, block, follows);
  } else if (degree == 2) {
    write_branch(w, block, follows);
  } else if (flow == LIN_PTX_BRA && w->body->instruction[b->branch].predicate == LIN_NONE) {
    write_jump(w, block, edge);
  } else { // goes on
    say_sets(w, edge);
    say_jump(w, w->graph->destination[edge], follows);
    insert(w, lin_ptx_place_before(w->f, input + 1));
  }
}

static void write_pieces(writer *w) {
  lin_block next = 0; // block of the text in front of which new ones come
  for (uint32_t index = 0; index < w->num_pieces; index++) {
    if (w->piece[index].input == LIN_NONE) {
      write_new(w, index, lin_ptx_place_before(w->f, next));
      continue;
    }
    next = w->piece[index].input + 1;
    write_text(w, index);
  }
}

static void declare_registers(writer *w) {
  if (w->guards->num_flags > 0)
    say(w, "\t.reg .pred \t%%%s_p<%" PRIu32 ">;\n", w->prefix, w->guards->num_flags);
  if (w->guards->num_integers > 0)
    say(w, "\t.reg .b32 \t%%%s_r<%" PRIu32 ">;\n", w->prefix, w->guards->num_integers);
  insert(w, lin_ptx_end_line(w->body, w->body->place->body));
  say_defines(w, w->defines->at_entry); // behind all declarations
  insert(w,
         w->f->block[0].behind > 0 ? lin_ptx_place_of(w->body, 0) : lin_ptx_place_before(w->f, 1));
}

void lin_ptx_write(const lin_ptx_function *f, const lin_result *result, lin_ptx_patch *patch) {
  uint32_t n = result->flow->graph->num_blocks;
  writer w = {.f = f,
              .body = f->body,
              .text = f->body->module->text,
              .result = result,
              .flow = result->flow,
              .graph = result->flow->graph,
              .exit = LIN_NONE,
              .patch = patch};
  w.label = LIN_ARRAY(&w.scratch, uint32_t, n);
  w.stub = LIN_ARRAY(&w.scratch, uint32_t, w.graph->num_edges);
  w.switched = LIN_ARRAY(&w.scratch, uint32_t, f->graph->num_blocks);
  w.first_way = LIN_ARRAY(&w.scratch, uint32_t, f->graph->num_blocks);
  w.lines.arena = &w.scratch;
  w.guards = lin_ptx_guards_build(&w.scratch, result->flow);
  w.defines = lin_ptx_defines_build(&w.scratch, f, result);
  w.prefix = lin_ptx_fresh_prefix(&w.scratch, w.body);
  for (lin_block block = 0; block < n; block++)
    if (w.flow->node[block] == LIN_NONE && input_of(&w, block) == LIN_NONE)
      w.exit = block;
  if (w.exit != LIN_NONE)
    for (LIN_IN_EDGES(w.graph, w.exit, i))
      w.is_exit_needed |= w.flow->original_edge[w.graph->in_edge[i]] == LIN_NONE;
  place_pieces(&w);
  // A block to which one behind it jumps has its label the second time.
  write_pieces(&w);
  w.is_final = true;
  declare_registers(&w);
  write_pieces(&w);
  lin_arena_release(&w.scratch);
}
