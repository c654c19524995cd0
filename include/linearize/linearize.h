/* linearize: structured control flow for the functions of a GPU.
 *
 * Turns unstructured control flow of LLVM IR functions into structured, guarded control flow, so
 * that the threads of a warp meet again as early as they can, nothing runs twice, and irreducible
 * loops become reducible (Anantpur and Govindarajan, "Taming Control Divergence in GPUs through
 * Control Flow Linearization", CC 2014).
 *
 * Threads: no state is kept between calls. Calls on different LLVM contexts may run at the same
 * time; calls on values of one context may not, as LLVM's own.
 *
 * Attributes: what a function says of itself wins over the options. The string attributes
 * "linearize-mode", "linearize-level", "linearize-threshold", "linearize-max-blocks",
 * "linearize-max-work" and "linearize-only" have one option each as their value; clang's
 * annotate("linearize:LIST") has a list of them (linearize_parse_options), but for profiles;
 * annotate("linearize") is mode paper, and with annotate("no-linearize") a function is left alone.
 *
 * Errors: a function that is refused stays exactly as it was; the report says why. Running out of
 * memory aborts the process, as LLVM does.
 */
#ifndef LINEARIZE_LINEARIZE_H
#define LINEARIZE_LINEARIZE_H

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LINEARIZE_API __attribute__((visibility("default")))
#else
#define LINEARIZE_API
#endif

typedef enum linearize_mode {
  LINEARIZE_NEEDED,      /* what gains from it; irreducible loops that can diverge always */
  LINEARIZE_IRREDUCIBLE, /* only irreducible loops that can diverge */
  LINEARIZE_PAPER,       /* every unstructured region (Definition 1 of the paper) */
  LINEARIZE_ALL,         /* every function as one region: for tests */
  LINEARIZE_NONE         /* nothing: for the steps after it alone */
} linearize_mode;

/* How often the blocks of functions were run; see linearize_profile_parse. */
typedef struct linearize_profile linearize_profile;

