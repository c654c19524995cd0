// Where lib/regroup finds that regrouping pays: on counts made up for small graphs.
#include "graphs.h"

#include "counts/traffic.h"
#include "graph/order.h"
#include "graph/split.h"
#include "regroup/fragments.h"

#include <math.h>

// A kernel, and what is counted of each block: threads, passes of warps, rounds of thread blocks.
typedef struct counted {
  const char *name;
  double threads, passes, rounds;
} counted;

typedef struct kernel {
  lin_order *order;
  lin_sites sites;
  lin_traffic flow;
  const char *known; // "pab qb": at block p, it is known what a and b ask, at q, what b asks;
                     // nowhere, what blocks in capitals do
  const char *goes;  // "pl": at block p, it is known when l leaves its loop; "": nothing is
} kernel;

enum { WARPS = 8 }; // of a thread block of 256 threads

static uint32_t bits(void *context, lin_block place, lin_block branch) {
  const kernel *k = context;
  if (*k->order->graph->name[branch] <= 'Z')
    return 0;
  const char at = *k->order->graph->name[place], asked = *k->order->graph->name[branch];
  for (const char *word = k->known; place != branch && *word != '\0'; word++) {
    const bool is_place = *word == at;
    for (word++; *word != '\0' && *word != ' '; word++)
      if (is_place && *word == asked)
        return 1;
    word -= *word == '\0';
  }
  return place == branch;
}

static bool counts_to(void *context, lin_block place, lin_block branch, uint32_t *step) {
  const kernel *k = context;
  *step = 1;
  return k->goes[0] == *k->order->graph->name[place] &&
         k->goes[1] == *k->order->graph->name[branch];
}

static kernel *made(const char *text, const counted *counts, size_t count, const char *known) {
  kernel *k = LIN_NEW(&arena, kernel);
  k->order = lin_order_build(&arena, parse(text));
  const lin_graph *graph = k->order->graph;
  const uint32_t n = graph->num_blocks;
  k->flow = (lin_traffic){LIN_ARRAY(&arena, double, n),
                          LIN_ARRAY(&arena, double, n),
                          LIN_ARRAY(&arena, double, n),
                          LIN_ARRAY(&arena, double, n),
                          LIN_ARRAY(&arena, double, n),
                          LIN_ARRAY(&arena, double, n),
                          false};
  for (size_t i = 0; i < count; i++) {
    const lin_block b = find(graph, counts[i].name);
    k->flow.threads[b] = counts[i].threads;
    k->flow.passes[b] = counts[i].passes;
    k->flow.rounds[b] = counts[i].rounds;
    k->flow.turns[b] = counts[i].rounds * (double)WARPS;
  }
  k->known = known;
  k->goes = "..";
  k->sites = (lin_sites){.analysis = lin_analysis_build(&arena, graph, k->order->loops),
                         .flow = &k->flow,
                         .scattered = LIN_ARRAY(&arena, uint32_t, n),
                         .words = LIN_ARRAY(&arena, uint32_t, n),
                         .live = LIN_ARRAY(&arena, uint32_t, n),
                         .target = lin_target_find(90),
                         .registers = 32,
                         .most_registers = 255,
                         .bits = bits,
                         .counts = counts_to,
                         .context = k};
  return k;
}

#define MADE(text, known, ...)                                                                     \
  made(text, (const counted[]){__VA_ARGS__},                                                       \
       sizeof((const counted[]){__VA_ARGS__}) / sizeof(counted), known)

static lin_fragment *found(const kernel *k, uint32_t *count) {
  return lin_fragments_find(&arena, &k->sites, LIN_BOUND_COUNTED, count);
}

static const char *name_of(const kernel *k, lin_block block) {
  return k->order->graph->name[block];
}

static bool near(double a, double b) { return fabs(a - b) <= 0.001 * fabs(b) + 1e-6; }

// ---- two arms

static const char arms[] = "function f\n"
                           "e [cost 10]: a b\n"
                           "a [cost 1000]: j\n"
                           "b [cost 1000]: j\n"
                           "j: return\n";

