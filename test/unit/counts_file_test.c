// The file of counts: what is written, what is read of it, what is refused and in which words, and
// what happens when memory runs out at any point.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "expect.h"
#include "threads/gather.h"

#include <limits.h>
#include <stdlib.h>

static unsigned long calls, calls_left = ULONG_MAX;

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size) {
  calls++;
  return calls_left-- > 0 ? __real_calloc(count, size) : NULL;
}

// The header's example, and a second launch with what names may be.
static const char example[] = "# linearize counts 2\n"
                              "function,block,thread_entries\n"
                              "walk,entry,128\n"
                              "walk,loop,768\n"
                              "k,%0,18446744073709551615\n"
                              "# launch walk\n"
                              "# hash 5d3c1b0a49e7f268\n"
                              "# times 1\n"
                              "# grid 2 1 1\n"
                              "# block 64 1 1\n"
                              "# sample 1\n"
                              "# gpu NVIDIA H200\n"
                              "# multiprocessors 132\n"
                              "# time 5184\n"
                              "# blocks 2\n"
                              "# walk,entry,20,walk.cu:3,\n"
                              "# walk,loop,85,\"a, b.cu:5\",0\n"
                              "# vectors 2\n"
                              "# 0:1 1:8\n"
                              "# 0:1\n"
                              "# threads 2\n"
                              "# 96*0 32*1\n"
                              "# launch k\n"
                              "# hash 0000000000000000\n"
                              "# times 2 of 7\n"
                              "# grid 1 1 1\n"
                              "# block 2 2 1\n"
                              "# sample 2\n"
                              "# gpu \n"
                              "# multiprocessors 0\n"
                              "# time 0\n"
                              "# blocks 1\n"
                              "# k,%0,0,,\n"
                              "# vectors 2\n"
                              "#\n"
                              "# 0:18446744073709551615\n"
                              "# threads 3\n"
                              "# 1*0 1*- 2*1\n"
                              "# passes\n"
                              "# 0:5\n"
                              "# 0:4\n"
                              "# end\n";

static char *written(const lin_counts *counts) {
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  lin_counts_write(file, counts);
  fclose(file);
  return text;
}

static void test_example(void) {
  lin_memory memory = {0};
  lin_counts_error error;
  lin_counts *counts = lin_counts_read(&memory, example, strlen(example), &error);
  if (!EXPECT(counts != NULL && counts->num_launches == 2))
    return;
  const lin_counts_launch *walk = &counts->launch[0], *k = &counts->launch[1];
  EXPECT_TEXT(walk->kernel, "walk");
  EXPECT(walk->hash == UINT64_C(0x5d3c1b0a49e7f268) && walk->times == 1 && walk->time == 5184);
  EXPECT_TEXT(walk->gpu, "NVIDIA H200");
  EXPECT_TEXT(walk->blocks[1].source, "a, b.cu:5");
  EXPECT_TEXT(walk->blocks[1].name, "loop");
  EXPECT(walk->blocks[1].latency == 85 && walk->multiprocessors == 132);
  EXPECT(lin_counts_threads(walk) == 128 && lin_counts_threads(k) == 4);

  EXPECT(walk->launched == 0 && k->times == 2 && k->launched == 7);
  EXPECT(walk->passes == NULL && k->passes[0] == 5 && k->passes_at_most[0] == 4);
  const uint64_t *vector = walk->vector + (size_t)walk->run[0].vector * walk->num_blocks;
  EXPECT(walk->run[0].num_threads == 96 && vector[0] == 1 && vector[1] == 8);
  vector = walk->vector + (size_t)walk->run[1].vector * walk->num_blocks;
  EXPECT(walk->run[1].num_threads == 32 && vector[0] == 1 && vector[1] == 0);
  EXPECT(k->vector[k->run[0].vector] == 0 && k->run[1].vector == LIN_COUNTS_UNKNOWN);
  EXPECT(k->run[2].num_threads == 2 && k->vector[k->run[2].vector] == UINT64_MAX);

  char *text = written(counts);
  EXPECT_TEXT(text, example);
  free(text);
  lin_memory_release(&memory);
}

// What is read of the example if the first `from` in it becomes `to`: "LINE: what is wrong".
static const char *refusal(const char *from, const char *to) {
  static char said[200];
  const char *at = strstr(example, from);
  if (!EXPECT(at != NULL))
    return "";
  char *text = malloc(sizeof example + strlen(to));
  sprintf(text, "%.*s%s%s", (int)(at - example), example, to, at + strlen(from));
  lin_memory memory = {0};
  lin_counts_error error;
  lin_counts *counts = lin_counts_read(&memory, text, strlen(text), &error);
  snprintf(said, sizeof said, "%zu: %s", error.line, error.text);
  lin_memory_release(&memory);
  free(text);
  return counts == NULL ? said : "nothing is wrong";
}

