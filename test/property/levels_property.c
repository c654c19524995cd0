// What optimising guards may not cost: each function of some LLVM modules, linearized at O0 and at
// O4, in the modes paper and all.
//
//     levels_property FILE.ll ...
//
//   1. O4 has no more guards than O0, no more blocks and no more phis.
//   2. It is not worse both in instructions and in the most values that are live at once. (Worse in
//      one is a trade: a phi less may be a select more.)
//
// A function with more phis passes if guards bought them: threads that skip several tests at once
// meet the others once more behind them, with all that lives there. Such functions are counted.
// (What guards alone need, linearize_property compares: that is never more.)
//
// At O4 a switch may become several comparisons, each in a block of its own. A function that breaks
// a rule by these alone is printed as such and passes.
//
// Each violation is printed with its function and its numbers; the last line is `N passed,
// ... M failed`.
#include "linearize/linearize.h"

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (memory == NULL)
    abort();
  return memory;
}

// ---- numbers of values and blocks

typedef struct table {
  LLVMValueRef *item; // in the order of their addresses
  uint32_t count;
} table;

static int by_address(const void *left, const void *right) {
  uintptr_t a = (uintptr_t)*(const LLVMValueRef *)left;
  uintptr_t b = (uintptr_t)*(const LLVMValueRef *)right;
  return a < b ? -1 : a > b;
}

// Returns the table's count for what isn't in it.
static uint32_t find(const table *t, LLVMValueRef item) {
  const LLVMValueRef *found = bsearch(&item, t->item, t->count, sizeof item, by_address);
  return found == NULL ? t->count : (uint32_t)(found - t->item);
}

// ---- live values: a set of values for each block, as bits

typedef struct liveness {
  table values; // arguments and instructions
  table blocks;
  uint32_t words; // of a set
  uint64_t *in;   // [blocks.count * words] live where a block begins, its phis not
} liveness;

static void number_all(liveness *l, LLVMValueRef function) {
  uint32_t most = LLVMCountParams(function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      most++;
  l->values.item = allocate(most, sizeof *l->values.item);
  l->blocks.item = allocate(LLVMCountBasicBlocks(function), sizeof *l->blocks.item);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    l->values.item[l->values.count++] = LLVMGetParam(function, i);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    l->blocks.item[l->blocks.count++] = LLVMBasicBlockAsValue(block);
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      l->values.item[l->values.count++] = at;
  }
  qsort(l->values.item, l->values.count, sizeof *l->values.item, by_address);
  qsort(l->blocks.item, l->blocks.count, sizeof *l->blocks.item, by_address);
  l->words = l->values.count / 64 + 1;
  l->in = allocate((size_t)l->blocks.count * l->words, sizeof *l->in);
}

static uint64_t *live_into(const liveness *l, LLVMBasicBlockRef block) {
  return l->in + (size_t)find(&l->blocks, LLVMBasicBlockAsValue(block)) * l->words;
}

// Constants, blocks and the like are in no set.
static void add(const liveness *l, uint64_t *set, LLVMValueRef value) {
  uint32_t number = find(&l->values, value);
  if (number < l->values.count)
    set[number / 64] |= UINT64_C(1) << number % 64;
}

static void take_out(const liveness *l, uint64_t *set, LLVMValueRef value) {
  uint32_t number = find(&l->values, value);
  set[number / 64] &= ~(UINT64_C(1) << number % 64);
}

static unsigned count(const liveness *l, const uint64_t *set) {
  unsigned result = 0;
  for (uint32_t i = 0; i < l->words; i++)
    for (uint64_t rest = set[i]; rest != 0; rest &= rest - 1)
      result++;
  return result;
}

// What is live where a block ends: there its successors' phis read their operands.
static void find_live_out(const liveness *l, LLVMBasicBlockRef block, uint64_t *live) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  memset(live, 0, l->words * sizeof *live);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
    const uint64_t *in = live_into(l, to);
    for (uint32_t word = 0; word < l->words; word++)
      live[word] |= in[word];
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi))
      for (unsigned j = 0; j < LLVMCountIncoming(phi); j++)
        if (LLVMGetIncomingBlock(phi, j) == block)
          add(l, live, LLVMGetIncomingValue(phi, j));
  }
}

// Goes through a block from its end to its beginning; returns the most values that are live between
// two instructions, the phis counting as one.
static unsigned walk_block(const liveness *l, LLVMBasicBlockRef block, uint64_t *live) {
  find_live_out(l, block, live);
  unsigned most = count(l, live);
  LLVMValueRef at = LLVMGetLastInstruction(block);
  for (; at != NULL && !LLVMIsAPHINode(at); at = LLVMGetPreviousInstruction(at)) {
    take_out(l, live, at);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++)
      add(l, live, LLVMGetOperand(at, i));
    unsigned now = count(l, live);
    most = now > most ? now : most;
  }
  for (; at != NULL; at = LLVMGetPreviousInstruction(at))
    take_out(l, live, at);
  return most;
}

// The blocks that the entry leads to, by their numbers.
static bool *find_reachable(const liveness *l, LLVMValueRef function) {
  bool *reachable = allocate(l->blocks.count, sizeof *reachable);
  LLVMBasicBlockRef *work = allocate(l->blocks.count, sizeof *work);
  uint32_t num_work = 0;
  work[num_work++] = LLVMGetEntryBasicBlock(function);
  reachable[find(&l->blocks, LLVMBasicBlockAsValue(work[0]))] = true;
  while (num_work > 0) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(work[--num_work]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
      LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
      bool *seen = &reachable[find(&l->blocks, LLVMBasicBlockAsValue(to))];
      if (!*seen)
        work[num_work++] = to;
      *seen = true;
    }
  }
  free(work);
  return reachable;
}

