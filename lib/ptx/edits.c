// 1. What leads where, says the graph after the edits (lin_edit_apply).
// 2. Blocks of the text get these destinations; those of folded tests go, but for the first.
//    A block that tested a flag, to which one other alone leads now, goes to that one's end.
// 3. New blocks: copies, tests for those who leave a folded loop, and what is around strips.
// That is done twice: the first time tells which labels are needed.
#include "edits.h"

#include "draft.h"
#include "folds.h"
#include "moves.h"
#include "strips.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

typedef struct editor {
  lin_arena *arena;
  const lin_ptx_function *f;
  const lin_ptx_body *body;
  const lin_edits *edits;
  const lin_graph *before, *after;
  lin_ptx_patch *patch;
  lin_ptx_needs *needs;
  lin_ptx_fold *fold;        // [edits] of those that fold
  lin_ptx_fold_names *names; // [edits]
  uint32_t num_flags, num_kept;
  const lin_edit **header_of; // [blocks] the edit that folds the loop of this header, or NULL
  lin_ptx_strip **strip;      // [edits] of those that cut into strips
  const lin_ptx_strip **ends; // [blocks] the strip that ends here, or NULL
  bool *is_gone;              // [blocks] a folded test behind the first; what goes elsewhere
  lin_block *ends_in;         // [blocks] what goes to its end, or LIN_NONE
  uint32_t *label;            // [blocks after] number of its new label, or 0
  uint32_t num_labels;
  const char *prefix;
  bool is_final; // the second time
} editor;

static lin_ptx_lines no_lines(const editor *e) { return (lin_ptx_lines){.arena = e->arena}; }

static void change(const editor *e, uint32_t start, uint32_t end, const char *text) {
  if (e->is_final)
    lin_ptx_change_text(e->patch, start, end, text);
}

static void insert(const editor *e, uint32_t place, lin_ptx_lines *lines) {
  if (e->is_final)
    lin_ptx_insert(e->patch, e->body, place, lines);
  lines->length = 0;
}

static void erase(const editor *e, uint32_t at) {
  uint32_t start, end;
  lin_ptx_span_of(e->body, at, &start, &end);
  change(e, start, end, "");
}

// ---- destinations

// Whether a block is where a return under a predicate leads: it has no label, and no text.
static bool is_return(const editor *e, lin_block block) {
  return block >= e->f->num_written && block < e->before->num_blocks;
}

static const char *label_of(editor *e, lin_block block) {
  if (block < e->f->num_written && !e->is_gone[block] && e->f->block[block].label != LIN_NONE) {
    const lin_ptx_label *label = &e->body->label[e->f->block[block].label];
    return lin_arena_text(e->arena, e->body->module->text + label->start,
                          label->end - label->start);
  }
  if (e->label[block] == 0)
    e->label[block] = ++e->num_labels;
  char name[48];
  int length = snprintf(name, sizeof name, "$%s_%" PRIu32, e->prefix, e->label[block]);
  return lin_arena_text(e->arena, name, (size_t)length);
}

static void say_label(const editor *e, lin_block block, lin_ptx_lines *lines) {
  if (e->label[block] != 0)
    lin_ptx_say(lines, "$%s_%" PRIu32 ":\n", e->prefix, e->label[block]);
}

// Goes to a block, under a predicate with `@` in front, or "".
static void say_jump(editor *e, const char *predicate, lin_block to, lin_ptx_lines *lines) {
  bool is_sure = *predicate == '\0';
  if (is_return(e, to)) {
    const lin_ptx_instruction *i = &e->body->instruction[e->f->block[to].first];
    lin_ptx_say(lines, "\t%s%.*s;\n", predicate, (int)(i->operands - i->name),
                e->body->module->text + i->name);
  } else {
    lin_ptx_say(lines, "\t%sbra%s \t%s;\n", predicate, is_sure ? ".uni" : "", label_of(e, to));
  }
}

static const char *predicate_of(const editor *e, uint32_t branch) {
  const lin_ptx_instruction *i = &e->body->instruction[branch];
  const lin_ptx_register *reg = &e->body->reg[i->predicate];
  lin_ptx_lines lines = no_lines(e);
  lin_ptx_say(&lines, "@%s%.*s ", i->is_negated ? "!" : "", (int)(reg->end - reg->start),
              e->body->module->text + reg->start);
  return lines.text;
}

// ---- blocks of the text

// A branch that leads to one place from now on.
static void drop_branch(editor *e, lin_block block) {
  const lin_ptx_block *b = &e->f->block[block];
  lin_ptx_lines lines = no_lines(e);
  say_jump(e, "", e->after->destination[e->after->first_edge[block]], &lines);
  insert(e, lin_ptx_place_of(e->body, b->branch), &lines);
  erase(e, b->branch);
  if (b->second != LIN_NONE)
    erase(e, b->second);
}

