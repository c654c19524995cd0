// The public C API: read, linearize, write, report.
#include "linearize/linearize.h"

#include "annotations.h"
#include "effects.h"
#include "linearize/pipeline.h"
#include "write.h"

#include <llvm-c/DebugInfo.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy_text(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy == NULL)
    abort();
  return memcpy(copy, text, size);
}

// ---- options

linearize_options linearize_default_options(void) {
  return (linearize_options){.mode = LINEARIZE_NEEDED, .level = 4};
}

bool linearize_parse_mode(const char *text, linearize_mode *mode) {
  static const char *const names[] = {"needed", "irreducible", "paper", "all"};
  for (int i = 0; i < 4; i++)
    if (strcmp(text, names[i]) == 0) {
      *mode = (linearize_mode)i;
      return true;
    }
  return false;
}

static bool is_gpu(LLVMValueRef function) {
  return strncmp(LLVMGetTarget(LLVMGetGlobalParent(function)), "nvptx", 5) == 0;
}

// Threads of a warp make progress one by one from sm_70 on. A GPU function that doesn't say what it
// is compiled for may run on anything.
static bool runs_in_lock_step(LLVMValueRef function) {
  if (!is_gpu(function))
    return false;
  LLVMAttributeRef cpu = LLVMGetStringAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "target-cpu", 10);
  if (cpu == NULL)
    return true;
  unsigned length;
  const char *name = LLVMGetStringAttributeValue(cpu, &length);
  return strncmp(name, "sm_", 3) != 0 || strtol(name + 3, NULL, 10) < 70;
}

static lin_options core_options(const linearize_options *options, LLVMValueRef function) {
  static const lin_mode modes[] = {
      [LINEARIZE_NEEDED] = LIN_MODE_NEEDED,
      [LINEARIZE_IRREDUCIBLE] = LIN_MODE_IRREDUCIBLE,
      [LINEARIZE_PAPER] = LIN_MODE_PAPER,
      [LINEARIZE_ALL] = LIN_MODE_ALL,
  };
  return (lin_options){.policy = {.mode = modes[options->mode],
                                  .lock_step = runs_in_lock_step(function),
                                  .force = options->force,
                                  .divergence_known = options->is_uniform != NULL},
                       .level = options->level};
}

// ---- the report

static void add_remark(linearize_report *report, linearize_remark_kind kind,
                       LLVMValueRef instruction, const lin_graph *graph, const char *block,
                       const char *message) {
  linearize_remark *remarks = realloc(report->remarks, (report->num_remarks + 1) * sizeof *remarks);
  if (remarks == NULL)
    abort();
  report->remarks = remarks;
  remarks[report->num_remarks++] = (linearize_remark){.kind = kind,
                                                      .instruction = instruction,
                                                      .function = copy_text(graph->title),
                                                      .block = copy_text(block),
                                                      .message = copy_text(message)};
}

// The first instruction of a block that has a source line, else the first.
static LLVMValueRef representative(LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
       at = LLVMGetNextInstruction(at))
    if (LLVMInstructionGetDebugLoc(at) != NULL)
      return at;
  return LLVMGetFirstInstruction(block);
}

static void report_refused_function(linearize_report *report, const lin_ir_function *f) {
  bool at_block = f->refused_at != LIN_NONE;
  add_remark(report, LINEARIZE_MISSED, at_block ? representative(f->block[f->refused_at]) : NULL,
             f->graph, at_block ? f->graph->name[f->refused_at] : "", f->refused);
}

// That the user wants it doesn't make ptxas compile an irreducible loop right.
static void report_left_alone(linearize_report *report, const lin_ir_function *f,
                              const lin_result *result) {
  const lin_loops *loops = result->analysis->loops;
  uint32_t loop = 0;
  while (loop < loops->num_loops && !loops->irreducible[loop])
    loop++;
  bool irreducible = loop < loops->num_loops;
  lin_block block = result->order->origin[irreducible ? loops->header[loop] : 0];
  add_remark(report, irreducible ? LINEARIZE_WARNING : LINEARIZE_MISSED,
             irreducible ? representative(f->block[block]) : NULL, f->graph,
             irreducible ? f->graph->name[block] : "",
             irreducible ? "an irreducible loop stays: the function is annotated no-linearize"
                         : "the function is annotated no-linearize");
}

