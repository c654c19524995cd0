#include "option_table.h"

#include "linearize/linearize.h"

#define FIELD(name) offsetof(linearize_options, name)

enum {
  EVERYWHERE = LIN_OPTION_OF_CLANG | LIN_OPTION_OF_FUNCTION,
  CLANG = LIN_OPTION_OF_CLANG,
  VERSION = LIN_OPTION_OF_VERSION,
  HIDDEN = LIN_OPTION_IS_HIDDEN,
};

const lin_option lin_option_table[LIN_NUM_OPTIONS] = {
    {"vote", FIELD(vote), LIN_OPTION_WORD, CLANG, "",
     "Keep the plain form of what is linearized, for warps whose threads agree, where that pays"},
    {"merge-loops", FIELD(merge_loops), LIN_OPTION_WORD, CLANG | VERSION, "",
     "Then make one loop of nested ones that threads need differently often"},
    {"interleave", FIELD(interleave), LIN_OPTION_WORD, CLANG | VERSION, "",
     "Then let the arms of divergent branches take turns where few warps hide their loads"},
    {"warps", FIELD(warps), LIN_OPTION_NUMBER, CLANG | VERSION, "warps",
     "How many warps a multiprocessor will have"},
    {"limit-depth", FIELD(limit_depth), LIN_OPTION_NUMBER, CLANG | VERSION, "branches",
     "At last linearize branches that nest deeper"},
    {"regardless", FIELD(regardless), LIN_OPTION_WORD, VERSION, "",
     "Whatever merging, interleaving, regrouping and votes gain"},
    {"redirected", FIELD(redirected), LIN_OPTION_WORD, VERSION, "",
     "Of a version: threads do each other's work, as an array says"},
    {"regroup", FIELD(regroup), LIN_OPTION_WORD, CLANG, "",
     "First have threads of a block trade work in front of branches where that pays, so that those "
     "that go the same way stand side by side"},
    {"any-target", FIELD(any_target), LIN_OPTION_WORD, CLANG, "",
     "Linearize functions for targets other than nvptx too"},
    {"force", FIELD(force), LIN_OPTION_WORD, CLANG, "",
     "Linearize although threads may wait for each other for ever, and functions marked optnone"},
    {"count", FIELD(count), LIN_OPTION_WORD, CLANG, "",
     "Have kernels count how often each thread enters each block; nothing is linearized unless a "
     "mode is given"},
    {"count-passes", FIELD(count_passes), LIN_OPTION_WORD, CLANG, "",
     "The same, and how often warps enter each block, which takes longer"},
    {"versions", FIELD(versions), LIN_OPTION_VERSIONS, CLANG, "version,version,...",
     "Put versions of each kernel beside it, for a program that chooses when it launches"},
    {"max-versions", FIELD(max_versions), LIN_OPTION_NUMBER, CLANG, "versions",
     "Of each kernel put so many versions beside it at most"},
    {"max-kernel", FIELD(max_kernel), LIN_OPTION_NUMBER, CLANG, "instructions",
     "Make no versions of larger kernels"},
    {"max-inspector", FIELD(max_inspector), LIN_OPTION_NUMBER, CLANG, "percent",
     "Make kernels that tell ahead what threads do, for redirected ones, of at most so much work"},
    {"tuned", FIELD(tuned_file), LIN_OPTION_FILE, CLANG, "file",
     "Make of each kernel the version that linearize-tune found to be the fastest"},
    {"no-reorder", FIELD(no_reorder), LIN_OPTION_WORD, CLANG, "",
     "Don't regroup threads at the points of linearize/reorder.h"},
    {"mode", FIELD(mode), LIN_OPTION_MODE, EVERYWHERE | VERSION,
     "needed|irreducible|paper|all|none",
     "Which control flow is linearized: what gains from it (the default), irreducible loops, all "
     "that is unstructured, every function whole, nothing"},
    {"level", FIELD(level), LIN_OPTION_LEVEL, EVERYWHERE | VERSION, "O0...O4",
     "How far guards are optimised: not at all ... as far as possible (the default)"},
    {"threshold", FIELD(threshold), LIN_OPTION_NUMBER, EVERYWHERE | VERSION, "instructions",
     "What has to stand behind a join to be worth a guard"},
    {"max-blocks", FIELD(max_blocks), LIN_OPTION_NUMBER, EVERYWHERE, "blocks",
     "Leave larger regions alone"},
    {"max-work", FIELD(max_work), LIN_OPTION_NUMBER, EVERYWHERE, "work",
     "Leave regions alone that take more work"},
    {"only", FIELD(only), LIN_OPTION_NUMBERS, EVERYWHERE | HIDDEN, "N+N+...",
     "Linearize only the regions that remarks give these numbers"},
    {"profile", FIELD(profile_file), LIN_OPTION_FILE, CLANG, "file",
     "How often blocks are run, instead of branch weights"},
};
