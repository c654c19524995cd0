// The public C API as a user meets it: nothing but linearize/linearize.h and LLVM's C API. A
// failure prints its line; the last line is `N passed, M failed`.
#include "expect.h"
#include "linearize/linearize.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A join, a loop with two entries, a straight line, a join that is optnone, and a declaration.
static const char text[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "declare void @elsewhere()\n"
    "define void @join(ptr %p, i1 %c, i1 %d) #0 {\n"
    "entry:\n  br i1 %c, label %a, label %b\n"
    "a:\n  store i32 1, ptr %p\n  br i1 %d, label %b, label %out\n"
    "b:\n  store i32 2, ptr %p\n  br label %out\n"
    "out:\n  ret void\n}\n"
    "define i32 @ring(i32 %n, i1 %c, i1 %d) #0 {\n"
    "entry:\n  br i1 %c, label %x, label %y\n"
    "x:\n  %i = phi i32 [ 0, %entry ], [ %j, %y ]\n  %k = add i32 %i, 1\n  br label %y\n"
    "y:\n  %j = phi i32 [ %n, %entry ], [ %k, %x ]\n  %more = icmp ult i32 %j, 10\n"
    "  br i1 %more, label %x, label %out\n"
    "out:\n  ret i32 %j\n}\n"
    "define i32 @straight(i32 %n) #0 {\n  ret i32 %n\n}\n"
    "define void @lazy(ptr %p, i1 %c, i1 %d) #1 {\n"
    "entry:\n  br i1 %c, label %a, label %b\n"
    "a:\n  store i32 1, ptr %p\n  br i1 %d, label %b, label %out\n"
    "b:\n  store i32 2, ptr %p\n  br label %out\n"
    "out:\n  ret void\n}\n"
    "attributes #0 = { \"target-cpu\"=\"sm_75\" }\n"
    "attributes #1 = { noinline optnone \"target-cpu\"=\"sm_75\" }\n";

// A small loop in a loop, which is stripped, with unstructured code and nested branches around it.
static const char nests_text[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "define void @nest(ptr %p, i32 %n) #0 {\n"
    "entry:\n  br label %outer\n"
    "outer:\n  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]\n  br label %inner\n"
    "inner:\n  %j = phi i32 [ %i, %outer ], [ %z, %inner ]\n  %z = sub i32 %j, 1\n"
    "  %c = icmp ugt i32 %z, %n\n  br i1 %c, label %inner, label %latch\n"
    "latch:\n  store i32 %z, ptr %p\n  %i1 = add i32 %i, 1\n  %d = icmp ult i32 %i1, %n\n"
    "  br i1 %d, label %outer, label %end\n"
    "end:\n  ret void\n}\n"
    "define void @deep(ptr %p, i1 %c, i1 %d, i1 %e) #0 {\n"
    "entry:\n  br i1 %e, label %top, label %out\n"
    "top:\n  br i1 %c, label %a, label %b\n"
    "a:\n  br i1 %d, label %b, label %g\n"
    "b:\n  store i32 2, ptr %p\n  br i1 %e, label %f, label %g\n"
    "f:\n  store i32 3, ptr %p\n  br label %g\n"
    "g:\n  store i32 4, ptr %p\n  br label %out\n"
    "out:\n  ret void\n}\n"
    "attributes #0 = { \"target-cpu\"=\"sm_75\" }\n";

static LLVMModuleRef parse_text(LLVMContextRef context, const char *source) {
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(source, strlen(source), "test");
  LLVMModuleRef module;
  char *message;
  if (LLVMParseIRInContext(context, buffer, &module, &message)) {
    fputs(message, stderr);
    exit(1);
  }
  return module;
}

static LLVMModuleRef parse(LLVMContextRef context) { return parse_text(context, text); }

static bool is_valid(LLVMValueRef function) {
  return !LLVMVerifyFunction(function, LLVMReturnStatusAction);
}

static bool is_valid_module(LLVMModuleRef module) {
  char *message = NULL;
  bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
  if (broken)
    puts(message);
  LLVMDisposeMessage(message);
  return !broken;
}

static linearize_options paper(void) {
  linearize_options options = linearize_default_options();
  options.mode = LINEARIZE_PAPER;
  return options;
}

static unsigned count_remarks(const linearize_report *report, linearize_remark_kind kind,
                              const char *function) {
  unsigned count = 0;
  for (size_t i = 0; i < report->num_remarks; i++)
    count +=
        report->remarks[i].kind == kind && strcmp(report->remarks[i].function, function) == 0 &&
        report->remarks[i].message[0] != '\0' && strchr(report->remarks[i].message, '\n') == NULL;
  return count;
}

static void test_options(void) {
  linearize_options options = linearize_default_options();
  EXPECT(options.mode == LINEARIZE_NEEDED);
  EXPECT(options.level == 4);
  EXPECT(!options.any_target && !options.force && options.is_uniform == NULL);
  linearize_mode mode = LINEARIZE_NEEDED;
  EXPECT(linearize_parse_mode("all", &mode) && mode == LINEARIZE_ALL);
  EXPECT(linearize_parse_mode("irreducible", &mode) && mode == LINEARIZE_IRREDUCIBLE);
  EXPECT(!linearize_parse_mode("papre", &mode) && mode == LINEARIZE_IRREDUCIBLE);
  EXPECT(!linearize_parse_mode("", &mode));
}

static bool is_wrong(const char *list, const char *named) {
  linearize_options options = linearize_default_options();
  char *message = NULL;
  bool wrong = !linearize_parse_options(list, &options, &message) &&
               !linearize_parse_options(list, &options, NULL) && strstr(message, named) != NULL &&
               strchr(message, '\n') == NULL;
  linearize_text_release(message);
  return wrong;
}

static void test_lists(void) {
  linearize_options options = linearize_default_options();
  const char *list =
      "irreducible;O2,threshold=9,max-blocks=4294967295,,max-work=3;only=0+12,force;";
  EXPECT(linearize_parse_options(list, &options, NULL));
  EXPECT(options.mode == LINEARIZE_IRREDUCIBLE && options.level == 2 && options.threshold == 9);
  EXPECT(options.max_blocks == 4294967295u && options.max_work == 3);
  EXPECT(strncmp(options.only, "0+12,", 5) == 0);
  EXPECT(options.force && !options.any_target && options.profile_file == NULL);
  EXPECT(linearize_parse_options("profile=a=b.csv,O4", &options, NULL));
  EXPECT(strcmp(options.profile_file, "a=b.csv,O4") == 0 && options.level == 4);
  EXPECT(linearize_parse_options("mode=all,level=O0,any-target", &options, NULL));
  EXPECT(options.mode == LINEARIZE_ALL && options.level == 0 && options.any_target);
  EXPECT(options.threshold == 9); // the rest stays
  EXPECT(linearize_parse_options("", &options, NULL));
  EXPECT(is_wrong("papre", "'papre'") && is_wrong("mode=", "mode is ''"));
  EXPECT(is_wrong("paper,threshold=4294967296", "'4294967296'"));
  EXPECT(is_wrong("threshold=0", "'0'") && is_wrong("threshold=-1", "'-1'"));
  EXPECT(is_wrong("threshold=99999999999999999999999", "threshold"));
  EXPECT(is_wrong("only=", "''") && is_wrong("only=+1", "'+1'") && is_wrong("only=1+", "'1+'"));
  EXPECT(is_wrong("only=1-2", "'1-2'") && is_wrong("forced", "'forced'"));
  EXPECT(is_wrong("profile=,O4", "profile is ''"));
  EXPECT(is_wrong("level=O5", "'O5'") && is_wrong("level=4", "'4'") && is_wrong("=3", "'=3'"));
}

// Numbers in messages can be found by their names.
static unsigned long argument(const linearize_remark *remark, const char *name) {
  for (size_t i = 0; i < remark->num_arguments; i++)
    if (strcmp(remark->argument[i].name, name) == 0)
      return strtoul(remark->message + remark->argument[i].start, NULL, 10);
  return (unsigned long)-1;
}

static void test_remarks(LLVMModuleRef module) {
  LLVMValueRef join = LLVMGetNamedFunction(module, "join");
  linearize_options options = linearize_default_options();
  linearize_report report = {0};
  options.threshold = 1000;
  EXPECT(!linearize_function(join, &options, &report)); // waited for: not even that counts
  options.quiet = true;
  EXPECT(!linearize_function(join, &options, &report));
  EXPECT(report.num_remarks == 1 && report.remarks[0].kind == LINEARIZE_ANALYSIS);
  EXPECT(strcmp(report.remarks[0].name, "ThreadsWait") == 0);
  EXPECT(argument(&report.remarks[0], "Region") == 0);
  EXPECT(argument(&report.remarks[0], "Blocks") == 2);
  EXPECT(argument(&report.remarks[0], "Instructions") == 8);
  options.quiet = false;
  options.only = "0+7";
  EXPECT(linearize_function(join, &options, &report) && is_valid(join));
  const linearize_remark *passed_one = &report.remarks[report.num_remarks - 1];
  EXPECT(passed_one->kind == LINEARIZE_PASSED && argument(passed_one, "Guards") == report.guards);
  EXPECT(strncmp(passed_one->message, "linearized a region of 2 blocks", 31) == 0);
  linearize_report_release(&report);

  LLVMValueRef ring = LLVMGetNamedFunction(module, "ring");
  options = paper();
  options.max_blocks = 1;
  options.quiet = true; // doesn't keep warnings and errors back
  EXPECT(!linearize_function(ring, &options, &report));
  EXPECT(count_remarks(&report, LINEARIZE_WARNING, "ring") == 1 && report.regions_refused == 1);
  LLVMAttributeRef wrong =
      LLVMCreateStringAttribute(LLVMGetModuleContext(module), "linearize-level", 15, "5", 1);
  LLVMAddAttributeAtIndex(ring, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, wrong);
  EXPECT(!linearize_function(ring, &options, &report));
  EXPECT(count_remarks(&report, LINEARIZE_ERROR, "ring") == 1);
  linearize_report_release(&report);
}

static void test_function(LLVMModuleRef module) {
  LLVMValueRef join = LLVMGetNamedFunction(module, "join");
  linearize_options options = paper();
  linearize_report report = {0};
  char *message = NULL;

  EXPECT(is_valid(join));
  EXPECT(!linearize_verify(join, &message));
  EXPECT(message != NULL && strstr(message, "join") != NULL && strchr(message, '\n') == NULL);
  linearize_text_release(message);
  EXPECT(!linearize_verify(join, NULL));
  char *passes = linearize_print_passes();
  EXPECT(strstr(passes, "\nlinearize: ") != NULL && passes[strlen(passes) - 1] == '\n');
  linearize_text_release(passes);
  char *edges = linearize_print_unstructured(join);
  EXPECT(strstr(edges, "a -> b") != NULL);
  linearize_text_release(edges);

  EXPECT(linearize_function(join, &options, &report));
  EXPECT(is_valid(join));
  EXPECT(linearize_verify(join, NULL));
  EXPECT(report.functions == 1 && report.functions_changed == 1);
  EXPECT(report.regions == 1 && report.regions_refused == 0);
  EXPECT(report.unstructured_edges == 1 && report.branch_edges == 1);
  EXPECT(report.jump_in_edges == 0 && report.jump_out_edges == 0);
  EXPECT(report.irreducible_loops == 0);
  EXPECT(report.blocks_before == 4);
  EXPECT(report.blocks_after == LLVMCountBasicBlocks(join));
  EXPECT(report.guards > 0 && report.guards <= 2);
  EXPECT(!report.divergence_known);
  EXPECT(count_remarks(&report, LINEARIZE_PASSED, "join") == 1);
  EXPECT(report.remarks[0].instruction != NULL);

  // A second time there is nothing to do, and the report goes on counting.
  EXPECT(!linearize_function(join, &options, &report));
  EXPECT(report.functions == 2 && report.functions_changed == 1);
  linearize_report_release(&report);
  EXPECT(report.functions == 0 && report.remarks == NULL && report.num_remarks == 0);

  // No report, no options; a declaration.
  EXPECT(!linearize_function(join, NULL, NULL));
  EXPECT(!linearize_function(LLVMGetNamedFunction(module, "elsewhere"), &options, NULL));
  EXPECT(linearize_verify(LLVMGetNamedFunction(module, "elsewhere"), NULL));
  edges = linearize_print_unstructured(LLVMGetNamedFunction(module, "elsewhere"));
  EXPECT(strcmp(edges, "") == 0);
  linearize_text_release(edges);
}

static void test_module(LLVMModuleRef module) {
  linearize_options options = paper();
  linearize_report report = {0};
  EXPECT(linearize_module(module, &options, &report));
  EXPECT(is_valid_module(module));
  EXPECT(report.functions == 4 && report.functions_changed == 2);
  EXPECT(report.irreducible_loops == 1 && report.jump_in_edges == 2);
  EXPECT(linearize_verify(LLVMGetNamedFunction(module, "ring"), NULL));
  EXPECT(!linearize_verify(LLVMGetNamedFunction(module, "lazy"), NULL));
  EXPECT(count_remarks(&report, LINEARIZE_PASSED, "join") == 1);
  EXPECT(count_remarks(&report, LINEARIZE_PASSED, "ring") == 1);
  EXPECT(count_remarks(&report, LINEARIZE_MISSED, "lazy") == 1);
  EXPECT(count_remarks(&report, LINEARIZE_PASSED, "straight") == 0);
  linearize_report_release(&report);

  options.force = true; // optnone too
  EXPECT(linearize_module(module, &options, NULL));
  EXPECT(is_valid_module(module));
  EXPECT(linearize_verify(LLVMGetNamedFunction(module, "lazy"), NULL));
}

// What a caller knows about divergence: here that all threads go the same way everywhere.
static bool all_uniform(LLVMValueRef terminator, void *context) {
  EXPECT(LLVMIsATerminatorInst(terminator) != NULL);
  ++*(unsigned *)context;
  return true;
}

static bool none_uniform(LLVMValueRef terminator, void *context) {
  ++*(unsigned *)context;
  return terminator == NULL;
}

static void test_divergence(LLVMModuleRef module) {
  LLVMValueRef join = LLVMGetNamedFunction(module, "join");
  LLVMValueRef ring = LLVMGetNamedFunction(module, "ring");
  unsigned asked = 0;
  linearize_report report = {0};
  linearize_options options = linearize_default_options();
  options.is_uniform = all_uniform;
  options.context = &asked;
  EXPECT(!linearize_function(join, &options, &report)); // nothing diverges, nothing to gain
  EXPECT(asked > 0);
  EXPECT(report.divergence_known && report.unstructured_edges == 1 && report.regions == 0);
  linearize_report_release(&report);

  options.is_uniform = none_uniform;
  options.mode = LINEARIZE_IRREDUCIBLE;
  EXPECT(linearize_function(ring, &options, NULL));
  EXPECT(is_valid(ring) && linearize_verify(ring, NULL));

  options.mode = LINEARIZE_PAPER; // linearizes what is uniform, too
  options.is_uniform = all_uniform;
  EXPECT(linearize_function(join, &options, NULL));
  EXPECT(is_valid_module(module));
}

static unsigned count_weighted(LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  unsigned kind = LLVMGetMDKindIDInContext(context, "prof", 4), count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    count += LLVMGetMetadata(LLVMGetBasicBlockTerminator(block), kind) != NULL;
  return count;
}

static bool is_no_profile(const char *bytes, const char *said) {
  char *message = NULL;
  bool wrong = linearize_profile_parse(bytes, strlen(bytes), "here", &message) == NULL &&
               linearize_profile_parse(bytes, strlen(bytes), "here", NULL) == NULL &&
               strncmp(message, said, strlen(said)) == 0 && strchr(message, '\n') == NULL;
  linearize_text_release(message);
  return wrong;
}

// Guards have weights where a profile knows how often blocks are run.
static void test_profile(LLVMModuleRef module) {
  LLVMValueRef join = LLVMGetNamedFunction(module, "join");
  LLVMValueRef ring = LLVMGetNamedFunction(module, "ring");
  char counts[] = "function,block,thread_entries\njoin,entry,9\njoin,a,8\njoin,b,3\n"
                  "join,out,9\nring,elsewhere,1\n";
  linearize_options options = paper();
  linearize_report report = {0};
  linearize_profile *profile = linearize_profile_parse(counts, sizeof counts - 1, "counts", NULL);
  memset(counts, 0, sizeof counts); // isn't kept
  EXPECT(profile != NULL && options.profile == NULL);
  options.profile = profile;
  options.level = 0;
  EXPECT(linearize_function(join, &options, &report) && is_valid(join));
  EXPECT(count_weighted(join) > 0 && count_remarks(&report, LINEARIZE_MISSED, "join") == 0);
  EXPECT(linearize_function(ring, &options, &report) && is_valid(ring));
  EXPECT(count_remarks(&report, LINEARIZE_MISSED, "ring") == 1);
  EXPECT(count_remarks(&report, LINEARIZE_PASSED, "ring") == 1);
  EXPECT(!linearize_function(LLVMGetNamedFunction(module, "straight"), &options, &report));
  linearize_report_release(&report);
  linearize_profile_release(profile);
  linearize_profile_release(NULL);

  char *message = NULL;
  EXPECT(linearize_profile_read("/nowhere/at/all", &message) == NULL);
  EXPECT(strncmp(message, "/nowhere/at/all: ", 17) == 0);
  linearize_text_release(message);
  EXPECT(is_no_profile("", "here:1: no columns"));
  EXPECT(is_no_profile("function,block,thread_entries\nf,b\n", "here:2: thread_entries is not"));
}

static void test_unprofiled(LLVMModuleRef module) {
  LLVMValueRef join = LLVMGetNamedFunction(module, "join");
  linearize_options options = paper();
  options.level = 0;
  EXPECT(linearize_function(join, &options, NULL));
  EXPECT(count_weighted(join) == 0);
}

static void test_target(LLVMModuleRef module) {
  LLVMSetTarget(module, "x86_64-pc-linux-gnu");
  linearize_options options = paper();
  linearize_report report = {0};
  EXPECT(!linearize_module(module, &options, &report));
  EXPECT(report.functions == 0 && report.num_remarks == 0);
  options.any_target = true;
  EXPECT(linearize_module(module, &options, &report));
  EXPECT(is_valid_module(module));
  linearize_report_release(&report);
}

static bool has_instruction(LLVMValueRef function, LLVMValueRef instruction) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (at == instruction)
        return true;
  return false;
}

static void count_change(void *context) { ++*(unsigned *)context; }

// One step after the other: what a remark names is there in the end; who knows something of
// branches is told of every change.
static void test_steps(LLVMContextRef context) {
  LLVMModuleRef module = parse_text(context, nests_text);
  static const char *const names[] = {"nest", "deep"};
  for (int i = 0; i < 2; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(module, names[i]);
    linearize_options options = paper();
    linearize_report report = {0};
    unsigned changes = 0;
    options.merge_loops = options.regardless = true;
    options.limit_depth = 1;
    options.changing = count_change;
    options.context = &changes;
    EXPECT(linearize_function(function, &options, &report) && is_valid(function));
    EXPECT(report.functions == 1 && report.functions_changed == 1 && report.num_remarks > 0);
    EXPECT(report.blocks_after == LLVMCountBasicBlocks(function));
    EXPECT(changes == 2); // stripped and merged; linearized and limited
    for (size_t remark = 0; remark < report.num_remarks; remark++) {
      LLVMValueRef instruction = report.remarks[remark].instruction;
      EXPECT(instruction == NULL || has_instruction(function, instruction));
    }
    linearize_report_release(&report);
  }
  LLVMDisposeModule(module);
}

// With its strips the nest is more than the budget: it has changed all the same.
static void test_strips(LLVMContextRef context) {
  LLVMModuleRef module = parse_text(context, nests_text);
  LLVMValueRef nest = LLVMGetNamedFunction(module, "nest");
  linearize_options options = linearize_default_options();
  linearize_report report = {0};
  options.mode = LINEARIZE_NONE;
  EXPECT(!linearize_function(nest, &options, &report));
  linearize_report_release(&report);
  options.merge_loops = options.regardless = true;
  options.max_blocks = 3;
  EXPECT(linearize_function(nest, &options, &report) && is_valid(nest));
  EXPECT(LLVMCountBasicBlocks(nest) == 7 && report.blocks_after == 7 && report.blocks_before == 5);
  EXPECT(report.functions_changed == 1 && report.regions == 0);
  linearize_report_release(&report);
  LLVMDisposeModule(module);
}

typedef struct headers {
  unsigned count;
  const char *last;
} headers;

static void note_header(LLVMBasicBlockRef header, void *context) {
  headers *found = context;
  found->count++;
  found->last = LLVMGetBasicBlockName(header);
}

// The loop around one that would be merged is named, and nothing else is done.
static void test_nests(LLVMContextRef context) {
  LLVMModuleRef module = parse_text(context, nests_text);
  LLVMValueRef nest = LLVMGetNamedFunction(module, "nest");
  unsigned blocks = LLVMCountBasicBlocks(nest);
  linearize_options options = linearize_default_options();
  headers found = {0};
  EXPECT(linearize_find_nests(nest, NULL, note_header, &found) == 0); // nobody asks for it
  options.merge_loops = options.regardless = true;
  EXPECT(linearize_find_nests(nest, &options, note_header, &found) == 1);
  EXPECT(found.count == 1 && strcmp(found.last, "outer") == 0);
  EXPECT(LLVMCountBasicBlocks(nest) == blocks);
  options.regardless = false;
  options.max_blocks = 1; // it would be refused
  EXPECT(linearize_find_nests(nest, &options, note_header, &found) == 0 && found.count == 1);
  LLVMDisposeModule(module);
}

int main(void) {
  LLVMContextRef context = LLVMContextCreate();
  void (*const tests[])(LLVMModuleRef) = {test_function,   test_remarks, test_module,
                                          test_divergence, test_profile, test_unprofiled,
                                          test_target};
  test_options();
  test_lists();
  test_steps(context);
  test_strips(context);
  test_nests(context);
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    LLVMModuleRef module = parse(context);
    tests[i](module);
    LLVMDisposeModule(module);
  }
  LLVMContextDispose(context);
  return expect_end();
}
