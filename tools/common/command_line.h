// What the command lines of the tools have in common.
#ifndef LIN_TOOLS_COMMAND_LINE_H
#define LIN_TOOLS_COMMAND_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// The program's name, as its messages begin. Each tool defines it.
extern const char tool_name[];

// Prints `tool_name: ` and the message as one line; ends the program with `status`: 1 for bad
// input, 2 for a command line that makes no sense. A tool may have others, see its --help.
_Noreturn __attribute__((format(printf, 2, 3))) void tool_die(int status, const char *format, ...);

// Ends the program after printing `help` if `argument` is --help, or the versions of linearize and
// LLVM if it is --version.
void tool_answer(const char *argument, const char *help);

// The value of option `name` if argv[*at] is that option, as `--name VALUE` or `--name=VALUE`, with
// *at moved to the last argument used; else NULL. Ends the program if there is no value.
const char *tool_value_of(const char *name, int argc, char **argv, int *at);

// The index of `value` among `names`, which end with NULL. Ends the program if it is none of them.
unsigned tool_choose(const char *option, const char *value, const char *const *names);

// The values of --mode and --level, as lib/llvm/run/option_table.c has them, for tool_choose; the
// last mode is none.
extern const char *const tool_modes[], *const tool_levels[];
enum { TOOL_MODE_NONE = 4 };

// The value of `option` as a number, as C writes them; ends the program if `text` is something
// else, or more than `limit`.
uint64_t tool_number(const char *option, const char *text, uint64_t limit);

// Takes `argument`, which is no option that the program knows, for the one input file; "-" is
// one. Ends the program if it looks like an option, or if *file is set already.
void tool_take_file(const char *argument, const char **file);

// Ends the program if no file was taken.
void tool_require_file(const char *file);

// Whether a file's name ends that way.
static inline bool tool_ends_with(const char *name, const char *end) {
  const size_t length = strlen(name), more = strlen(end);
  return length >= more && strcmp(name + length - more, end) == 0;
}

#endif