typedef struct linearize_options {
  linearize_mode mode;
  bool
      vote; /* mode needed: a region keeps its plain form beside the linearized one, for warps whose
                threads agree where it begins, if that pays */
  bool
      meld; /* first of all, arms of divergent branches do once what they have in common, where that
                pays; without it mode needed does so in kernels, where it pays beyond doubt */
  bool no_meld;     /* mode needed doesn't */
  bool merge_loops; /* then loop nests become one loop, where threads need different numbers of
                       iterations of the inner one (section 5.2 of the paper) */
  bool interleave;  /* then the arms of divergent branches take turns where both wait for loads, and
                       few warps are there to hide that (section 5.1) */
  unsigned warps; /* of a multiprocessor, as far as known; 0: what the function's launch bounds and
                     shared memory leave */
  unsigned limit_depth; /* last, branches that nest deeper under divergence are linearized, so that
                           at most so many have not reconverged (section 5.3); 0: no limit */
  bool regardless;      /* of what it gains: merge_loops, interleave, refilled */
  bool redirected; /* of a version, for who makes them (linearize_function doesn't look at it): its
                      threads do each other's work, as an array says */
  bool refilled;   /* likewise: a lane that is done takes the next item, as a counter says */
  unsigned refill_at;    /* of that: so many idle lanes of a warp fetch; 0: as costs say */
  unsigned refill_every; /* and steps of the loop between two looks at the lanes; 0: likewise */
  bool regroup; /* first of all, threads of a block trade work, so that those that go the same way
                   stand side by side: where a branch asks for the thread's index alone; where it
                   asks for data, that is for who calls linearize_find_points before */
  int level;    /* how far guards are optimised, 0 to 4 */
  bool any_target; /* also functions for other targets than nvptx and nvptx64 */
  bool force;      /* also regions whose threads may wait for each other for ever below sm_70, and
                 functions marked optnone */
  bool quiet;      /* no remarks but warnings and errors; why each region is or isn't linearized
                 takes time to find out */

  unsigned threshold; /* instructions behind a join that make it worth a guard; 0: the default, 7 */
  unsigned max_blocks; /* a region of more blocks is left alone; 0: the default, 100000 */
  unsigned max_work;   /* one that takes more work, too: the sum, over its blocks, of the square of
                          how many of its regions a block is in and of how many loops, and 2 for
                          each case of a switch for each late join behind it; and a function of
                          which it takes more to find out where threads part, but for its
                          irreducible loops; 0: the default, 50000000 */

  /* For bisection. NULL, or numbers of regions as remarks say them, like "0+2+5": in each function
   * those that have such a number are linearized, whatever the mode and whatever they are worth,
   * and no others. Ends before the first character that is neither a digit nor '+'. */
  const char *only;

  /* NULL, or names of kernels that are left alone, as they were annotated no-linearize, with ':'
   * between them, up to the next ',' or ';': symbols, or what C++ calls them, without parameters
   * and arguments of templates. */
  const char *except;

  /* NULL, or what is known of how often blocks are run. It says which way threads go at the
   * branches of each function that it knows, whatever the function's own weights (!prof) say.
   * Belongs to the caller, and may be used for many functions, at the same time too. */
  const linearize_profile *profile;

  /* The name that linearize_parse_options found, up to the next ',' or ';', or NULL. The caller
   * reads the file, if he likes; nobody else looks at it. */
  const char *profile_file;

  /* Points of linearize/reorder.h do nothing: for linearize_regroup_threads. */
  bool no_reorder;

  /* Kernels are to count what their threads do, and how often warps enter blocks: for who calls
   * linearize_count. */
  bool count, count_passes;

  /* Each kernel K that counts is there as K__linearize_plain as well, without. For the plugin. */
  bool count_plain;

  /* For who makes versions of a module's kernels; linearize_function doesn't look at it. The names
   * that linearize_parse_options found, like "needed:merge-loops", up to the next ',' or ';', or
   * NULL: no versions; how many beside the plain kernel at most, 0: as many as are named; and how
   * many instructions a kernel may have with all that it calls, to get some, 0: the default, 20000;
   * and the name of a file that linearize-tune wrote, or NULL. */
  const char *versions;
  unsigned max_versions;
  unsigned max_kernel;
  const char *tuned_file;
  unsigned
      max_inspector; /* how much of a kernel's work one may take that tells ahead what its threads
                             do, for a redirected version, in percent; 0: the default, 50 */

  /* What is known about divergence: true if all threads of a warp that run `terminator` together
   * take the same way. NULL: nothing is known, every branch counts as divergent. For
   * targets below sm_70 it must never be wrong: threads could wait for each other for ever. */
  bool (*is_uniform)(LLVMValueRef terminator, void *context);
  /* What is known of how often a loop can go around each time that a thread comes to it, by its
   * header; *counted: that is clear before it begins. Returns 0 if nothing is. NULL: nobody knows.
   */
  unsigned (*most_trips)(LLVMBasicBlockRef header, bool *counted, void *context);
  /* Called before the function is changed, or NULL: what was known of its branches and loops is
   * known no more afterwards, and the remarks so far lose their instructions, which may go. */
  void (*changing)(void *context);
  void *context;
} linearize_options;

typedef enum linearize_remark_kind {
  LINEARIZE_PASSED,   /* a region was linearized */
  LINEARIZE_MISSED,   /* a region, or the function, should have been, and why it was not */
  LINEARIZE_WARNING,  /* the same, and an irreducible loop is left that ptxas may miscompile */
  LINEARIZE_ANALYSIS, /* a region was left alone, and why that is not worth it */
  LINEARIZE_ERROR     /* an attribute of the function is wrong; the function is left alone */
} linearize_remark_kind;

/* A part of a remark's message that programs may want to know. */
typedef struct linearize_argument {
  const char *name;     /* "Region", "Blocks", "OfBlocks", "Guards", "GuessedBranches", "Cost",
                           "Gain", "Executed", "Instructions", "Into", "Threshold", "Nested",
                           "Exits", "Tests", "Trips", "Warps", "MostWarps", "Versions",
                           "Launches", "Bits", "Words", "AtOnce", "Small", "Again", "Bytes",
                           "Dropped" */
  size_t start, length; /* in the message; digits; length 0: it isn't there */
  unsigned long long value;
} linearize_argument;

enum { LINEARIZE_MAX_ARGUMENTS = 12 };

