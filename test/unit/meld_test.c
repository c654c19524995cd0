// Unit tests of which arms are melded, how their instructions pair, and what that gains. A failure
// prints its line; the last line is `N passed, M failed`.
#include "graphs.h"

#include "meld/align.h"
#include "meld/gain.h"
#include "meld/gather.h"

// ---- alignment

static uint32_t same_letter(const void *context, uint32_t i, uint32_t j) {
  const char *const *text = context;
  return text[0][i] == text[1][j] ? 1 : 0;
}

static void test_align(void) {
  const char *text[2] = {"xyzw", "xzvw"};
  uint32_t partner[4];
  lin_alignment a = {{4, 4}, same_letter, text};
  EXPECT(lin_align(&a, partner) == 3);
  EXPECT(partner[0] == 0 && partner[1] == LIN_NONE && partner[2] == 1 && partner[3] == 3);
  a.length[1] = 0;
  EXPECT(lin_align(&a, partner) == 0 && partner[0] == LIN_NONE);
}

// ---- code: a letter is an instruction, of its kind, that reads the one before it

// The letters of a block in "A=abc B=abd", or "".
static size_t letters_of(const char *text, const char *name, const char **letters) {
  const size_t length = strlen(name);
  for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
    if ((at == text || at[-1] == ' ') && at[length] == '=') {
      *letters = at + length + 1;
      return strcspn(*letters, " ");
    }
  return 0;
}

static lin_meld_op op_of(char letter, uint32_t operand) {
  const bool alone = letter >= 'A' && letter <= 'Z'; // with an effect, without a counterpart
  return (lin_meld_op){.kind = (uint32_t)letter,
                       .cost = 4,
                       .flags = alone ? LIN_MELD_ALONE : LIN_MELD_FREE,
                       .first_operand = operand};
}

static lin_meld_code *code_of(const char *graph_text, const char *text) {
  const lin_order *order = lin_order_build(&arena, parse(graph_text));
  lin_meld_code *code = LIN_NEW(&arena, lin_meld_code);
  code->analysis = lin_analysis_build(&arena, order->graph, order->loops);
  const uint32_t blocks = order->graph->num_blocks, most = blocks + (uint32_t)strlen(text);
  code->first_op = LIN_ARRAY(&arena, uint32_t, blocks + 1);
  code->op = LIN_ARRAY(&arena, lin_meld_op, most + 1);
  code->operand = LIN_ARRAY(&arena, uint32_t, most);
  uint32_t *base = LIN_ARRAY(&arena, uint32_t, most + 1);
  for (lin_block block = 0; block < blocks; block++) {
    const char *letters = "";
    const size_t count = letters_of(text, order->graph->name[block], &letters);
    code->first_op[block] = code->num_ops;
    order->graph->cost[block] = (uint32_t)(4 * count);
    for (size_t i = 0; i < count; i++) {
      code->operand[code->num_ops] = i == 0 ? most : code->num_ops - 1;
      code->op[code->num_ops] = op_of(letters[i], code->num_ops);
      code->num_ops++;
    }
    code->operand[code->num_ops] = most;
    code->op[code->num_ops] = (lin_meld_op){.kind = 1000 + lin_out_degree(order->graph, block),
                                            .flags = LIN_MELD_END,
                                            .first_operand = code->num_ops};
    code->num_ops++;
  }
  code->first_op[blocks] = code->num_ops;
  code->op[code->num_ops].first_operand = code->num_ops;
  code->num_values = most + 1;
  code->base = base;
  return code;
}

static lin_block named(const lin_meld_code *code, const char *name) {
  return find(code->analysis->graph, name);
}

// "A-B" for each pair of blocks, in the order of the first.
static const char *pairs_of(const lin_meld_code *code, const lin_melds *melds) {
  const lin_graph *graph = code->analysis->graph;
  char *text = lin_arena_bytes(&arena, 200);
  size_t used = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < melds->count; i++)
    for (uint32_t k = 0; k < melds->melded[i].count[0]; k++) {
      const lin_block block = melds->melded[i].block[k], twin = melds->twin[block];
      if (twin != LIN_NONE)
        used += (size_t)snprintf(text + used, 200 - used, "%s%s-%s", used > 0 ? " " : "",
                                 graph->name[block], graph->name[twin]);
    }
  return text;
}