static void test_refusals(void) {
  EXPECT_TEXT(refusal("# linearize", "linearize"),
              "1: no file of counts: it doesn't begin with '# linearize counts 2'");
  EXPECT_TEXT(refusal("counts 2", "counts 1"),
              "1: a file of counts of another version: this reads version 2");
  EXPECT_TEXT(refusal(strstr(example, "# end"), ""), "42: the file is cut off: it has no '# end'");
  EXPECT_TEXT(refusal("32*1\n# launch k\n", ""), "22: as many threads as announced are expected "
                                                 "here, '# THREADS*VECTOR ...'");
  EXPECT_TEXT(refusal(strstr(example, "loop,85"), ""), "17: the file is cut off in this line");
  EXPECT_TEXT(refusal("# end\n", "# end\n\n"), "43: nothing is expected behind '# end'");
  EXPECT_TEXT(refusal("# end", "# and"), "42: '# launch' or '# end' is expected here");
  EXPECT_TEXT(refusal("# times 1\n", "# times 9 of 9\n"),
              "8: 'times' is not a number of at least 1, or that and 'of' a larger one");
  EXPECT_TEXT(refusal("# hash", "# hush"), "7: '# hash' is expected here");
  EXPECT_TEXT(refusal("5d3c", "5D3C"), "7: 'hash' is not 16 hexadecimal digits");
  EXPECT_TEXT(refusal("5d3c", "5d3"), "7: 'hash' is not 16 hexadecimal digits");
  EXPECT_TEXT(refusal("times 1", "times 0"),
              "8: 'times' is not a number of at least 1, or that and 'of' a larger one");
  EXPECT_TEXT(refusal("times 1", "times 18446744073709551616"),
              "8: 'times' is not a number of at least 1, or that and 'of' a larger one");
  EXPECT_TEXT(refusal("grid 2 1 1", "grid 2 1"), "9: three numbers are expected, each at least 1");
  EXPECT_TEXT(refusal("block 64 1 1", "block 64 0 1"),
              "10: three numbers are expected, each at least 1");
  EXPECT_TEXT(refusal("block 64 1 1", "block 65536 65536 1"),
              "10: the launch has 2^32 threads or more");
  EXPECT_TEXT(refusal("time 5184", "time 5184ns"),
              "14: 'time' is not a number from 0 to 18446744073709551615");
  EXPECT_TEXT(refusal("blocks 2", "blocks 4000000000"), "15: the file is cut off: it has fewer");
  EXPECT_TEXT(refusal("blocks 2", "blocks 0"), "15: 'blocks' is not a number from 1 to 4294967294");
  EXPECT_TEXT(refusal("entry,20", "entry,x"), "16: the block's cycles are not a number");
  EXPECT_TEXT(refusal("walk,entry,20,walk.cu:3,", "walk"),
              "16: '# FUNCTION,BLOCK,CYCLES,PLACE,AROUND' is expected here");
  EXPECT_TEXT(refusal("b.cu:5\"", "b.cu:5"), "17: a quote is not closed");
  EXPECT_TEXT(refusal("b.cu:5\",0", "b.cu:5\""),
              "17: '# FUNCTION,BLOCK,CYCLES,PLACE,AROUND' is expected here");
  EXPECT_TEXT(refusal("b.cu:5\",0", "b.cu:5\",2"),
              "17: the block around it is not a number of one, or nothing");
  EXPECT_TEXT(refusal("b.cu:5\",0", "b.cu:5\",1"), "17: a block is around itself");
  EXPECT_TEXT(refusal("1:8", "2:8"), "19: the vector's blocks don't rise, or there are fewer");
  EXPECT_TEXT(refusal("1:8", "0:8"), "19: the vector's blocks don't rise, or there are fewer");
  EXPECT_TEXT(refusal("1:8", "1:-8"), "19: the vector is not '# BLOCK:COUNT ...'");
  EXPECT_TEXT(refusal("# 0:1 1:8", "0:1 1:8"),
              "19: a vector is expected here, '# BLOCK:COUNT ...'");
  EXPECT_TEXT(refusal("# 0:4\n", ""), "41: the vector is not '# BLOCK:COUNT ...'");
  EXPECT_TEXT(refusal("# 0:4", "# 0:6"), "41: more passes are left than there are");
  EXPECT_TEXT(refusal("# passes", "# pastes"), "39: '# launch' or '# end' is expected here");
  EXPECT_TEXT(refusal("32*1", "32*2"), "22: there are fewer vectors");
  EXPECT_TEXT(refusal("32*1", "31*1"),
              "22: there are not as many threads as the launch has by 'grid' and 'block'");
}

