#include "describe.h"

#include "cycles.h"
#include "gpu/assembly.h"
#include "llvm/ask/calls.h"
#include "llvm/ask/lifted.h"
#include "llvm/ask/names.h"
#include "llvm/read/read.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

// ---- where counters are

bool lin_ir_ends_thread(LLVMValueRef at) {
  LLVMValueRef called = LLVMIsACallInst(at) != NULL ? LLVMGetCalledValue(at) : NULL;
  size_t length = 0;
  if (called == NULL)
    return false;
  if (LLVMIsAInlineAsm(called) != NULL) {
    const char *text = LLVMGetInlineAsmAsmString(called, &length);
    const lin_assembly read = lin_assembly_read(text, length);
    return lin_assembly_names(&read, LIN_NVPTX_EXIT);
  }
  return lin_nvptx_is(lin_ir_intrinsic(at), LIN_NVPTX_EXIT);
}

// What is not known to be a branch, a switch or a return has ways that no counter can stand on.
static bool has_plain_ways(LLVMBasicBlockRef block) {
  switch (LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(block))) {
  case LLVMBr:
  case LLVMSwitch:
  case LLVMRet:
  case LLVMUnreachable:
    return true;
  default:
    return false;
  }
}

static bool ends_threads(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (lin_ir_ends_thread(at))
        return true;
  return false;
}

static bool all_have_plain_ways(const lin_ir_function *f) {
  for (lin_block b = 0; b < f->graph->num_blocks; b++)
    if (!has_plain_ways(f->block[b]))
      return false;
  return true;
}

// The way to a switch's default is taken if none of its cases is.
static const bool *find_dear(lin_arena *arena, const lin_ir_function *f) {
  bool *is_dear = LIN_ARRAY(arena, bool, f->graph->num_edges);
  for (lin_block b = 0; b < f->graph->num_blocks; b++)
    if (lin_out_degree(f->graph, b) > 2)
      is_dear[f->graph->first_edge[b]] = true;
  return is_dear;
}

static lin_counters *choose_counters(lin_arena *arena, const lin_ir_function *f, bool all_return) {
  return all_return && all_have_plain_ways(f)
             ? lin_counters_choose(arena, f->graph, find_dear(arena, f))
             : lin_counters_of_blocks(arena, f->graph);
}

static void renumber(uint32_t *counter, uint32_t count, uint32_t first) {
  for (uint32_t i = 0; i < count; i++)
    if (counter[i] != LIN_NONE)
      counter[i] += first;
}

// ---- places

typedef struct place {
  const char *file, *folder; // without NULs
  unsigned length, folder_length, line;
} place;

static place place_at(LLVMMetadataRef location) {
  place p = {.line = LLVMDILocationGetLine(location)};
  LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
  if (file != NULL) {
    p.file = LLVMDIFileGetFilename(file, &p.length);
    p.folder = LLVMDIFileGetDirectory(file, &p.folder_length);
  }
  if (p.length > 0 && p.file[0] == '/')
    p.folder_length = 0;
  return p;
}

static bool has(place p, const char *part, bool in_front) {
  size_t length = strlen(part);
  for (size_t at = 0; at + length <= p.length && (at == 0 || !in_front); at++)
    if (memcmp(p.file + at, part, length) == 0)
      return true;
  return false;
}

// Headers of the compiler and of toolkits are no places to change anything.
static bool is_own(place p) {
  return p.line > 0 && p.length > 0 && !has(p, "/usr/", true) && !has(p, "/opt/", true) &&
         !has(p, "/lib/clang/", false);
}

// Where that was inlined, it is the program's line that asks for it. Line 0 is of what stands
// nowhere.
static place place_of_instruction(LLVMValueRef at) {
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(at);
  const place innermost = location == NULL ? (place){.line = 0} : place_at(location);
  if (innermost.line == 0 || innermost.length == 0)
    return (place){.line = 0};
  for (; location != NULL; location = LLVMDILocationGetInlinedAt(location))
    if (is_own(place_at(location)))
      return place_at(location);
  return innermost;
}