#define DIAMOND "function f\nD: A B\nA: J\nB: J\nJ: return\n"

// ---- which

static void test_arms(void) {
  const lin_meld_code *code = code_of(DIAMOND, "A=abcdefgh B=abcdefgh");
  const lin_melds *melds = lin_melds_find(&arena, code);
  EXPECT_TEXT(pairs_of(code, melds), "A-B");
  EXPECT(melds->melded[0].before == 64 && melds->melded[0].after < 40);
  EXPECT(melds->melded[0].branch == named(code, "D"));
  // Too little; nothing alike; only what has no counterpart.
  EXPECT(lin_melds_find(&arena, code_of(DIAMOND, "A=a B=a"))->count == 0);
  EXPECT(lin_melds_find(&arena, code_of(DIAMOND, "A=abcdefgh B=mnopqrst"))->count == 0);
  EXPECT(lin_melds_find(&arena, code_of(DIAMOND, "A=ABCDEFGH B=ABCDEFGH"))->count == 0);
  // An arm that leads to the other: its threads run both.
  code = code_of("function f\nD: A B\nA: B\nB: J\nJ: return\n", "A=abcdefgh B=abcdefgh");
  EXPECT(lin_melds_find(&arena, code)->count == 0);
}

// Leaves of a tree of branches are arms of one, but not of whom they lead to.
static void test_trees(void) {
  const lin_meld_code *code =
      code_of("function f\nD: E F\nE: A X\nF: B Y\nA: J\nB: J\nX: J\nY: J\nJ: return\n",
              "A=abcdefgh B=abcdefgh X=pq Y=rs");
  const lin_melds *melds = lin_melds_find(&arena, code);
  EXPECT_TEXT(pairs_of(code, melds), "A-B");
  EXPECT(melds->count == 1 && melds->melded[0].branch == named(code, "D"));
  EXPECT(!lin_meld_is_plain(code, &melds->melded[0]));
  // E does so much that it is an arm.
  code = code_of("function f\nD: E B\nE: A X\nA: J\nB: J\nX: J\nJ: return\n",
                 "A=abcdefgh B=abcdefgh E=ABCDEFGH");
  EXPECT(lin_melds_find(&arena, code)->melded[0].arm[0] != named(code, "A"));
  // A leads to X, which others come to, too.
  code = code_of("function f\nD: E F\nE: A Y\nF: B X\nA: X\nB: J\nX: J\nY: J\nJ: return\n",
                 "A=abcdefgh B=abcdefgh");
  EXPECT(lin_melds_find(&arena, code)->count == 0);
}

static void test_gathering(void) {
  const lin_meld_code *code =
      code_of("function f\nD: E F\nE: S J\nF: S G\nG: J\nS: J\nJ: return\n", "");
  lin_gathering g;
  EXPECT(lin_gathering_find(&arena, code->analysis, named(code, "S"), &g));
  EXPECT(g.meeting == named(code, "J") && g.num_before == 4);
  EXPECT(!lin_gathering_find(&arena, code->analysis, named(code, "J"), &g)); // all come there
  EXPECT(!lin_gathering_find(&arena, code->analysis, 0, &g));
  EXPECT(lin_meld_meets(code->analysis, named(code, "J")));
  // G comes to T by itself.
  code = code_of("function f\nD: E F\nE: S J\nF: S G\nG: T J\nS: T\nT: J\nJ: return\n", "");
  EXPECT(!lin_gathering_find(&arena, code->analysis, named(code, "S"), &g));
  EXPECT(!lin_meld_meets(code->analysis, named(code, "S")));
  // Others come to F: all gather.
  code = code_of("function f\nH: D F\nD: E S\nE: S F\nF: J\nS: J\nJ: return\n", "");
  EXPECT(lin_gathering_find(&arena, code->analysis, named(code, "S"), &g) && g.num_before == 4);
  EXPECT(lin_meld_meets(code->analysis, named(code, "S")));
}