// Each arm is come to by each warp; sorted, by four, and by one more for both.
static void test_arms(void) {
  uint32_t count;
  const kernel *k =
      MADE(arms, "", {"e", 256, 8, 1}, {"a", 128, 8, 1}, {"b", 128, 8, 1}, {"j", 256, 8, 1});
  const lin_fragment *f = found(k, &count);
  EXPECT(count == 1 && f->place == 0 && f->count == 1 && f->branch[0] == 0 && f->bits == 1);
  EXPECT(near(f->total, 8 * (10 + 8) + 16 * 1000.0));
  EXPECT(near(f->saved, (16 - (8 + 31.0 / 32)) * 1000));
  EXPECT(f->rounds >= 8 * 100 && f->rounds < 8 * 200 && f->fewer == 0);
}

// Threads of a warp go one way: there is nothing to gain, or less than it costs.
static void test_alike(void) {
  uint32_t count;
  found(MADE(arms, "", {"e", 256, 8, 1}, {"a", 256, 8, 1}, {"j", 256, 8, 1}), &count);
  EXPECT(count == 0);
  found(MADE(arms, "", {"e", 256, 8, 1}, {"a", 128, 4, 1}, {"b", 128, 4, 1}, {"j", 256, 8, 1}),
        &count);
  EXPECT(count == 0);
  found(MADE("function f\ne [cost 10]: a b\na [cost 100]: j\nb [cost 100]: j\nj: return\n", "",
             {"e", 256, 8, 1}, {"a", 128, 8, 1}, {"b", 128, 8, 1}, {"j", 256, 8, 1}),
        &count);
  EXPECT(count == 0);
  found(
      MADE("function f\ne [cost 10 uniform]: a b\na [cost 1000]: j\nb [cost 1000]: j\nj: return\n",
           "", {"e", 256, 8, 1}, {"a", 128, 8, 1}, {"b", 128, 8, 1}, {"j", 256, 8, 1}),
      &count);
  EXPECT(count == 0);
}

// Accesses that threads side by side make together are made apart, by as many as there are keys.
static void test_scattered(void) {
  uint32_t count;
  kernel *k =
      MADE(arms, "", {"e", 256, 8, 1}, {"a", 128, 8, 1}, {"b", 128, 8, 1}, {"j", 256, 8, 1});
  const double rounds = found(k, &count)->rounds;
  ((uint32_t *)k->sites.scattered)[find(k->order->graph, "j")] = 10;
  EXPECT(near(found(k, &count)->rounds, rounds + 10 * 4 * 8));
}

// ---- a loop

static const char loop[] = "function f\n"
                           "p: h\n"
                           "h [cost 10]: a b\n"
                           "a [cost 100]: l\n"
                           "b [cost 100]: l\n"
                           "l [cost 10]: h x\n"
                           "x: return\n";
#define LOOP                                                                                       \
  {"p", 256, 8, 1}, {"h", 25600, 800, 100}, {"a", 12800, 800, 100}, {"b", 12800, 800, 100},        \
      {"l", 25600, 800, 100}, {"x", 256, 8, 1}

// What doesn't change in the loop is asked in front of it, by one round; if it isn't known there, a
// round in each iteration costs more than it gains.
static void test_loop(void) {
  uint32_t count;
  const kernel *k = MADE(loop, "ph", LOOP);
  const lin_fragment *f = found(k, &count);
  EXPECT(count == 1 && strcmp(name_of(k, f->place), "p") == 0 && f->count == 1);
  EXPECT(strcmp(name_of(k, f->branch[0]), "h") == 0);
  EXPECT(near(f->saved, (1600 - 100 * (8 + 31.0 / 32)) * 100));
  found(MADE(loop, "", LOOP), &count);
  EXPECT(count == 0);
}

