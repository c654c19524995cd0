// Profiles: reading them, and what counts of blocks say of edges.
#include "counts/profile.h"
#include "graphs.h"

// The weights of the edges, in order, or why they stay.
static const char *weights(const char *text, const char *profile) {
  lin_graph *graph = parse(text);
  lin_profile read = {.count = 0};
  size_t line;
  const char *reason = NULL;
  const bool is_read = lin_profile_parse(&read, profile, strlen(profile), &line, &reason);
  lin_profile_fit fit =
      is_read ? lin_profile_apply(&arena, &read, graph, &reason) : LIN_PROFILE_UNKNOWN;
  lin_profile_release(&read);
  if (!is_read)
    return NULL;
  if (fit != LIN_PROFILE_FITS)
    return fit == LIN_PROFILE_FOREIGN ? reason : "unknown";
  char *result = lin_arena_bytes(&arena, 16 * (size_t)graph->num_edges + 1), *end = result;
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    end += sprintf(end, "%s%u", edge == 0 ? "" : " ", graph->weight[edge]);
  return result;
}

static void test_edges(void) {
  static const char *const columns = "function,block,thread_entries\n";
  static const char *const header = "function f\nA: B C\nB: C D\nC: E\nD: E\nE: return\n";
  char text[200];
  snprintf(text, sizeof text, "%sf,A,10\nf,B,7\nf,C,7\nf,D,3\nf,E,10\n", columns);
  EXPECT_TEXT(weights(header, text), "7 3 4 3 7 3");
  // What isn't named was not run; another function's blocks don't count.
  snprintf(text, sizeof text, "%sg,D,5\nf,C,10\nf,A,10\nf,E,10\ng,B,5\n", columns);
  EXPECT_TEXT(weights(header, text), "0 10 0 0 10 0");
  snprintf(text, sizeof text, "%sg,A,5\n", columns);
  EXPECT_TEXT(weights(header, text), "unknown");
  // A loop, left in two ways; and edges that no count tells apart.
  snprintf(text, sizeof text, "%sf,A,2\nf,H,9\nf,B,8\nf,X,1\nf,Y,1\nf,Z,2\n", columns);
  EXPECT_TEXT(weights("function f\nA: H\nH: X B\nB: Y H\nX: Z\nY: Z\nZ: return\n", text),
              "2 1 8 1 7 1 1");
  snprintf(text, sizeof text, "%sf,A,8\nf,B,8\nf,C,0\n", columns);
  EXPECT_TEXT(weights("function f\nA: B B C\nB: return\nC: B\n", text), "4 4 0 0");
  // Several edges to one block are one way, else it would be as unknown as X, and so on.
  snprintf(text, sizeof text, "%sf,A,10\nf,P,6\nf,Q,4\nf,X,2\nf,B,4\nf,C,4\n", columns);
  EXPECT_TEXT(weights("function f\nA: P Q\nP: B X B\nQ: X C C\nX: return\nB: return\n"
                      "C: return\n",
                      text),
              "6 4 2 2 2 0 2 2");
  // Counts that don't fit are halved, those of one block.
  snprintf(text, sizeof text, "%sf,A,8589934594\nf,B,8589934592\nf,C,2\nf,D,8589934594\n", columns);
  EXPECT_TEXT(weights("function f\nA: B C\nB: D\nC: D D\nD: return\n", text),
              "2147483648 0 2147483648 1 1");
  // Of a run that was cut off.
  snprintf(text, sizeof text, "%sf,A,5\nf,B,2\nf,C,1\n", columns);
  EXPECT_TEXT(weights("function f\nA: B C\nB: return\nC: return\n", text), "2 1");
  // What no thread left keeps its weights; lines of one block add up.
  snprintf(text, sizeof text, "%sf,B,2\nf,A,1\nf,B,1\nf,A,3\nf,C,1\n%sf,A,1\nf,C,1\n", columns,
           columns);
  EXPECT_TEXT(
      weights("function f\nA: B * 7 C * 8\nB: D * 3 E * 9\nC: E * 2\nD: return\nE: return\n", text),
      "3 2 3 9 2");
}

// A profile that isn't of this code, as far as it shows.
static void test_foreign(void) {
  static const char *const columns = "function,block,thread_entries\n";
  static const char *const graph = "function f\nA: B C * 9\nB: D\nC: D\nD: B E\nE: return\n";
  char text[200];
  snprintf(text, sizeof text, "%sf,A,4\nf,X,0\nf,B,2\n", columns);
  EXPECT_TEXT(weights(graph, text), "it names block 'X', which the function doesn't have");
  snprintf(text, sizeof text, "%sf,A,4\nf,C,5\n", columns);
  EXPECT_TEXT(weights(graph, text),
              "in it block 'C' was entered more often than all blocks before it");
  snprintf(text, sizeof text, "%sf,A,4\nf,B,3\nf,D,4\n", columns);
  EXPECT_TEXT(weights(graph, text),
              "in it block 'D' was entered more often than all blocks before it");
  snprintf(text, sizeof text, "%sf,A,4\nf,C,4\nf,B,4\nf,D,8\nf,E,4\ng,X,9\n", columns);
  EXPECT_TEXT(weights(graph, text), "0 4 4 4 4 4");
  // One edge of a switch counts as much as two.
  snprintf(text, sizeof text, "%sf,A,4\nf,B,5\n", columns);
  EXPECT_TEXT(weights("function f\nA: B B\nB: return\n", text),
              "in it block 'B' was entered more often than all blocks before it");
  snprintf(text, sizeof text, "%sf,A,0\nf,B,0\n", columns);
  EXPECT_TEXT(weights(graph, text), "unknown");
}

static const char *error_of(const char *text) {
  lin_profile profile = {.count = 0};
  size_t line;
  const char *error;
  const bool is_read = lin_profile_parse(&profile, text, strlen(text), &line, &error);
  lin_profile_release(&profile);
  if (is_read)
    return "none";
  char *result = lin_arena_bytes(&arena, 100);
  snprintf(result, 100, "%zu: %s", line, error);
  return result;
}

static void test_text(void) {
  static const char *const graph = "function f\nA: B C\nB: return\nC: return\n";
  EXPECT_TEXT(weights(graph, "# made by hand\nx,thread_entries,block,y,function\r\n\n"
                             "0,4,A,,f\r\n# more\n\"0,1\",1,\"C\",,f\n0,3,B,,\"f\"\n0,99,,,f"),
              "3 1");
  EXPECT_TEXT(error_of("function,block,thread_entries\nf,A,1\nf,B,many\n"),
              "3: thread_entries is not a number");
  EXPECT_TEXT(error_of("function,block,thread_entries\nf,A\n"),
              "2: thread_entries is not a number");
  EXPECT_TEXT(error_of("function,block,thread_entries\nf,A,99999999999999999999\n"),
              "2: thread_entries is not a number");
  EXPECT_TEXT(error_of("# nothing\nfunction,block,entries\nf,A,1\n"),
              "2: no columns function, block and thread_entries");
  EXPECT_TEXT(error_of("function,block,thread_entries\nfunction,thread_entries\n"),
              "2: thread_entries is not a number");
  EXPECT_TEXT(error_of("# linearize counts 1\nfunction,block,thread_entries\nf,A,1\n# launch f\n"),
              "5: the file of counts is cut off: it has no '# end'");
  EXPECT_TEXT(error_of(""), "1: no columns function, block and thread_entries");
}

int main(void) {
  test_edges();
  test_foreign();
  test_text();
  lin_arena_release(&arena);
  return expect_end();
}