typedef struct linearize_remark {
  linearize_remark_kind kind;
  const char *name;         /* what it says, in one word: "Linearized", "LinearizedWithin",
                               "ExitsFreed", "ExitsFolded", "EntryCopied", "PlainKept",
                               "LoopMerged",
                               "LoopNotMerged", "LoopUniform", "LoopTooDear", "LoopBesideMerged",
                               "Interleaved", "NotInterleaved", "IndicesPermuted",
                               "IndicesNotPermuted", "DepthLimited", "DepthNotLimited",
                               "NotLinearized", "OverBudget", "IrreducibleLoopLeft", "Uniform",
                               "NothingToGain", "ThreadsWait", "TooSmall", "TooDear",
                               "HoldsThreads", "PollingLoop", "NotAsked", "ProfileIgnored",
                               "Versions", "NoVersions", "Tuned", "TunedOtherwise",
                               "WrongOption", "Regrouped", "NotRegrouped",
                               "RegroupChosen", "RegroupRefused", "NoCounts", "ArmsMelded",
                               "ArmsNotMelded", "Refilled", "NotRefilled", "NotRedirected",
                               "NoInspector", "LoopNotCounted", "UnknownCall", "TooLate",
                               "NotOptimised", "LeftForTheLink", "NoSuchKernel"; not to be
                               freed */
  LLVMValueRef instruction; /* near which it is, for its source line; may be NULL */
  char *function;           /* its name */
  char *block;              /* name of the block that the message is about, or its number as LLVM
                               prints it ("%12"); "" if it is about the function */
  char *message;            /* one line */
  size_t brief;             /* so many of its characters say what matters; the rest is for who asks
                               for all */
  linearize_argument argument[LINEARIZE_MAX_ARGUMENTS]; /* in the message's order */
  size_t num_arguments;
} linearize_remark;

typedef struct linearize_report {
  unsigned functions; /* looked at */
  unsigned functions_changed;
  unsigned regions; /* linearized */
  unsigned regions_refused;
  unsigned branch_edges; /* unstructured edges before, by kind; an edge may have several */
  unsigned jump_in_edges;
  unsigned jump_out_edges;
  unsigned unstructured_edges; /* each edge once */
  unsigned irreducible_loops;  /* before */
  unsigned blocks_before;
  unsigned blocks_after;
  unsigned guards;       /* guard blocks added */
  bool divergence_known; /* is_uniform was given; otherwise divergence was assumed */

  linearize_remark *remarks; /* [num_remarks], the same ones in the same order each time */
  size_t num_remarks;
} linearize_report;

/* Mode needed, level 4, nvptx only, remarks, the usual limits, nothing known about divergence.
 * O(1). */
LINEARIZE_API linearize_options linearize_default_options(void);

/* Linearizes one function.
 *
 *   function  a definition or a declaration (left alone); changed in place
 *   options   NULL: the default ones; not kept
 *   report    NULL, or zeroed by the caller before the first call: the counts are added, remarks
 *             appended, so one report can cover many functions. Owned by the caller, who releases
 *             it with linearize_report_release.
 *
 * Returns true if the function was changed. The IR is valid before and after (LLVMVerifyFunction).
 * Near-linear in the size of the function: O(edges log blocks + blocks * nesting of regions).
 */
LINEARIZE_API bool linearize_function(LLVMValueRef function, const linearize_options *options,
                                      linearize_report *report);

/* The same for every function of a module, in its order. Returns true if any was changed. */
LINEARIZE_API bool linearize_module(LLVMModuleRef module, const linearize_options *options,
                                    linearize_report *report);

/* Has each kernel of a module for nvptx count how often each of its threads enters each block
 * (docs/threads.md). Counters are stack slots, and a function marked `alwaysinline` writes them:
 * run LLVM's `always-inline` and `mem2reg` after it. `passes`: how often warps enter each block,
 * too, which takes longer. Returns true if a kernel was changed. Linear, but for a logarithm. */
LINEARIZE_API bool linearize_count(LLVMModuleRef module, bool passes);

/* Makes marks of what linearize/reorder.h calls, before LLVM finds that it does nothing: at the
 * start of a pipeline. Returns true if there was any. O(calls). */
LINEARIZE_API bool linearize_mark_points(LLVMModuleRef module);

/* At each mark, and each such call, in a kernel for nvptx and sm_70 or newer: the threads of a
 * block change places so that those with equal keys stand side by side (docs/rearranged.md). To be
 * called once device functions have been inlined, and before loops are unrolled. What moves is
 * in stack slots: run LLVM's `mem2reg` after it. Remarks are added to `report`, which may be
 * NULL, as linearize_function does; of `options`, which may be NULL, `changing` is called before
 * instructions go that remarks point to, and with `no_reorder` marks are taken away. A kernel in
 * which it can't be done stays as it is, without the mark. Returns true if anything was changed.
 * Near-linear. */
LINEARIZE_API bool linearize_regroup_threads(LLVMModuleRef module, const linearize_options *options,
                                             linearize_report *report);

