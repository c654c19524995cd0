// What ptxas reads, linearized, in files of a folder that is removed in the end.
//
//     a.ptx                              FOLDER/1.a.ptx
//     --input-as-string ".version ..."   FOLDER/2.string.ptx
//     -optf FILE, of b.ptx and -v        FOLDER/4.FILE, of FOLDER/3.b.ptx and -v
//     -, standard input                  FOLDER/5.stdin
//
// What is no PTX, can't be read, or comes out as it is, makes no file: ptxas gets what it got. Where
// that may surprise, a line on standard error says why.
#ifndef LIN_TOOLS_PTXAS_INPUTS_H
#define LIN_TOOLS_PTXAS_INPUTS_H

#include "common/ptx_options.h"

typedef struct input_list {
  const tool_ptx_options *options;
  char *folder; // made with the first file; NULL: none yet
  char **file;  // those in it
  int count;
} input_list;

// The file of what PTX of file `name` becomes, or NULL: ptxas takes `name`. The result lives until
// inputs_remove; so do the others'. O(its size and what linearizing takes).
const char *inputs_of_file(input_list *list, const char *name);

// The same of PTX that is an argument.
const char *inputs_of_string(input_list *list, const char *text);

// And of standard input, for which there is always a file: it can be read once. Ends the program if
// there is no room for it.
const char *inputs_of_standard_input(input_list *list);

// And of a file of arguments, in which those that name PTX are changed and all else stays.
const char *inputs_of_arguments(input_list *list, const char *name);

// Whether the argument behind this one names what is written.
bool inputs_is_output(const char *word);

// Removes the files and the folder. Their names live on, for whoever is interrupted then.
void inputs_remove(input_list *list);

#endif