static void count_before(linearize_report *report, const lin_result *result) {
  const lin_analysis *a = result->analysis;
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++) {
    report->branch_edges += (a->kinds[edge] & LIN_BRANCH) != 0;
    report->jump_in_edges += (a->kinds[edge] & LIN_JUMP_IN) != 0;
    report->jump_out_edges += (a->kinds[edge] & LIN_JUMP_OUT) != 0;
  }
  report->unstructured_edges += a->num_unstructured;
  for (uint32_t loop = 0; loop < a->loops->num_loops; loop++)
    report->irreducible_loops += a->loops->irreducible[loop];
}

static void report_refusals(linearize_report *report, const lin_ir_function *f,
                            const lin_result *result) {
  report->regions_refused += result->refusals.count;
  for (uint32_t i = 0; i < result->refusals.count; i++) {
    const lin_refusal *refusal = &result->refusals.refusal[i];
    lin_block block = result->order->origin[refusal->block];
    add_remark(report, refusal->irreducible ? LINEARIZE_WARNING : LINEARIZE_MISSED,
               representative(f->block[block]), f->graph, f->graph->name[block], refusal->reason);
  }
}

// What a region is made of, for its remark.
typedef struct region_summary {
  uint32_t blocks, guards;
  lin_block first;      // its first block, of the ordered graph
  lin_block cross_lane; // a block whose result depends on which threads run together
} region_summary;

static void report_regions(linearize_report *report, lin_arena *arena, const lin_ir_function *f,
                           const lin_result *result) {
  const lin_plan *plan = result->plan;
  uint32_t count = plan->regions->num_regions;
  region_summary *summary = LIN_ARRAY(arena, region_summary, count);
  for (lin_block block = result->order->graph->num_blocks; block-- > 0;) {
    uint32_t region = plan->regions->owner[block];
    if (region == LIN_NONE)
      continue;
    if (summary[region].blocks++ == 0)
      summary[region].cross_lane = LIN_NONE;
    summary[region].first = block;
    if ((result->order->graph->flags[block] & LIN_CROSS_LANE) != 0)
      summary[region].cross_lane = block;
  }
  for (uint32_t node = 0; node < plan->num_nodes; node++)
    summary[plan->node[node].region].guards += lin_node_is_guarded(&plan->node[node]);
  for (uint32_t region = 0; region < count; region++) {
    if (plan->regions->gone[region])
      continue;
    report->regions++;
    report->guards += summary[region].guards;
    lin_block first = result->order->origin[summary[region].first];
    char message[256];
    snprintf(message, sizeof message, "linearized a region of %u blocks with %u guards%s",
             summary[region].blocks, summary[region].guards,
             summary[region].cross_lane == LIN_NONE
                 ? ""
                 : "; an operation in it depends on which threads run together (activemask, vote "
                   "or shuffle without a mask) and may see others than before");
    add_remark(report, LINEARIZE_PASSED, representative(f->block[first]), f->graph,
               f->graph->name[first], message);
  }
}

void linearize_report_release(linearize_report *report) {
  for (size_t i = 0; i < report->num_remarks; i++) {
    free(report->remarks[i].function);
    free(report->remarks[i].block);
    free(report->remarks[i].message);
  }
  free(report->remarks);
  *report = (linearize_report){0};
}

void linearize_text_release(char *text) { free(text); }

// ---- running

// Divergence costs more to find out than all the rest, and most functions need it not.
static bool is_unstructured(lin_arena *arena, const lin_graph *graph) {
  lin_order *order = lin_order_build(arena, lin_graph_unite_returns(arena, graph));
  return lin_analysis_build(arena, order->graph, order->loops)->num_unstructured > 0;
}

static bool run(lin_arena *arena, LLVMValueRef function, const linearize_options *options,
                linearize_report *report) {
  lin_ir_read_options read_options = {.force = options->force};
  lin_ir_function *f = lin_ir_read(arena, function, &read_options);
  report->functions++;
  report->blocks_before += f->graph->num_blocks;
  report->blocks_after += f->graph->num_blocks;
  report->divergence_known = options->is_uniform != NULL;
  if (options->is_uniform != NULL && options->mode != LINEARIZE_ALL) {
    if (!is_unstructured(arena, f->graph))
      return false;
    lin_ir_read_uniform(f, options->is_uniform, options->context);
  }

  lin_options core = core_options(options, function);
  lin_result result;
  lin_status status = lin_linearize(arena, f->graph, &core, &result);
  if (!lin_ok(status)) { // LLVM's verifier would have refused it
    add_remark(report, LINEARIZE_MISSED, NULL, f->graph, f->graph->name[status.block],
               status.reason);
    return false;
  }
  count_before(report, &result);
  bool anything = result.num_regions > 0 || result.refusals.count > 0;
  if (lin_ir_is_annotated(function, "no-linearize")) {
    if (anything)
      report_left_alone(report, f, &result);
    return false;
  }
  if (f->refused != NULL) {
    if (anything)
      report_refused_function(report, f);
    return false;
  }
  if (result.num_regions > 0)
    lin_ir_write(arena, f, &result, options->level);
  report_refusals(report, f, &result); // with instructions that are still there
  if (result.num_regions == 0)
    return false;
  report->functions_changed++;
  report->blocks_after += LLVMCountBasicBlocks(function) - f->graph->num_blocks;
  report_regions(report, arena, f, &result);
  return true;
}

