// What ptxas reads, linearized, in files that are in memory alone and that go with the process:
// ptxas takes its place, and nothing is left to be removed.
//
//     a.ptx                              /proc/PID/fd/3
//     --input-as-string ".version ..."   /proc/PID/fd/4
//     -optf FILE, of b.ptx and -v        /proc/PID/fd/6, of /proc/PID/fd/5 and -v
//     -, standard input                  /proc/PID/fd/7
//
// What is no PTX, can't be read, or comes out as it is, makes no file: ptxas gets what it got.
// Where that may surprise, a line on standard error says why.
#ifndef LIN_TOOLS_PTXAS_INPUTS_H
#define LIN_TOOLS_PTXAS_INPUTS_H

#include "common/ptx_options.h"

typedef struct input_list {
  const tool_ptx_options *options;
  char **path; // of the files
  int count;
  bool is_changed; // one of them isn't what ptxas would get without this program
  char *summary;   // what to say of them once ptxas has taken them: a line for each, or NULL
} input_list;

// The path of what PTX of file `name` becomes, or NULL: ptxas takes `name`. The result lives until
// inputs_forget; so do the others'. Ends the program if there is no room. O(its size and what
// linearizing takes).
const char *inputs_of_file(input_list *list, const char *name);

// The same of PTX that is an argument.
const char *inputs_of_string(input_list *list, const char *text);

// And of standard input, which can be read once: `*original` becomes a file of what it was.
const char *inputs_of_standard_input(input_list *list, char **original);

// And of a file of arguments, in which those that name PTX are changed and all else stays.
const char *inputs_of_arguments(input_list *list, const char *name);

// Whether the argument behind this one names what is written.
bool inputs_is_output(const char *word);

// The machine that a value of -arch names: 90 for sm_90a and compute_90; 0: no known name.
uint32_t inputs_target(const char *value);

// The machine that -arch or --gpu-name names in a file of arguments, the last one; 0: none does, or
// the file can't be read. O(its size).
uint32_t inputs_target_of_arguments(const char *name);

// Frees the paths. The files stay until the process ends.
void inputs_forget(input_list *list);

#endif