// In a loop, longer arms are worth a round in each iteration; and registers count: with so many
// that a multiprocessor has half as many warps, it isn't.
static void test_registers(void) {
  static const char text[] =
      "function f\np: h\nh [cost 10]: a b\na [cost 2000]: l\nb [cost 2000]: l\n"
      "l [cost 10]: h x\nx: return\n";
  uint32_t count;
  kernel *k = MADE(text, "", LOOP);
  const lin_fragment *f = found(k, &count);
  EXPECT(count == 1 && strcmp(name_of(k, f->place), "h") == 0 && f->fewer == 0);
  ((uint32_t *)k->sites.live)[find(k->order->graph, "h")] = 32;
  found(k, &count);
  EXPECT(count == 0);
}

// Both branches would be worth a round in each iteration: one place in a loop, the better one.
#define IN_LOOP(first, second)                                                                     \
  "function f\np: h\nh: a b\na [cost " first "]: i\nb [cost " first "]: i\n"                       \
  "i: c d\nc [cost " second "]: l\nd [cost " second "]: l\nl: h x\nx: return\n"

static void test_one_of_loop(void) {
  static const char *const texts[] = {IN_LOOP("3000", "2000"), IN_LOOP("2000", "3000")};
  for (int i = 0; i < 2; i++) {
    uint32_t count;
    const kernel *k = MADE(texts[i], "", LOOP, {"i", 25600, 800, 100}, {"c", 12800, 800, 100},
                           {"d", 12800, 800, 100});
    const lin_fragment *f = found(k, &count);
    EXPECT(count == 1 && strcmp(name_of(k, f->place), i == 0 ? "h" : "i") == 0);
  }
}

// 1 + 1/2 + ... + 1/n
static double harmonic(double n) { return log(n) + 0.5772156649 + 1 / (2 * n); }

// Not every iteration comes by `a`, each tenth: others go around meanwhile, in vain where that is
// long, and arms are short.
#define ARM(skips, arm)                                                                            \
  "function f\np: h\nh [cost " skips "]: a l\na [cost 0]: b c\nb [cost " arm "]: m\nc [cost " arm  \
  "]: m\nm [cost 0]: l\nl [cost 0]: h x\nx: return\n"
#define ARM_COUNTS                                                                                 \
  {"p", 256, 8, 1}, {"h", 25600, 800, 100}, {"a", 2560, 800, 20}, {"b", 1280, 700, 10},            \
      {"c", 1280, 700, 10}, {"m", 2560, 800, 20}, {"l", 25600, 800, 100}, {"x", 256, 8, 1}

static void test_arm_of_loop(void) {
  uint32_t count;
  const kernel *k = MADE(ARM("10", "3000"), "", ARM_COUNTS);
  const lin_fragment *f = found(k, &count);
  EXPECT(count == 1 && strcmp(name_of(k, f->place), "a") == 0 && f->count == 1);
  // 128 threads in each of 20 rounds are in four warps, and what is left of one; a thread comes
  // there, or leaves, after 25600 / (2560 + 256) iterations.
  const double together = 128 / (4 + 31.0 / 64), run = 25600.0 / 2816;
  const double skips = 25600 / together * (1 + (run - 1) * harmonic(together)) / run;
  const double arms_of_two = 2 * 20 * (2 + 31.0 / 64 + 31.0 / 64 / 2);
  EXPECT(near(f->saved, 3000 * (1400 - arms_of_two) - 10 * (skips - 800)));
  f = found(k = MADE(ARM("3000", "3000"), "", ARM_COUNTS), &count);
  for (uint32_t i = 0; i < count; i++)
    EXPECT(strchr("abcm", name_of(k, f[i].place)[0]) == NULL);
}

// In a loop in a loop: nobody knows for how long, though the inner one is left by the arm alone.
static void test_arm_of_loops(void) {
  static const char text[] = "function f\nq: o\no: p\np [cost 0]: h\n"
                             "h [cost 10]: a l\na [cost 0]: b c\nb [cost 3000]: m\n"
                             "c [cost 3000]: m\nm [cost 0]: l x\nl [cost 0]: h\nx: o y\n"
                             "y: return\n";
  uint32_t count;
  const kernel *k =
      MADE(text, "", {"q", 256, 8, 1}, {"o", 256, 8, 1}, {"y", 256, 8, 1}, ARM_COUNTS);
  const lin_fragment *f = found(k, &count);
  for (uint32_t i = 0; i < count; i++)
    EXPECT(strchr("abcm", name_of(k, f[i].place)[0]) == NULL);
}

