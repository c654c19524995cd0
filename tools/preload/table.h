// A library's table of hooks, from its list of them; for its one file of hooks alone, which defines
// HOOKED_LIST, the file with the list, and HOOKED_FIRST, the hooks that headers have.
//
//     HOOKED(kind, symbol, (parameters), arguments...)   programs link `symbol`, or look it up
//     ALSO(kind, symbol, (parameters), arguments...)     another symbol, of the same kind
//     FOUND(kind, symbol, (parameters), arguments...)    programs look it up alone
//     NAMED(kind, symbol)                                the same, of a kind that is there already
//
// The library has stand_in_KIND(function, parameters).
#include "lookup_hooks.h"
#include "signatures.h"

#define HOOKED(kind, symbol, ...) SLOTS(kind, __VA_ARGS__) LINKED(kind, symbol, __VA_ARGS__)
#define ALSO(kind, symbol, ...) LINKED(kind, symbol, __VA_ARGS__)
#define FOUND(kind, symbol, ...) SLOTS(kind, __VA_ARGS__)
#define NAMED(kind, symbol)
#include HOOKED_LIST
#undef HOOKED
#undef ALSO
#undef FOUND
#undef NAMED

const hook hooks_table[] = {
    HOOKED_FIRST,
#define HOOKED(kind, symbol, ...) HOOK(kind, #symbol, symbol),
#define ALSO(kind, symbol, ...) HOOK(kind, #symbol, symbol),
#define FOUND(kind, symbol, ...) HOOK(kind, #symbol, NULL),
#define NAMED(kind, symbol) HOOK(kind, #symbol, NULL),
#include HOOKED_LIST
};

const size_t hooks_count = sizeof hooks_table / sizeof *hooks_table;