bool linearize_function(LLVMValueRef function, const linearize_options *options,
                        linearize_report *report) {
  linearize_options defaults = linearize_default_options();
  if (options == NULL)
    options = &defaults;
  if (LLVMIsDeclaration(function) || !(options->any_target || is_gpu(function)))
    return false;
  linearize_report ignored = {0};
  lin_arena arena = {0};
  linearize_options here = *options;
  if (lin_ir_is_annotated(function, "linearize"))
    here.mode = LINEARIZE_PAPER;
  bool changed = run(&arena, function, &here, report == NULL ? &ignored : report);
  lin_arena_release(&arena);
  linearize_report_release(&ignored);
  return changed;
}

bool linearize_module(LLVMModuleRef module, const linearize_options *options,
                      linearize_report *report) {
  bool changed = false;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    changed |= linearize_function(function, options, report);
  return changed;
}

// ---- looking

static lin_analysis *analyse(lin_arena *arena, LLVMValueRef function) {
  lin_ir_read_options options = {0};
  lin_ir_function *f = lin_ir_read(arena, function, &options);
  lin_order *order = lin_order_build(arena, lin_graph_unite_returns(arena, f->graph));
  return lin_analysis_build(arena, order->graph, order->loops);
}

// "a -> b (branch, jump out)"
static int print_edge(char *text, size_t size, const lin_analysis *a, lin_edge edge) {
  const char *kinds[3] = {"", "", ""};
  int count = 0;
  for (unsigned kind = LIN_BRANCH; kind <= LIN_JUMP_OUT; kind *= 2)
    if ((a->kinds[edge] & kind) != 0)
      kinds[count++] = lin_edge_kind_name(kind);
  return snprintf(text, size, "%s -> %s (%s%s%s%s%s)", a->graph->name[a->graph->source[edge]],
                  a->graph->name[a->graph->destination[edge]], kinds[0], count > 1 ? ", " : "",
                  count > 1 ? kinds[1] : "", count > 2 ? ", " : "", count > 2 ? kinds[2] : "");
}

char *linearize_print_unstructured(LLVMValueRef function) {
  if (LLVMIsDeclaration(function))
    return copy_text("");
  lin_arena arena = {0};
  lin_analysis *a = analyse(&arena, function);
  size_t size = strlen(a->graph->title) + 64;
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++)
    if (a->kinds[edge] != 0)
      size += 4 + (size_t)print_edge(NULL, 0, a, edge);
  char *text = malloc(size);
  if (text == NULL)
    abort();
  char *end = text + snprintf(text, size, "%s: %u unstructured edge%s\n", a->graph->title,
                              a->num_unstructured, a->num_unstructured == 1 ? "" : "s");
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++) {
    if (a->kinds[edge] == 0)
      continue;
    end += sprintf(end, "  ");
    end += print_edge(end, size - (size_t)(end - text), a, edge);
    end += sprintf(end, "\n");
  }
  lin_arena_release(&arena);
  return text;
}

bool linearize_verify(LLVMValueRef function, char **message) {
  if (LLVMIsDeclaration(function))
    return true;
  lin_arena arena = {0};
  lin_analysis *a = analyse(&arena, function);
  lin_edge edge = 0;
  while (edge < a->graph->num_edges && a->kinds[edge] == 0)
    edge++;
  bool good = edge == a->graph->num_edges;
  if (!good && message != NULL) {
    const char *format = "function '%s': unstructured edge ";
    int head = snprintf(NULL, 0, format, a->graph->title);
    int tail = print_edge(NULL, 0, a, edge);
    *message = malloc((size_t)(head + tail) + 1);
    if (*message == NULL)
      abort();
    sprintf(*message, format, a->graph->title);
    print_edge(*message + head, (size_t)tail + 1, a, edge);
  }
  lin_arena_release(&arena);
  return good;
}
