// What a text is printed for: a terminal, or a file.
#ifndef LIN_TOOLS_TERMINAL_H
#define LIN_TOOLS_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct tool_terminal {
  bool has_colours; // never where NO_COLOR is set, see no-color.org
  uint32_t columns; // 0: no terminal, or nobody knows
} tool_terminal;

// Of what standard output is.
tool_terminal tool_terminal_of_output(void);

// Marks in a text. Those of colours stand around what is coloured, up to MARK_PLAIN.
enum { MARK_PLAIN = 1, MARK_BAD, MARK_GUARD, MARK_FAINT, MARK_BOLD, MARK_END };

// Prints `length` characters with their marks as colours, or without them. Returns how many columns
// that takes.
uint32_t tool_print_marked(FILE *file, const char *text, size_t length, bool has_colours);

// The same without printing.
uint32_t tool_marked_width(const char *text, size_t length);

// Prints two texts of marked lines, `left` over `right`, or beside each other if the terminal is
// wide enough for all lines.
void tool_print_pair(FILE *file, const char *left, const char *right, tool_terminal terminal);

#endif