// Phis p, q of two blocks are paired as they are read.
static void test_phis(void) {
  lin_meld_code *code = code_of(DIAMOND, "A=ppcdefgh B=ppcdefgh");
  const uint32_t a = code->first_op[named(code, "A")], b = code->first_op[named(code, "B")];
  const uint32_t phis[] = {a, a + 1, b, b + 1};
  for (uint32_t i = 0; i < 4; i++)
    code->op[phis[i]].flags |= LIN_MELD_PHI;
  code->operand[b + 2] = b; // a's reads its second
  const lin_melds *melds = lin_melds_find(&arena, code);
  EXPECT(melds->partner[a + 1] == b && melds->partner[b] == a + 1);
  EXPECT(melds->partner[a] == b + 1 && melds->partner[b + 1] == a);
}

static void test_branches(void) {
  lin_meld_code *code = code_of(DIAMOND, "A=abcdefgh B=abcdefgh");
  bool skipped[4] = {false};
  code->skipped = skipped;
  EXPECT(lin_melds_find(&arena, code)->count == 1);
  skipped[named(code, "D")] = true;
  EXPECT(lin_melds_find(&arena, code)->count == 0);
  skipped[named(code, "D")] = false;
  // Whose threads go together, if that is known.
  code->analysis->graph->flags[named(code, "D")] |= LIN_UNIFORM;
  EXPECT(lin_melds_find(&arena, code)->count == 1);
  code->divergence_known = true;
  EXPECT(lin_melds_find(&arena, code)->count == 0);
}