/* Marks the places of a kernel at which it pays to regroup threads: in front of branches, with
 * the ways that they will take as the key, where the function's weights or guesses say so, or, if
 * `options` has a profile, that: it has to be a file of counts of this function as it is, in which
 * passes of warps were counted (docs/threads.md), and without it nothing is marked. A kernel is
 * left alone that could notice who stands beside whom. To be followed by
 * linearize_regroup_threads. Of `options`, which may be NULL, is_uniform, most_trips and
 * `changing` are called. Remarks are added to `report`, which may be NULL. Returns true if there
 * is a mark. O(blocks^2), with a bound on branches, and the size of the profile. */
LINEARIZE_API bool linearize_find_points(LLVMValueRef function, const linearize_options *options,
                                         linearize_report *report);

/* Looks for nests of loops that linearize_function would merge, if `merge_loops` is set, and calls
 * `found` with the header of each loop that has another one merged with it. A compiler that unrolls
 * such a loop copies the inner one, and what is left of the gain is little: so it had better not.
 * Returns how many there are. The function is not changed; `found` must not change it but for
 * metadata. Near-linear, like linearize_function, and less than a walk over the blocks where
 * nothing is to be merged. */
LINEARIZE_API size_t linearize_find_nests(LLVMValueRef function, const linearize_options *options,
                                          void (*found)(LLVMBasicBlockRef header, void *context),
                                          void *context);

/* Prints the unstructured edges of a function with their kinds, one a line, as text that the caller
 * frees with linearize_text_release. The function is not changed. */
LINEARIZE_API char *linearize_print_unstructured(LLVMValueRef function);

/* Prints the passes of which linearize consists, in their order, one a line: its name, and what it
 * does. To be freed with linearize_text_release. O(1). */
LINEARIZE_API char *linearize_print_passes(void);

/* True if no unstructured edge and no irreducible loop is left in `function`. Otherwise sets
 * `*message`, if not NULL, to one line that names the first (linearize_text_release). */
LINEARIZE_API bool linearize_verify(LLVMValueRef function, char **message);

/* Frees what the library allocated in a report, and zeroes it. */
LINEARIZE_API void linearize_report_release(linearize_report *report);
LINEARIZE_API void linearize_text_release(char *text);

/* "needed", "irreducible", "paper", "all", "none": sets `*mode` and returns true, or returns false.
 */
LINEARIZE_API bool linearize_parse_mode(const char *text, linearize_mode *mode);

/* Sets what a list of options says, like "mode=paper,threshold=9", and leaves the rest of
 * `*options`. They are separated by ',' or ';':
 *
 *   mode=MODE   MODE         needed, irreducible, paper, all, none
 *   vote  regroup  merge-loops  interleave  warps=N  limit-depth=N  regardless
 *   redirected  refilled  refill-at=N  refill-every=N
 *   level=LEVEL LEVEL        O0 to O4
 *   any-target  force
 *   threshold=N max-blocks=N max-work=N      N from 1 to 4294967295
 *   only=N+N+...             options->only will point into `text`
 *   except=NAME:NAME:...     options->except, likewise
 *   profile=FILE             options->profile_file, likewise
 *   count count-passes count-plain
 *   versions=NAME:NAME:...   options->versions, likewise
 *   max-versions=N max-kernel=N max-inspector=N
 *   tuned=FILE               options->tuned_file, likewise
 *   no-reorder
 *
 * Returns true, or false at the first that is wrong, and sets `*message`, if not NULL, to one line
 * that names it and says what it could be (linearize_text_release). O(length of `text`). */
LINEARIZE_API bool linearize_parse_options(const char *text, linearize_options *options,
                                           char **message);

/* Reads a profile from the `length` bytes at `text`, which are not kept: comma-separated values,
 * first a line with the names of columns, of which `function`, `block` and `thread_entries` are
 * needed, then a line for each block, as linearize-simt --csv --blocks prints them. Returns NULL if
 * it is none, and sets `*message`, if not NULL, to one line that says where and why
 * (linearize_text_release); `name` stands there for the text.
 *
 * A profile of a function as it was before linearize is what is wanted; where blocks have no names,
 * of the very same code, for they are known by their numbers (%12). One of other code, as far as
 * that shows (a block that isn't there, or that was entered more often than all before it), is
 * ignored for that function, with a remark. O(length log lines). */
LINEARIZE_API linearize_profile *linearize_profile_parse(const char *text, size_t length,
                                                         const char *name, char **message);

/* The same from a file. */
LINEARIZE_API linearize_profile *linearize_profile_read(const char *path, char **message);

/* Frees a profile, which may be NULL. */
LINEARIZE_API void linearize_profile_release(linearize_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