static void rename_target(editor *e, uint32_t target, lin_block to) {
  const lin_ptx_target *t = &e->body->target[target];
  change(e, t->start, t->end, label_of(e, to));
}

// The target that edge number `i` of a block has in the text.
static uint32_t target_of(const editor *e, const lin_ptx_block *b, uint32_t i) {
  const lin_ptx_body *body = e->body;
  if (lin_ptx_meaning(body, b->branch)->flow == LIN_PTX_BRX)
    return body->table[body->leads_to[b->branch]].first + i;
  return body->leads_to[i == 0 ? b->branch : b->second];
}

// Edges that lead elsewhere than before. New blocks alone are led to, never returns.
static void lead_edges(editor *e, lin_block block) {
  const lin_ptx_block *b = &e->f->block[block];
  uint32_t degree = lin_out_degree(e->before, block);
  lin_edge old = e->before->first_edge[block], new = e->after->first_edge[block];
  for (uint32_t i = 0; i < degree; i++) {
    lin_block to = e->after->destination[new + i];
    if (e->before->destination[old + i] == to)
      continue;
    if (old + i == lin_ptx_edge_on(e->f, block)) {
      lin_ptx_lines lines = no_lines(e);
      say_jump(e, "", to, &lines);
      insert(e, lin_ptx_place_before(e->f, block + 1), &lines);
    } else {
      rename_target(e, target_of(e, b, i), to);
    }
  }
}

// The header of a loop whose tests are folded: all of them, and one branch.
static void fold_header(editor *e, lin_block block) {
  uint32_t number = (uint32_t)(e->header_of[block] - e->edits->edit);
  lin_ptx_fold *fold = &e->fold[number];
  const lin_ptx_block *b = &e->f->block[block];
  lin_ptx_lines lines = no_lines(e);
  lin_ptx_fold_names *names = &e->names[number];
  names->num_flags = e->num_flags;
  names->num_kept = e->num_kept;
  lin_ptx_fold_say_tests(e->f, fold, names, &lines);
  e->num_flags = names->num_flags;
  e->num_kept = names->num_kept;
  lin_edge first = e->after->first_edge[block]; // who leaves, and around
  lin_ptx_lines leaves = no_lines(e);
  lin_ptx_say(&leaves, "@%s ", names->flag[fold->count - 1]);
  say_jump(e, leaves.text, e->after->destination[first], &lines);
  lin_ptx_fold_say_around(e->f, fold, names, &lines);
  say_jump(e, "", block, &lines);
  insert(e, lin_ptx_place_of(e->body, b->branch), &lines);
  erase(e, b->branch);
  if (b->second != LIN_NONE)
    erase(e, b->second);
}

// The last block of a loop that becomes strips.
static void end_strip(editor *e, lin_block block) {
  const lin_ptx_block *b = &e->f->block[block];
  lin_ptx_lines lines = no_lines(e);
  lin_edge first = e->after->first_edge[block];
  const char *predicate = lin_ptx_strip_say_end(e->ends[block], &lines);
  say_jump(e, predicate, e->after->destination[first], &lines);
  say_jump(e, "", e->after->destination[first + 1], &lines);
  insert(e, lin_ptx_place_of(e->body, b->branch), &lines);
  erase(e, b->branch);
  if (b->second != LIN_NONE)
    erase(e, b->second);
}

// The instructions of a block, and where `made`, which stands for it, goes.
static void say_text(editor *e, lin_block block, lin_block made, lin_ptx_lines *lines) {
  const lin_ptx_block *b = &e->f->block[block];
  lin_edge first = e->after->first_edge[made];
  bool is_branch = lin_out_degree(e->after, made) == 2;
  for (uint32_t at = b->first; at < b->behind; at++)
    if (at != b->branch && at != b->second)
      lin_ptx_say_instruction(lines, e->body, at, NULL, NULL);
  if (is_branch)
    say_jump(e, predicate_of(e, b->branch), e->after->destination[first], lines);
  say_jump(e, "", e->after->destination[first + (is_branch ? 1 : 0)], lines);
}

static void edit_block(editor *e, lin_block block) {
  const lin_ptx_block *b = &e->f->block[block];
  lin_ptx_lines lines = no_lines(e);
  if (e->is_gone[block]) {
    for (uint32_t at = b->first; at < b->behind; at++)
      erase(e, at);
    return;
  }
  say_label(e, block, &lines);
  insert(e, lin_ptx_place_before(e->f, block), &lines);
  if (e->ends_in[block] != LIN_NONE) {
    say_text(e, e->ends_in[block], e->ends_in[block], &lines);
    insert(e, lin_ptx_place_of(e->body, b->branch), &lines);
    erase(e, b->branch);
  } else if (e->header_of[block] != NULL)
    fold_header(e, block);
  else if (e->ends[block] != NULL)
    end_strip(e, block);
  else if (lin_out_degree(e->before, block) > lin_out_degree(e->after, block))
    drop_branch(e, block);
  else
    lead_edges(e, block);
}

