// The options of the pass, a row for each. From it come the parameters of linearize<...>, the
// options of clang and opt, and the attributes of functions; so an option is a field of
// linearize_options and a row here, and docs/options.md says what it does.
#ifndef LIN_LLVM_RUN_OPTION_TABLE_H
#define LIN_LLVM_RUN_OPTION_TABLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lin_option_kind {
  LIN_OPTION_WORD,    // bool: NAME alone
  LIN_OPTION_MODE,    // linearize_mode: NAME=paper, or paper alone
  LIN_OPTION_LEVEL,   // int: NAME=O2, or O2 alone
  LIN_OPTION_NUMBER,  // unsigned, at least 1: NAME=N
  LIN_OPTION_NUMBERS, // const char *: NAME=N+N+...
  LIN_OPTION_NAMES,   // const char *: NAME=KERNEL:KERNEL:...
  LIN_OPTION_FILE,    // const char *: NAME=PATH
  // const char *: NAME=VERSION:VERSION:..., with commas where it is a value alone
  LIN_OPTION_VERSIONS,
} lin_option_kind;

// Where it may stand beside the parameters of the pass.
enum {
  LIN_OPTION_OF_CLANG = 1,    // -linearize-NAME, or -linearize-NAME=VALUE, of clang and opt
  LIN_OPTION_IS_HIDDEN = 2,   // in their --help
  LIN_OPTION_OF_FUNCTION = 4, // attribute "linearize-NAME"
  LIN_OPTION_OF_VERSION = 8,  // a word of a version's name (builds.h)
};

typedef struct lin_option {
  const char *name;
  size_t field; // offset in linearize_options
  lin_option_kind kind;
  unsigned where;
  const char *value; // what stands behind '=', in one word; "" for a word
  const char *help;  // in one clause
} lin_option;

enum { LIN_NUM_OPTIONS = 32 };

extern const lin_option lin_option_table[LIN_NUM_OPTIONS];

#ifdef __cplusplus
}
#endif

#endif