// Carriage returns are the file's that went through an editor.
static void test_carriage_returns(void) {
  char *text = malloc(2 * sizeof example), *to = text;
  for (const char *from = example; *from != '\0'; from++) {
    if (*from == '\n')
      *to++ = '\r';
    *to++ = *from;
  }
  lin_memory memory = {0};
  lin_counts_error error;
  lin_counts *counts = lin_counts_read(&memory, text, (size_t)(to - text), &error);
  if (EXPECT(counts != NULL)) {
    char *again = written(counts);
    EXPECT_TEXT(again, example);
    free(again);
  }
  lin_memory_release(&memory);
  free(text);
}

static void test_names(void) {
  lin_counts_block block = {"f\"", "a\nb", 1, "x\ry", UINT32_MAX};
  lin_counts_launch launch = {
      .kernel = "k\n", .gpu = "", .blocks = &block, .num_blocks = 1, .times = 1, .sample = 1};
  char *text = written(&(lin_counts){&launch, 1});
  EXPECT(strstr(text, "\nf_,a_b,0\n# launch k_\n") != NULL);
  EXPECT(strstr(text, "\n# f_,a_b,1,x_y,\n") != NULL);
  free(text);
}

static void test_memory(void) {
  lin_counts_error error;
  calls = 0;
  lin_memory memory = {0};
  lin_counts_read(&memory, example, strlen(example), &error);
  lin_memory_release(&memory);
  unsigned long all = calls;
  for (unsigned long i = 0; i < all; i++) {
    calls_left = i;
    EXPECT(lin_counts_read(&memory, example, strlen(example), &error) == NULL);
    EXPECT(memory.is_out);
    EXPECT_TEXT(error.text, "there is not enough memory for the file");
    lin_memory_release(&memory);
  }
  calls_left = ULONG_MAX;
}

// Threads 0 to 3 of two launches, with A 1 0, B 2 0, and nothing known of thread 2 in the first.
static void test_gather(void) {
  lin_memory memory = {0};
  static const uint64_t a[] = {1, 0}, b[] = {2, 0}, most[] = {UINT64_MAX, 1};
  lin_counts_launch first = {0}, both = {0};
  lin_gather *g = lin_gather_new(&memory, 2, NULL);
  EXPECT(lin_gather_thread(g, a) && lin_gather_thread(g, a) && lin_gather_thread(g, NULL) &&
         lin_gather_thread(g, b));
  lin_gather_end(g, &first);
  EXPECT(first.num_vectors == 2 && first.num_runs == 3);
  EXPECT(first.run[0].num_threads == 2 && first.run[0].vector == 0);
  EXPECT(first.run[1].num_threads == 1 && first.run[1].vector == LIN_COUNTS_UNKNOWN);
  EXPECT(first.run[2].num_threads == 1 && first.run[2].vector == 1);

  g = lin_gather_new(&memory, 2, &first);
  EXPECT(lin_gather_thread(g, b) && lin_gather_thread(g, most) && lin_gather_thread(g, a) &&
         lin_gather_thread(g, a));
  lin_gather_end(g, &both);
  EXPECT(both.num_vectors == 2 && both.num_runs == 4);
  EXPECT(both.vector[0] == 3 && both.vector[1] == 0);
  EXPECT(both.vector[2] == UINT64_MAX && both.vector[3] == 1);
  EXPECT(both.run[2].vector == LIN_COUNTS_UNKNOWN && both.run[3].vector == 0);
  lin_memory_release(&memory);
}

static bool gather_all(lin_memory *memory) {
  lin_gather *g = lin_gather_new(memory, 1, NULL);
  bool ok = g != NULL;
  for (uint64_t i = 0; ok && i < 100; i++)
    ok = lin_gather_thread(g, &i);
  return ok;
}

static void test_gather_memory(void) {
  lin_memory memory = {0};
  calls = 0;
  EXPECT(gather_all(&memory));
  lin_memory_release(&memory);
  for (unsigned long i = 0, all = calls; i < all; i++) {
    calls_left = i;
    EXPECT(!gather_all(&memory) && memory.is_out);
    lin_memory_release(&memory);
  }
  calls_left = ULONG_MAX;
}

int main(void) {
  test_example();
  test_refusals();
  test_carriage_returns();
  test_names();
  test_memory();
  test_gather();
  test_gather_memory();
  return expect_end();
}