// How often a loop goes around is the key: the first 32 threads go around least.
static void test_trips(void) {
  static const char text[] = "function f\np [cost 0]: h\nh [cost 100]: h x\nx [cost 0]: return\n";
  uint32_t count;
  kernel *k = MADE(text, "", {"p", 256, 8, 1}, {"h", 5120, 480, 80}, {"x", 256, 8, 1});
  found(k, &count);
  EXPECT(count == 0);
  k->goes = "ph";
  const lin_fragment *f = found(k, &count);
  EXPECT(count == 1 && strcmp(name_of(k, f->place), "p") == 0 && f->count == 1 && f->loop != 0);
  EXPECT(f->bits == 5 && f->shift == 2); // to 80
  double longest = harmonic(256);
  for (int left = 224; left > 0; left -= 32)
    longest += harmonic(256) - harmonic(left);
  const double more = (longest / 8 - 1) / (harmonic(32) - 1);
  EXPECT(near(f->saved, 100 * (480 - 8 * (20 + 40 * more + 60 / 32.0))));
  // Few iterations need few bits.
  k = MADE(text, "", {"p", 256, 8, 1}, {"h", 512, 48, 6}, {"x", 256, 8, 1});
  k->goes = "ph";
  k->order->graph->cost[find(k->order->graph, "h")] = 300;
  f = found(k, &count);
  EXPECT(count == 1 && f->bits == 3 && f->shift == 0);
}

// Arrays aren't in registers, and a kernel has no more registers than it may.
static void test_most_registers(void) {
  static const char text[] =
      "function f\np: h\nh [cost 10]: a b\na [cost 2000]: l\nb [cost 2000]: l\n"
      "l [cost 10]: h x\nx: return\n";
  uint32_t count;
  kernel *k = MADE(text, "", LOOP);
  const double rounds = found(k, &count)->rounds;
  ((uint32_t *)k->sites.words)[find(k->order->graph, "h")] = 16;
  EXPECT(found(k, &count)->rounds > rounds && count == 1 && found(k, &count)->fewer == 0);
  ((uint32_t *)k->sites.live)[find(k->order->graph, "h")] = 64;
  found(k, &count);
  EXPECT(count == 0);
  k->sites.most_registers = 32;
  EXPECT(found(k, &count)->fewer == 0 && count == 1);
}

// Behind a branch of which nobody knows more, chance decides: as it does for the threads of a warp
// as it is, or for each by itself.
static void test_chance(void) {
  static const char text[] = "function f\ne: A r\nA [cost 3000]: b c\nb [cost 3000]: c\n"
                             "c [cost 0]: r\nr: return\n";
  uint32_t count;
  const kernel *k = MADE(text, "e", {"e", 2560, 80, 10}, {"A", 320, 80, 10}, {"b", 32, 24, 3},
                         {"c", 320, 80, 10}, {"r", 2560, 80, 10});
  const lin_fragment *f = found(k, &count);
  const double after = 10 * (1 + 31.0 / 64); // 32 threads of each thread block
  const double together = 1 - pow(1 - 24.0 / 80, 80 / after), each = 1 - pow(0.9, 320 / after);
  EXPECT(count == 1 && together < each);
  EXPECT(near(f->saved, 3000 * (80 - after) + 3000 * (24 - after * each)));
}

// ---- several branches

#define TWO(first, second)                                                                         \
  "function f\np: h\nh [cost 10]: a i\na [cost " first "]: i\ni [cost 10]: b j\nb [cost " second   \
  "]: j\nj: return\n"
#define TWO_COUNTS                                                                                 \
  {"p", 256, 8, 1}, {"h", 256, 8, 1}, {"a", 128, 8, 1}, {"i", 256, 8, 1}, {"b", 128, 8, 1},        \
      {"j", 256, 8, 1}