// Of a function that was PTX, the line of the source, if that is known.
static const char *place_in_source(lin_arena *arena, LLVMBasicBlockRef block) {
  LLVMValueRef function = LLVMGetBasicBlockParent(block);
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); lin_ir_was_ptx(function) && at != NULL;
       at = LLVMGetNextInstruction(at)) {
    unsigned length = 0, line = LLVMGetDebugLocLine(at);
    const char *text = line == 0 ? NULL : lin_ir_source_of_line(function, line, &length);
    if (text != NULL && length > 0)
      return lin_arena_text(arena, text, length);
  }
  return NULL;
}

// That of the first instruction that has one, best the program's.
static const char *place_of(lin_arena *arena, LLVMBasicBlockRef block) {
  const char *of_source = place_in_source(arena, block);
  if (of_source != NULL)
    return of_source;
  place found = {.line = 0};
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL && !is_own(found);
       at = LLVMGetNextInstruction(at)) {
    place p = place_of_instruction(at);
    if (is_own(p) || found.line == 0)
      found = p;
  }
  if (found.line == 0)
    return "";
  size_t size = (size_t)found.folder_length + found.length + sizeof "/:4294967295";
  char *text = lin_arena_bytes(arena, size);
  snprintf(text, size, "%.*s%s%.*s:%u", (int)found.folder_length, found.folder,
           found.folder_length > 0 ? "/" : "", (int)found.length, found.file, found.line);
  return text;
}

static const char *const *places_of(lin_arena *arena, const lin_ir_function *f) {
  const char **places = LIN_ARRAY(arena, const char *, f->graph->num_blocks);
  for (lin_block b = 0; b < f->graph->num_blocks; b++)
    places[b] = place_of(arena, f->block[b]);
  return places;
}

// ---- all

static void add_function(lin_arena *arena, lin_ir_counted *counted, LLVMValueRef function) {
  lin_count_description *d = counted->description;
  lin_ir_read_options options = {.force = true};
  lin_ir_function *f = lin_ir_read(arena, function, &options);
  lin_counters *counters = choose_counters(arena, f, !counted->may_end_inside);
  renumber(counters->of_edge, f->graph->num_edges, d->num_counters);
  renumber(counters->of_exit, f->graph->num_blocks, d->num_counters);
  renumber(counters->of_block, f->graph->num_blocks, d->num_counters);
  counted->function[d->num_functions] = f;
  d->function[d->num_functions++] =
      (lin_counted_function){f->graph, lin_ir_cycles(arena, f), places_of(arena, f), counters};
  d->num_counters += counters->count;
  d->num_blocks += f->graph->num_blocks;
}

static void add_passes(lin_count_description *d) {
  for (uint32_t i = 0; i < d->num_functions; i++)
    for (lin_block b = 0; b < d->function[i].graph->num_blocks; b++)
      d->function[i].counters->of_pass[b] = d->num_counters++;
}

lin_ir_counted lin_ir_describe(lin_arena *arena, LLVMValueRef kernel, bool passes) {
  const lin_ir_called called = lin_ir_find_called(arena, kernel);
  lin_ir_counted counted = {.description = LIN_NEW(arena, lin_count_description),
                            .function = LIN_ARRAY(arena, lin_ir_function *, called.count)};
  counted.description->function = LIN_ARRAY(arena, lin_counted_function, called.count);
  for (uint32_t i = 0; i < called.count; i++)
    counted.may_end_inside = counted.may_end_inside || ends_threads(called.function[i]);
  for (uint32_t i = 0; i < called.count; i++)
    add_function(arena, &counted, called.function[i]);
  if (passes)
    add_passes(counted.description);
  counted.description->hash = lin_count_hash(counted.description);
  return counted;
}
