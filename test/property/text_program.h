// Pseudo-code of linearize-graph, read again and followed word by word.
#ifndef LIN_TEST_TEXT_PROGRAM_H
#define LIN_TEST_TEXT_PROGRAM_H

#include "graph/graph.h"

#define TEXT_RETURN (LIN_NONE - 1)
#define TEXT_TRAP (LIN_NONE - 2)
#define TEXT_LOST (LIN_NONE - 3) // the text ends, or goes around without running a block

typedef enum {
  TEXT_BLOCK,
  TEXT_SET,    // next = to, or next = condition ? to : other
  TEXT_IF,     // to statement `to` if the condition doesn't hold
  TEXT_IF_NOT, // if it does
  TEXT_JUMP,   // to statement `to`
  TEXT_END,    // returns or traps
} text_kind;

typedef struct text_statement {
  text_kind kind;
  const char *condition; // the words between "if" and what comes then; NULL: none
  uint32_t to, other;
  bool is_word; // a break, continue or goto of the text, and not what its form implies
  bool is_used;
} text_statement;

typedef struct text_program {
  const lin_graph *graph;
  const uint32_t *rank; // [num_blocks] "B3..B7" is what is ranked from one to the other
  text_statement *statement;
  uint32_t count;
  uint32_t *place; // [num_blocks] the statement that runs a block
  uint32_t *times; // [num_blocks] how often it stands there
  uint32_t num_gotos;
} text_program;

typedef struct text_state {
  uint32_t at;    // the next statement
  lin_block last; // the block that ran last
  uint32_t next;  // the variable: a block, TEXT_RETURN, or LIN_NONE
} text_state;

// Reads one function, of a line of title and its lines. The graph's blocks are called B0, B1, ...
// NULL in `*wrong`, or what is wrong with the text.
text_program *text_program_read(lin_arena *arena, const lin_graph *graph, const uint32_t *rank,
                                const char *text, const char **wrong);

text_state text_state_start(void);
text_state text_state_behind(const text_program *program, lin_block block);

// Goes on to the next block, whose number it returns, or TEXT_RETURN, TEXT_TRAP or TEXT_LOST. The
// last block's branch takes its edge `position`.
uint32_t text_step(const text_program *program, text_state *state, uint32_t position);

// True if the text has a break, continue or goto that text_step hasn't come to.
bool text_has_unused(const text_program *program);

#endif