// Both gain; the second one's threads stand apart by half a warp more, for each of the first's
// keys.
static void test_two(void) {
  uint32_t count;
  const kernel *k = MADE(TWO("4000", "2000"), "phi hi", TWO_COUNTS);
  const lin_fragment *f = found(k, &count);
  EXPECT(count == 1 && f->count == 2 && f->bits == 2);
  EXPECT(near(f->saved, (8 - 4 - 31.0 / 64) * 4000 + (8 - 4 - 31.0 / 32) * 2000));
  // The second one's work is nothing: those that come to the first one's are enough.
  f = found(MADE(TWO("4000", "2"), "phi hi", TWO_COUNTS), &count);
  EXPECT(count == 1 && f->count == 0 && strcmp(name_of(k, f->place), "a") == 0);
}

// The branch in the arm of one that gains nothing by itself.
static void test_nested(void) {
  static const char text[] = "function f\np: h\nh [cost 10]: a j\na: b c\nb [cost 3000]: j\n"
                             "c [cost 3000]: j\nj: return\n";
  uint32_t count;
  const kernel *k = MADE(text, "pha ha", {"p", 256, 8, 1}, {"h", 256, 8, 1}, {"a", 252, 8, 1},
                         {"b", 126, 8, 1}, {"c", 126, 8, 1}, {"j", 256, 8, 1});
  const lin_fragment *f = found(k, &count);
  EXPECT(count == 1 && f->count == 2 && strcmp(name_of(k, f->branch[1]), "a") == 0);
}

// Few threads of each warp come to `a`, and nothing is asked: they come together.
static void test_few(void) {
  static const char text[] = "function f\ne: a r\na [cost 3000]: r\nr: return\n";
  uint32_t count;
  const kernel *k = MADE(text, "e", {"e", 256, 8, 1}, {"a", 32, 8, 1}, {"r", 256, 8, 1});
  const lin_fragment *f = found(k, &count);
  EXPECT(count == 1);
  EXPECT(near(f->saved, (8 - 1 - 31.0 / 64) * 3000));
  lin_fragments_find(&arena, &k->sites, LIN_BOUND_GUESSED, &count);
  EXPECT(count == 1); // by the branch
}

// ---- counts

// Of two blocks of two warps each.
#define COUNTS_OF(threads)                                                                         \
  "# linearize counts 2\nfunction,block,thread_entries\nf,entry,128\nf,loop,768\n# launch f\n"     \
  "# hash 5d3c1b0a49e7f268\n# times 1\n# grid 2 1 1\n# block 64 1 1\n# sample 1\n# gpu \n"         \
  "# multiprocessors 0\n# time 0\n# blocks 2\n# f,entry,20,,\n# f,loop,85,,0\n# vectors 2\n"       \
  "# 0:1 1:8\n# 0:1\n# threads " threads "# passes\n# 0:4 1:35\n# 0:4 1:32\n# end\n"

// Of each warp the thread that comes there most often, wherever it stands.
static void test_slowest(void) {
  static const char text[] = COUNTS_OF("2\n# 50*0 78*1\n");
  lin_memory memory = {0};
  lin_counts_error error;
  const lin_counts *counts = lin_counts_read(&memory, text, strlen(text), &error);
  lin_traffic flow;
  const char *reason = NULL;
  EXPECT(lin_traffic_count(&arena, parse("function f\nentry: loop x\nloop: loop x\nx: return\n"),
                           counts, &flow, &reason));
  EXPECT(flow.slowest[0] == 4 && flow.slowest[1] == 16 && flow.turns[1] == 16);
  lin_memory_release(&memory);
}