// ---- new blocks

// Who leaves goes through the tests once more.
static void say_apart(editor *e, uint32_t number, lin_block made, lin_ptx_lines *lines) {
  const lin_edit *edit = &e->edits->edit[number];
  const lin_ptx_fold *fold = &e->fold[number];
  assert(e->names[number].flag != NULL && "its header comes before");
  for (uint32_t i = 0; i < fold->count; i++) {
    lin_block block = i == 0 ? made : edit->from[i];
    say_label(e, block, lines);
    lin_ptx_fold_say_leaving(e->f, fold, &e->names[number], i, lines);
    lin_ptx_lines leaves = no_lines(e);
    lin_ptx_say(&leaves, "@%s ", e->names[number].flag[i]);
    bool is_last = i + 1 == fold->count; // the next one follows
    say_jump(e, is_last ? "" : leaves.text, e->after->destination[e->after->first_edge[block]],
             lines);
  }
}

// Source lines of what is copied, and of what comes behind: they count up to the next one.
static void say_loc(const editor *e, lin_block block, lin_ptx_lines *lines) {
  const lin_ptx_loc *loc = lin_ptx_source_of(e->f, block);
  if (loc != NULL)
    lin_ptx_say(lines, "\t.loc\t%" PRIu32 " %" PRIu32 " 0\n", loc->file, loc->line);
}

// M, which begins a strip, and X, which asks whether there is another.
static void say_strip(editor *e, uint32_t number, lin_block made, lin_ptx_lines *lines) {
  lin_block header = e->edits->edit[number].block, last = e->edits->edit[number].to;
  say_label(e, made, lines);
  lin_ptx_strip_say_entry(e->strip[number], lines);
  say_jump(e, "", header, lines);
  lin_edge first = e->after->first_edge[made + 1];
  say_loc(e, last, lines);
  say_label(e, made + 1, lines);
  say_jump(e, predicate_of(e, e->f->block[last].branch), e->after->destination[first], lines);
  say_jump(e, "", e->after->destination[first + 1], lines);
}

// Whether control runs off the end of the text: the function returns there.
static bool runs_off(const editor *e) {
  lin_block last = e->f->num_written - 1;
  const lin_ptx_block *b = &e->f->block[last];
  return b->branch == LIN_NONE || e->body->instruction[b->branch].predicate != LIN_NONE;
}

static void say_new_blocks(editor *e) {
  lin_ptx_lines lines = no_lines(e);
  lin_block made = e->before->num_blocks;
  for (uint32_t i = 0; i < e->edits->count; i++) {
    const lin_edit *edit = &e->edits->edit[i];
    if (lin_in_degree(e->after, made) > 0) {
      say_loc(e, edit->block, &lines);
      if (edit->kind == LIN_EDIT_FOLD)
        say_apart(e, i, made, &lines);
      else if (edit->kind == LIN_EDIT_STRIP)
        say_strip(e, i, made, &lines);
      else {
        say_label(e, made, &lines);
        say_text(e, edit->block, made, &lines);
      }
    }
    made += lin_edit_adds(edit);
  }
  if (lines.length > 0 && runs_off(e)) {
    lin_ptx_lines end = no_lines(e);
    lin_ptx_say(&end, "\tret;\n");
    insert(e, lin_ptx_place_before(e->f, e->f->num_written), &end);
  }
  insert(e, lin_ptx_place_before(e->f, e->f->num_written), &lines);
}

// ---- all

static void edit_all(editor *e) {
  lin_ptx_lines declared = no_lines(e);
  e->num_flags = e->num_kept = 0;
  for (uint32_t i = 0; i < e->edits->count; i++) {
    e->names[i] = (lin_ptx_fold_names){.prefix = e->prefix, .header = &declared};
    if (e->strip[i] != NULL)
      lin_ptx_strip_declare(e->strip[i], &declared);
  }
  for (lin_block block = 0; block < e->f->num_written; block++)
    edit_block(e, block);
  say_new_blocks(e);
  insert(e, lin_ptx_end_line(e->body, e->body->place->body), &declared);
}

