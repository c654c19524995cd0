// Graphs of the unit tests, from text.
#ifndef LIN_TEST_GRAPHS_H
#define LIN_TEST_GRAPHS_H

#include "expect.h"

#include "graph/text.h"

#include <stdlib.h>

// All that a test makes.
static lin_arena arena;

// Both end the program if the test's own text is wrong.
static inline lin_graph *parse(const char *text) {
  lin_text_error error;
  lin_graph *graph = lin_text_parse(&arena, text, strlen(text), &error);
  if (graph == NULL) {
    printf("line %zu: %s\n%s", error.line, error.message, text);
    exit(1);
  }
  return graph;
}

static inline lin_block find(const lin_graph *graph, const char *name) {
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if (strcmp(graph->name[block], name) == 0)
      return block;
  printf("no block %s\n", name);
  exit(1);
}

#endif
