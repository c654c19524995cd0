// Both sides of each function, and which blocks of one are which of the other: they keep their
// names.
#include "report.h"

#include "common/command_line.h"
#include "common/names.h"
#include "linearize/definition1_edges.h"
#include "plugin/pipeline.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- names -------------------------------------------------------------------------------------

static const char *title_of(lin_arena *arena, const char *name) {
  char *title = tool_demangle(name);
  if (title == NULL)
    return name;
  const char *copy = tool_utf8(arena, title, strlen(title));
  free(title);
  return copy;
}

// ---- which block is which ----------------------------------------------------------------------

typedef struct named {
  const char *name;
  lin_block block;
} named;

static int compare_names(const void *a, const void *b) {
  return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

static void match_blocks(lin_arena *arena, const report_side *before, report_side *after) {
  named *known = LIN_ARRAY(arena, named, before->num_blocks);
  for (lin_block block = 0; block < before->num_blocks; block++) {
    known[block] = (named){before->graph->name[block], block};
    before->block[block].original = block;
  }
  qsort(known, before->num_blocks, sizeof *known, compare_names);
  for (lin_block block = 0; block < after->num_blocks; block++) {
    named wanted = {after->graph->name[block], 0};
    const named *found = bsearch(&wanted, known, before->num_blocks, sizeof *known, compare_names);
    report_block *b = &after->block[block];
    if (found == NULL)
      continue;
    b->original = found->block;
    b->region = before->block[found->block].region;
    b->is_uniform =
        before->block[found->block].is_uniform && lin_out_degree(after->graph, block) > 1;
  }
}

static bool is_in(const report_function *f, uint32_t inner, uint32_t region) {
  while (inner != region && inner != LIN_NONE)
    inner = f->region[inner].parent;
  return inner == region;
}

// The region that a block was added for, as far as its place tells: the outermost one around what
// comes next that it is entered from, or else the innermost. Added blocks are in the order in which
// they are entered, but for loops.
static uint32_t region_of_added(const report_function *f, const report_side *after,
                                lin_block block) {
  const lin_graph *graph = after->graph;
  lin_block next = after->block[block].asks_for;
  if (next == LIN_NONE && lin_out_degree(graph, block) > 0)
    next = graph->destination[graph->first_edge[block]];
  for (uint32_t steps = 0; next != LIN_NONE && after->block[next].original == LIN_NONE &&
                           after->block[next].asks_for != LIN_NONE && steps < 64;
       steps++)
    next = after->block[next].asks_for;
  uint32_t region = next == LIN_NONE ? LIN_NONE : after->block[next].region;
  for (uint32_t around = region; around != LIN_NONE; around = f->region[around].parent)
    for (LIN_IN_EDGES(graph, block, i)) {
      uint32_t from = after->block[graph->source[graph->in_edge[i]]].region;
      if (from != LIN_NONE && is_in(f, from, around))
        return around;
    }
  return region;
}

static void place_added(const report_function *f, report_side *after) {
  for (lin_block block = 0; block < after->num_blocks; block++)
    if (after->block[block].original == LIN_NONE)
      after->block[block].region = region_of_added(f, after, block);
}

// ---- what the plugin knows ---------------------------------------------------------------------

// The function's metadata of mark<uniform>, or NULL.
static LLVMValueRef find_marks(LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  unsigned kind = LLVMGetMDKindIDInContext(context, "linearize.uniform", 17);
  size_t count;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
  LLVMMetadataRef found = NULL;
  for (unsigned i = 0; i < count; i++)
    if (LLVMValueMetadataEntriesGetKind(entries, i) == kind)
      found = LLVMValueMetadataEntriesGetMetadata(entries, i);
  LLVMDisposeValueMetadataEntries(entries);
  return found == NULL ? NULL : LLVMMetadataAsValue(context, found);
}

static void read_marks(lin_arena *arena, LLVMValueRef function, report_function *f) {
  LLVMValueRef marks = find_marks(function);
  f->divergence_known = marks != NULL;
  unsigned count = marks == NULL ? 0 : (unsigned)LLVMGetMDNodeNumOperands(marks);
  LLVMValueRef *number = LIN_ARRAY(arena, LLVMValueRef, count);
  if (count > 0)
    LLVMGetMDNodeOperands(marks, number);
  for (unsigned i = 0; i < count; i++) {
    uint64_t block = LLVMConstIntGetZExtValue(number[i]);
    if (block < f->before.num_blocks)
      f->before.block[block].is_uniform = true;
  }
}

// ---- functions ---------------------------------------------------------------------------------

static bool is_changed(const report_side *a, const report_side *b) {
  if (a->num_blocks != b->num_blocks || a->graph->num_edges != b->graph->num_edges)
    return true;
  for (lin_block block = 0; block < a->num_blocks; block++)
    if (strcmp(a->block[block].text, b->block[block].text) != 0 ||
        strcmp(a->graph->name[block], b->graph->name[block]) != 0)
      return true;
  return false;
}

// The file that was compiled, if something of the function is from there, else the file that most
// of it is from.
static uint32_t find_file(const report_side *side, tool_sources *sources, const char *compiled) {
  uint32_t *count = LIN_ARRAY(sources->arena, uint32_t, sources->count), best = LIN_NONE;
  for (lin_block block = 0; block < side->num_blocks; block++)
    for (uint32_t i = 0; i < side->block[block].lines.count; i++) {
      uint32_t file = side->block[block].lines.at[i].file;
      count[file]++;
      if (tool_ends_with(sources->source[file].path, compiled))
        return file;
      if (best == LIN_NONE || count[file] > count[best])
        best = file;
    }
  return best;
}

// How many lines the function has at `level`.
static uint32_t count_lines(lin_arena *arena, const report_side *side, uint32_t level) {
  tool_lines all = {0};
  for (lin_block block = 0; block < side->num_blocks; block++) {
    const tool_lines *own = &side->block[block].own[level];
    for (uint32_t i = 0; i < own->count; i++) {
      all.at = LIN_ROOM(arena, all.at, all.count, &all.capacity);
      all.at[all.count++] = own->at[i];
    }
  }
  tool_sort_lines(&all);
  return all.count;
}

// The level at which it has most of what it is made of: a kernel that only calls one function is
// that function.
static uint32_t find_level(lin_arena *arena, const report_side *side) {
  uint32_t level = 0;
  while (level + 1 < TOOL_LEVELS &&
         3 * count_lines(arena, side, level) <= count_lines(arena, side, level + 1))
    level++;
  return level;
}

// A module as it was, and as it is.
typedef struct both_texts {
  report_texts before, after;
} both_texts;

static report_function read_function(lin_arena *arena, LLVMValueRef before, LLVMValueRef after,
                                     const both_texts *texts, tool_sources *sources) {
  size_t length;
  const char *name = LLVMGetValueName2(before, &length);
  report_function f = {.name = tool_utf8(arena, name, length)};
  f.title = title_of(arena, f.name);
  f.before = report_read_side(arena, before, &texts->before, sources, &f);
  f.after = report_read_side(arena, after, &texts->after, sources, NULL);
  read_marks(arena, after, &f);
  match_blocks(arena, &f.before, &f.after);
  place_added(&f, &f.after);
  f.is_changed = is_changed(&f.before, &f.after);
  f.level = find_level(arena, &f.before);
  f.file =
      find_file(&f.before, sources, LLVMGetSourceFileName(LLVMGetGlobalParent(before), &length));
  return f;
}

// ---- which functions ---------------------------------------------------------------------------

static bool has_remark(const report_remarks *remarks, LLVMValueRef function) {
  size_t length;
  return report_first_remark(remarks, LLVMGetValueName2(function, &length)) < remarks->count;
}

uint32_t report_keep(LLVMModuleRef module, const report_choice *choice) {
  uint32_t remarked = 0, defined = 0;
  size_t length;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    if (choice->only != NULL && !tool_is_called(LLVMGetValueName2(f, &length), choice->only)) {
      lin_pipeline_drop_body(f);
      continue;
    }
    defined++;
    remarked += has_remark(choice->remarks, f);
  }
  remarked = remarked < choice->most ? remarked : choice->most;
  uint32_t others = choice->most - remarked; // room for those without a remark
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    uint32_t *room = has_remark(choice->remarks, f) ? &remarked : &others;
    if (*room > 0)
      --*room;
    else
      lin_pipeline_drop_body(f);
  }
  return defined;
}

void report_keep_same(LLVMModuleRef module, LLVMModuleRef as) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    size_t length;
    LLVMValueRef other = LLVMGetNamedFunction(as, LLVMGetValueName2(f, &length));
    if (!LLVMIsDeclaration(f) && (other == NULL || LLVMIsDeclaration(other)))
      lin_pipeline_drop_body(f);
  }
}

report_functions report_read(lin_arena *arena, LLVMModuleRef before, LLVMModuleRef after,
                             tool_sources *sources) {
  report_functions all = {0};
  both_texts texts = {report_print_module(arena, before), report_print_module(arena, after)};
  for (LLVMValueRef f = LLVMGetFirstFunction(before); f != NULL; f = LLVMGetNextFunction(f)) {
    size_t length;
    LLVMValueRef now = LLVMGetNamedFunction(after, LLVMGetValueName2(f, &length));
    if (LLVMIsDeclaration(f) || now == NULL)
      continue;
    all.function = LIN_ROOM(arena, all.function, all.count, &all.capacity);
    all.function[all.count++] = read_function(arena, f, now, &texts, sources);
  }
  report_texts_dispose(&texts.before);
  report_texts_dispose(&texts.after);
  return all;
}
