// A fingerprint tells what matters, and nothing else.
#include "expect.h"
#include "graph/fingerprint.h"
#include "graph/text.h"

enum { MOST_BLOCKS = 8 };

// Of the graph, with `work` in its blocks of that name; all others have one instruction.
static uint64_t find(const char *text, const char *name, lin_block_work work) {
  lin_arena arena = {0};
  lin_text_error error;
  lin_block_work all[MOST_BLOCKS] = {{0}};
  const lin_graph *graph = lin_text_parse(&arena, text, strlen(text), &error);
  EXPECT(graph != NULL && graph->num_blocks <= MOST_BLOCKS);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    all[b] = strcmp(graph->name[b], name) == 0 ? work : (lin_block_work){.others = 1};
  const uint64_t found = lin_fingerprint(LIN_FINGERPRINT_START, graph, all);
  lin_arena_release(&arena);
  return found;
}

static const char example[] = "function f\nA: B C\nB: B C\nC: return\n";

static void test_what_matters(void) {
  const lin_block_work one = {.others = 1};
  const uint64_t found = find(example, "B", one);
  EXPECT(found !=
         find("function f\nA: C B\nB: B C\nC: return\n", "B", one)); // the other way around
  EXPECT(found != find("function f\nA: B C\nB: C B\nC: return\n", "B", one));
  EXPECT(found != find("function f\nA: B C\nB: C C\nC: return\n", "B", one));
  EXPECT(found != find("function f\nA: B C\nB: B C\nC: D\nD: return\n", "B", one));
  EXPECT(found != find("function f\nA: B C\nB: B C\nC: trap\n", "B", one));
  const lin_block_work kinds[] = {
      {.loads = 1}, {.stores = 1}, {.meetings = 1}, {.calls = 1}, {.others = 2}};
  for (int i = 0; i < 5; i++) {
    EXPECT(found != find(example, "B", kinds[i]));
    for (int j = 0; j < i; j++)
      EXPECT(find(example, "B", kinds[j]) != find(example, "B", kinds[i]));
  }
  EXPECT(find(example, "B", kinds[0]) != find(example, "C", kinds[0]));
}

static void test_what_does_not(void) {
  const lin_block_work load = {.loads = 1};
  const uint64_t found = find(example, "B", load);
  EXPECT(found == find("function other\nA: B C\nB: B C\nC: return\n", "B", load)); // names
  EXPECT(found == find("function f\nX: B Y\nB: B Y\nY: return\n", "B", load));
  EXPECT(found == find("function f\nA: B C\nC: return\nB: B C\n", "B", load)); // order
  EXPECT(found ==
         find("function f\nA: B C\nB: B C\nC: return\nD: C\n", "B", load));        // never reached
  EXPECT(found == find("function f\nA: B * 7 C\nB: B C\nC: return\n", "B", load)); // weights
  EXPECT(found ==
         find("function f\nA [uniform cost 3]: B C\nB [memory]: B C\nC: return\n", "B", load));
}

// A kernel's is that of the functions one after the other.
static void test_chain(void) {
  lin_arena arena = {0};
  lin_text_error error;
  const lin_block_work work[3] = {{0}};
  const lin_graph *a = lin_text_parse(&arena, example, strlen(example), &error);
  const lin_graph *b = lin_text_parse(&arena, "function g\nA: return\n", 21, &error);
  EXPECT(a != NULL && b != NULL);
  const uint64_t start = LIN_FINGERPRINT_START;
  const uint64_t ab = lin_fingerprint(lin_fingerprint(start, a, work), b, work);
  EXPECT(ab != lin_fingerprint(lin_fingerprint(start, b, work), a, work));
  EXPECT(ab != lin_fingerprint(start, a, work));
  lin_arena_release(&arena);
}

int main(void) {
  test_what_matters();
  test_what_does_not();
  test_chain();
  return expect_end();
}
