// libFuzzer's target: the properties of linearize_property on graphs that coverage leads to. A
// failing input can be given to scripts/reduce.
#include "byte_graph.h"
#include "graph/text.h"
#include "properties.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  lin_arena arena = {0};
  property_stats stats = {0};
  const lin_graph *graph = byte_graph(&arena, data, size);
  // Both are among those that linearize_property tries on a graph in a file, and hang on the size
  // alone, so that most changes of the graph keep them.
  for (uint32_t mode = 0; mode < PROPERTY_MODES; mode++) {
    property_case test = {.mode = mode, .level = (int)(size % PROPERTY_LEVELS), .seed = size % 8};
    const char *wrong = property_violation(&arena, graph, &test, &stats);
    if (wrong != NULL) {
      fprintf(stderr, "mode %s, level %d, seed %zu: %s\n", property_mode_name[mode], test.level,
              size % 8, wrong);
      lin_text_print(stderr, graph);
      abort();
    }
  }
  lin_arena_release(&arena);
  return 0;
}