// The block that alone leads to `block` after the edits, by a branch that nobody else takes, or
// LIN_NONE. Where it runs into it, they are one block as soon as nobody names the label.
static lin_block only_entry(const editor *e, lin_block block) {
  if (lin_in_degree(e->after, block) != 1)
    return LIN_NONE;
  lin_block from = e->after->source[e->after->in_edge[e->after->first_in[block]]];
  if (from >= e->f->num_written || from == block || lin_out_degree(e->after, from) != 1 ||
      lin_out_degree(e->before, from) != 1)
    return LIN_NONE;
  uint32_t branch = e->f->block[from].branch;
  return branch == LIN_NONE || e->body->instruction[branch].scope != 0 ? LIN_NONE : from;
}

static void move_tests(editor *e) {
  bool *is_edited = LIN_ARRAY(e->arena, bool, e->before->num_blocks);
  for (uint32_t i = 0; i < e->edits->count; i++)
    is_edited[e->edits->edit[i].block] = true;
  for (uint32_t i = 0; i < e->edits->count; i++) {
    const lin_edit *edit = &e->edits->edit[i];
    bool frees = edit->kind == LIN_EDIT_COPY && edit->to != LIN_NONE;
    lin_block entry = frees ? only_entry(e, edit->block) : LIN_NONE;
    if (entry == LIN_NONE || is_edited[entry])
      continue;
    e->ends_in[entry] = edit->block;
    e->is_gone[edit->block] = true;
  }
}

static void plan_fold(editor *e, uint32_t number) {
  const lin_edit *edit = &e->edits->edit[number];
  if (e->needs == NULL)
    e->needs = lin_ptx_needs_new(e->arena, e->f, lin_ptx_uses_build(e->arena, e->f));
  e->fold[number] = *lin_ptx_fold_plan(e->arena, e->f, e->needs, edit->from, edit->count);
  e->header_of[edit->from[0]] = edit;
  for (uint32_t k = 1; k < edit->count; k++)
    e->is_gone[edit->from[k]] = true;
}

static void plan_strip(editor *e, uint32_t number) {
  const lin_edit *edit = &e->edits->edit[number];
  e->strip[number] = lin_ptx_strip_plan(e->arena, e->f, edit, e->prefix, number + 1);
  e->ends[edit->to] = e->strip[number];
}

void lin_ptx_edit(const lin_ptx_function *f, const lin_edits *edits, lin_ptx_patch *patch) {
  lin_arena scratch = {0};
  uint32_t blocks = f->graph->num_blocks;
  editor e = {.arena = &scratch,
              .f = f,
              .body = f->body,
              .edits = edits,
              .before = f->graph,
              .after = lin_edit_apply(&scratch, f->graph, edits),
              .patch = patch,
              .fold = LIN_ARRAY(&scratch, lin_ptx_fold, edits->count),
              .names = LIN_ARRAY(&scratch, lin_ptx_fold_names, edits->count),
              .header_of = LIN_ARRAY(&scratch, const lin_edit *, blocks),
              .strip = LIN_ARRAY(&scratch, lin_ptx_strip *, edits->count),
              .ends = LIN_ARRAY(&scratch, const lin_ptx_strip *, blocks),
              .is_gone = LIN_ARRAY(&scratch, bool, blocks),
              .ends_in = LIN_ARRAY(&scratch, lin_block, blocks),
              .prefix = lin_ptx_fresh_prefix(&scratch, f->body)};
  e.label = LIN_ARRAY(&scratch, uint32_t, e.after->num_blocks);
  for (uint32_t i = 0; i < edits->count; i++) {
    const lin_edit *edit = &edits->edit[i];
    if (edit->kind == LIN_EDIT_STRIP)
      plan_strip(&e, i);
    else if (edit->kind == LIN_EDIT_FOLD)
      plan_fold(&e, i);
  }
  for (lin_block block = 0; block < blocks; block++)
    e.ends_in[block] = LIN_NONE;
  move_tests(&e);
  edit_all(&e); // a block to which one behind it leads has its label the second time
  e.is_final = true;
  edit_all(&e);
  lin_arena_release(&scratch);
}

lin_block *lin_ptx_match(lin_arena *arena, const lin_ptx_function *before,
                         const lin_ptx_function *after) {
  const lin_ptx_body *body = after->body;
  lin_block *was = LIN_ARRAY(arena, lin_block, after->graph->num_blocks), old = 0;
  for (lin_block block = 0; block < after->graph->num_blocks; block++) {
    const lin_ptx_block *b = &after->block[block];
    was[block] = LIN_NONE;
    if (block >= after->num_written || b->behind == b->first)
      continue;
    uint32_t place = lin_ptx_former(body->module->draft, body->instruction[b->first].start);
    while (old + 1 < before->num_written && before->block[old + 1].start <= place)
      old++;
    bool is_new = place >= lin_ptx_place_before(before, before->num_written);
    was[block] = is_new ? LIN_NONE : old;
  }
  return was;
}
