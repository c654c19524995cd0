// Work that may fail without harm to the program around it: it takes back what it did.
//
//     attempt_run --- body --- lin_arena_bytes --- attempt_calloc: no more memory, no more time --+
//          |           |------ assert(...) ------- attempt_fail_assertion -----------------------+
//          |           `------ tool_die ---------- attempt_fail ---------------------------------+
//          `<- false ------------------------------------------------------------- longjmp ------'
//
// The arenas of the core, compiled for this library, take their memory here, so that all of it can
// be given back wherever the work stops.
#ifndef LIN_TOOLS_PRELOAD_ATTEMPT_H
#define LIN_TOOLS_PRELOAD_ATTEMPT_H

#include <stdbool.h>
#include <stddef.h>

// Calls body(context) with at most `most_memory` bytes for arenas, and `most_seconds`, which are
// looked at when it asks for memory. False if it didn't come to its end; what else it allocated is
// lost then. One at a time in a thread, any number of threads.
bool attempt_run(void (*body)(void *context), void *context, size_t most_memory,
                 unsigned most_seconds);

// Memory of zeros for what runs in an attempt. Never NULL: without memory, or time, the attempt
// ends.
void *attempt_calloc(size_t count, size_t size);
void attempt_free(void *memory);

// Ends the attempt. `attempt_failure` says why, until the thread's next attempt.
_Noreturn void attempt_fail(void);
_Noreturn void attempt_fail_because(const char *reason);
const char *attempt_failure(void);

// As the C library's assert calls it: the linker binds assertions of the core to it.
_Noreturn void attempt_fail_assertion(const char *assertion, const char *file, unsigned line,
                                      const char *function);

#endif