// Of two thread blocks one was counted; half of one isn't enough.
static void test_sampled(void) {
  static const char half[] = COUNTS_OF("3\n# 64*0 32*- 32*1\n");
  static const char one[] = COUNTS_OF("3\n# 64*- 32*0 32*1\n");
  lin_graph *graph = parse("function f\nentry: loop x\nloop: loop x\nx: return\n");
  lin_memory memory = {0};
  lin_counts_error error;
  lin_traffic flow;
  const char *reason = NULL;
  const lin_counts *counts = lin_counts_read(&memory, one, strlen(one), &error);
  EXPECT(lin_traffic_count(&arena, graph, counts, &flow, &reason));
  EXPECT(flow.threads[0] == 64 && flow.threads[1] == 256 && flow.some[1] == 32);
  EXPECT(flow.slowest[0] == 2 && flow.slowest[1] == 8 && flow.rounds[1] == 8);
  counts = lin_counts_read(&memory, half, strlen(half), &error);
  EXPECT(!lin_traffic_count(&arena, graph, counts, &flow, &reason));
  EXPECT(strcmp(reason, "of some threads of a block it knows nothing") == 0);
  lin_memory_release(&memory);
}

static void test_counts(void) {
  static const char text[] = COUNTS_OF("2\n# 96*0 32*1\n");
  lin_memory memory = {0};
  lin_counts_error error;
  const lin_counts *counts = lin_counts_read(&memory, text, strlen(text), &error);
  EXPECT(counts != NULL);
  lin_graph *graph = parse("function f\nentry: loop x\nloop: loop x\nx: return\n");
  lin_traffic flow;
  const char *reason = NULL;
  EXPECT(lin_traffic_count(&arena, graph, counts, &flow, &reason));
  EXPECT(flow.threads[0] == 128 && flow.threads[1] == 768 && flow.threads[2] == 0);
  EXPECT(flow.some[0] == 128 && flow.some[1] == 96);
  EXPECT(flow.passes[0] == 4 && flow.passes[1] == 35);
  EXPECT(flow.slowest[0] == 4 && flow.slowest[1] == 24);
  EXPECT(flow.rounds[0] == 2 && flow.rounds[1] == 16 && flow.turns[1] == 32);
  EXPECT(!lin_traffic_count(&arena, parse("function f\nentry: x\nx: return\n"), counts, &flow,
                            &reason));
  EXPECT(strcmp(reason, "it is of other code") == 0);
  EXPECT(!lin_traffic_count(&arena, parse("function g\nentry: x\nx: return\n"), counts, &flow,
                            &reason));
  EXPECT(strcmp(reason, "it doesn't know the kernel") == 0);
  // In front of the loop, once for each thread that has been in it; or, if threads come by more
  // than once, as often as all go around.
  bool on[] = {true, false, false, false};
  lin_graph *fronts = lin_graph_split_edges(&arena, graph, on);
  EXPECT(fronts->num_blocks == 4 && fronts->destination[0] == 3 && fronts->cost[3] == 0);
  EXPECT(fronts->destination[fronts->first_edge[3]] == 1 && lin_out_degree(fronts, 3) == 1);
  const lin_traffic_launches launches = lin_traffic_find_launches(&arena, graph, counts);
  EXPECT(lin_traffic_knows_entries(&launches, graph, 0, 1));
  EXPECT(!lin_traffic_knows_entries(&launches, graph, 1, 1));
  EXPECT(lin_traffic_count(&arena, fronts, counts, &flow, &reason));
  lin_traffic_count_front(fronts, 3, &flow);
  EXPECT(flow.threads[3] == 96 && near(flow.passes[3], 4) && flow.rounds[3] == 2);
  graph->most_trips[1] = fronts->most_trips[1] = 4;
  EXPECT(lin_traffic_knows_entries(&launches, graph, 1, 1));
  flow.threads[0] = 256;
  lin_traffic_count_front(fronts, 3, &flow);
  EXPECT(flow.threads[3] == 192 && flow.passes[3] == 35.0 / 4 && flow.rounds[3] == 4);
  lin_memory_release(&memory);
}

int main(void) {
  test_arms();
  test_alike();
  test_scattered();
  test_loop();
  test_registers();
  test_one_of_loop();
  test_arm_of_loop();
  test_arm_of_loops();
  test_trips();
  test_most_registers();
  test_chance();
  test_two();
  test_nested();
  test_few();
  test_slowest();
  test_sampled();
  test_counts();
  lin_arena_release(&arena);
  return expect_end();
}