static unsigned find_most_live(LLVMValueRef function) {
  liveness l = {0};
  number_all(&l, function);
  bool *reachable = find_reachable(&l, function);
  uint64_t *live = allocate(l.words, sizeof *live);
  unsigned most = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (LLVMBasicBlockRef block = LLVMGetLastBasicBlock(function); block != NULL;
         block = LLVMGetPreviousBasicBlock(block)) {
      if (!reachable[find(&l.blocks, LLVMBasicBlockAsValue(block))])
        continue;
      unsigned here = walk_block(&l, block, live);
      most = here > most ? here : most;
      uint64_t *in = live_into(&l, block);
      changed |= memcmp(in, live, l.words * sizeof *live) != 0;
      memcpy(in, live, l.words * sizeof *live);
    }
  }
  free(reachable);
  free(live);
  free(l.in);
  free(l.values.item);
  free(l.blocks.item);
  return most;
}

// ---- one function

typedef struct numbers {
  unsigned guards, blocks, phis, instructions, live;
  unsigned case_blocks, case_instructions; // of these, made of a switch
} numbers;

static numbers measure(LLVMValueRef function, const linearize_options *options) {
  linearize_report report = {0};
  linearize_function(function, options, &report);
  numbers n = {.guards = report.guards, .live = find_most_live(function)};
  linearize_report_release(&report);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    bool is_case = strncmp(LLVMGetBasicBlockName(block), "linearize.case", 14) == 0;
    n.blocks++;
    n.case_blocks += is_case;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      bool counts = LLVMIsADbgInfoIntrinsic(at) == NULL;
      n.phis += LLVMIsAPHINode(at) != NULL;
      n.instructions += counts;
      n.case_instructions += counts && is_case;
    }
  }
  return n;
}

enum { MORE_GUARDS = 1, MORE_BLOCKS = 2, MORE_PHIS = 4, WORSE = 8 };

static unsigned find_broken(const numbers *plain, const numbers *best) {
  unsigned broken = 0;
  if (best->guards > plain->guards)
    broken |= MORE_GUARDS;
  if (best->blocks > plain->blocks)
    broken |= MORE_BLOCKS;
  if (best->phis > plain->phis)
    broken |= MORE_PHIS;
  if (best->instructions > plain->instructions && best->live > plain->live)
    broken |= WORSE;
  return broken;
}

static void print_numbers(const char *level, const numbers *n) {
  printf("    %s: %u guards, %u blocks, %u phis, %u instructions, %u live\n", level, n->guards,
         n->blocks, n->phis, n->instructions, n->live);
}

static void print_broken(unsigned broken, const numbers *plain, const numbers *best) {
  printf("%s%s%s%s\n", (broken & MORE_GUARDS) != 0 ? ": more guards" : "",
         (broken & MORE_BLOCKS) != 0 ? ": more blocks" : "",
         (broken & MORE_PHIS) != 0 ? ": more phis" : "",
         (broken & WORSE) != 0 ? ": more instructions and more live values" : "");
  print_numbers("O0", plain);
  print_numbers("O4", best);
}

// ---- all of them

static const struct {
  linearize_mode mode;
  const char *name;
} modes[] = {{LINEARIZE_PAPER, "paper"}, {LINEARIZE_ALL, "all"}};

static unsigned passed, failed, bought;

static void test_module(LLVMModuleRef module, const char *path, unsigned mode) {
  linearize_options options = linearize_default_options();
  options.mode = modes[mode].mode;
  options.any_target = true;
  LLVMModuleRef plain_module = LLVMCloneModule(module), best_module = LLVMCloneModule(module);
  LLVMValueRef plain_function = LLVMGetFirstFunction(plain_module);
  LLVMValueRef best_function = LLVMGetFirstFunction(best_module);
  for (; plain_function != NULL; plain_function = LLVMGetNextFunction(plain_function),
                                 best_function = LLVMGetNextFunction(best_function)) {
    if (LLVMIsDeclaration(plain_function))
      continue;
    options.level = 0;
    numbers plain = measure(plain_function, &options);
    options.level = 4;
    numbers best = measure(best_function, &options), counted = best;
    counted.blocks -= best.case_blocks;
    counted.instructions -= best.case_instructions;
    unsigned broken = find_broken(&plain, &counted);
    if (broken == MORE_PHIS && counted.guards < plain.guards) {
      bought++;
      broken = 0;
    }
    unsigned by_cases = find_broken(&plain, &best) & ~(broken | MORE_PHIS);
    passed += broken == 0;
    failed += broken != 0;
    if ((broken | by_cases) == 0)
      continue;
    size_t length;
    printf("%s: @%s: mode %s%s", path, LLVMGetValueName2(plain_function, &length), modes[mode].name,
           broken == 0 ? ": only by a switch" : "");
    print_broken(broken | by_cases, &plain, &best);
  }
  LLVMDisposeModule(plain_module);
  LLVMDisposeModule(best_module);
}

static void test_file(const char *path) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
      LLVMParseIRInContext(context, buffer, &module, &message)) {
    fprintf(stderr, "%s: %s\n", path, message);
    exit(2);
  }
  for (unsigned mode = 0; mode < sizeof modes / sizeof modes[0]; mode++)
    test_module(module, path, mode);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    test_file(argv[i]);
  printf("%u passed, %u of them with fewer guards and more phis, %u failed\n", passed, bought,
         failed);
  return failed != 0;
}