static void test_refused(void) {
  static const struct {
    uint32_t flag;
    const char *why;
  } cases[] = {{LIN_WAITS, "waits for other threads"},
               {LIN_CROSS_LANE, "hangs on which threads run together"},
               {LIN_MAY_SPIN, "may wait for what other threads change"},
               {LIN_FOREIGN, "calls code that isn't here"},
               {LIN_AGREED, "is for threads that have voted to go together"},
               {LIN_REFUSED, "may not be changed"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const lin_meld_code *code = code_of(DIAMOND, "A=abcdefgh B=abcdefgh");
    const lin_block b = named(code, "B");
    code->analysis->graph->flags[b] |= cases[i].flag;
    const lin_melds *melds = lin_melds_find(&arena, code);
    EXPECT(melds->count == 0 && melds->num_refused == 1 && melds->refused[0].at == b);
    EXPECT(melds->refused[0].branch == named(code, "D"));
    EXPECT_TEXT(lin_meld_why_not(code->analysis->graph->flags[b], false), cases[i].why);
  }
  EXPECT(lin_meld_why_not(LIN_POLLS, false) == NULL &&
         lin_meld_why_not(LIN_OBSERVES, true) == NULL);
  EXPECT_TEXT(lin_meld_why_not(LIN_POLLS, true), "may wait for what other threads change");
  EXPECT(lin_meld_why_not(LIN_UNIFORM | LIN_MEMORY, true) == NULL);
  // Arms with nothing in common aren't worth a word.
  const lin_meld_code *code = code_of(DIAMOND, "A=abcdefgh B=mnopqrst");
  code->analysis->graph->flags[named(code, "B")] |= LIN_WAITS;
  EXPECT(lin_melds_find(&arena, code)->num_refused == 0);
}

// Loops pair with loops; a test the other way around is turned.
static void test_loops(void) {
  const lin_meld_code *code =
      code_of("function f\nD: A B\nA: A2\nA2: A2 J\nB: B2\nB2: B2 J\nJ: return\n",
              "A=ab A2=cdef B=xy B2=cdef");
  const lin_melds *melds = lin_melds_find(&arena, code);
  EXPECT_TEXT(pairs_of(code, melds), "A2-B2");
  EXPECT(!lin_meld_is_turned(code, melds, named(code, "A2")));
  code = code_of("function f\nD: A B\nA: A2\nA2: A2 J\nB: B2\nB2: J B2\nJ: return\n",
                 "A=ab A2=cdef B=xy B2=cdef");
  melds = lin_melds_find(&arena, code);
  EXPECT_TEXT(pairs_of(code, melds), "A2-B2");
  EXPECT(lin_meld_is_turned(code, melds, named(code, "A2")));
  code = code_of("function f\nD: A B\nA: A2\nA2: A2 J\nB: B2\nB2: J\nJ: return\n",
                 "A=ab A2=cdef B=xy B2=cdef");
  EXPECT(lin_melds_find(&arena, code)->count == 0);
}

// ---- steps

// "2+0! 0+1 end": what either twin has alone, ! behind a guard, in front of each pair.
static const char *steps_of(const char *text) {
  const lin_meld_code *code = code_of(DIAMOND, text);
  const lin_melds *melds = lin_melds_find(&arena, code);
  char *out = lin_arena_bytes(&arena, 200);
  size_t used = 0;
  out[0] = '\0';
  if (melds->count == 0)
    return "none";
  lin_meld_step step = {.is_last = false};
  while (lin_meld_next(code, melds, named(code, "A"), &step)) {
    const uint32_t a = step.end[0] - step.first[0], b = step.end[1] - step.first[1];
    if (a + b > 0)
      used += (size_t)snprintf(out + used, 200 - used, "%u+%u%s ", a, b, step.guarded ? "!" : "");
    else
      used += (size_t)snprintf(out + used, 200 - used, "%s", step.is_last ? "end" : ". ");
  }
  return out;
}

static void test_steps(void) {
  EXPECT_TEXT(steps_of("A=abcdefgh B=abcdefgh"), ". . . . . . . . end");
  EXPECT_TEXT(steps_of("A=abcdefgh B=abcdxefgh"), ". . . . 0+1 . . . end");
  EXPECT_TEXT(steps_of("A=abcdefghik B=abcdXefghik"), ". . . . 0+1! . . . . . end");
  EXPECT_TEXT(steps_of("A=abcdefghikuvwx B=abcdefghik"), ". . . . . . . . . . 4+0! ");
}

// ---- gain

static void test_gain(void) {
  lin_meld_code *code = code_of(DIAMOND, "A=abcdefgh B=abcdefgh");
  EXPECT(lin_meld_is_enough(code, 12, 100) && !lin_meld_is_enough(code, 11, 28));
  EXPECT(lin_meld_is_enough(code, 8, 20) && !lin_meld_is_enough(code, 7, 14));
  EXPECT(!lin_meld_is_enough(code, 12, 101));
  code->sure = true;
  EXPECT(lin_meld_is_enough(code, 64, 256) && !lin_meld_is_enough(code, 64, 257));
  EXPECT(!lin_meld_is_enough(code, 63, 126));
  code->regardless = true;
  EXPECT(lin_meld_is_enough(code, -1, 101));
  const lin_meld_price two = lin_meld_price_of(&arena, code, false);
  EXPECT(two.serial == 65); // and the branch
  EXPECT(two.total > 60 && two.total <= two.serial);
  code = code_of("function f\nD: J\nJ: return\n", "D=abcdefgh");
  const lin_meld_price one = lin_meld_price_of(&arena, code, false);
  EXPECT(one.total == 32 && one.serial == 32);
  code = code_of(DIAMOND, "A=abcdefgh B=abcdefgh");
  const lin_block d = named(code, "D");
  const lin_block arms[] = {named(code, "A"), named(code, "B")};
  lin_meld_arms both = {.branch = d, .block = arms, .count = {1, 1}, .before = 64};
  EXPECT(lin_meld_gain(code, &both, true, &two, &one) == 32); // no more than an arm has
  const lin_meld_price less = {.serial = two.serial - 8};
  EXPECT(lin_meld_gain(code, &both, true, &two, &less) == 8);
  both.before = 128; // the arms' loops are known to go around more often
  EXPECT(lin_meld_gain(code, &both, true, &two, &less) == 16);
}

int main(void) {
  test_align();
  test_arms();
  test_trees();
  test_gathering();
  test_phis();
  test_branches();
  test_refused();
  test_loops();
  test_steps();
  test_gain();
  lin_arena_release(&arena);
  return expect_end();
}
