// Runs PTX, one thread at a time, to see whether it does the same before and after.
//
// What a thread does that others, or whoever started the kernel, can see is its trace: stores,
// atomics, barriers, shuffles, calls of what isn't there, and how it ends. Threads don't see each
// other's memory; if each does the same in the same order on its own, so do all together, but for
// those that race.
//
//     st.global.u32 [%rd1], 7;     event: opcode, address, 7
//     fma.rn.f32 %f3, %f1, ...;    %f3 = mix("fma.rn.f32", %f1, ...)
//
// Few opcodes mean what they do: moves, integers, comparisons, selects, branches, calls. The result
// of every other one is mixed from its name and what it reads, so that whatever there is in PTX can
// be run, and whatever value goes astray shows. A load gives what was stored at the very address,
// else what is mixed from it.
//
// Shares no code with lib/ptx.
#ifndef LIN_TEST_PTX_MACHINE_H
#define LIN_TEST_PTX_MACHINE_H

#include "graph/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ptx_machine ptx_machine;

typedef enum ptx_end {
  PTX_RETURNED,
  PTX_TRAPPED,
  PTX_FULL,      // the trace is
  PTX_SPUN,      // too many steps
  PTX_UNDEFINED, // a switch past the end of its list
} ptx_end;

typedef struct ptx_trace {
  uint64_t *event; // [capacity]
  uint32_t count, capacity;
  ptx_end end;
} ptx_trace;

// Reads a module: lives in the arena, as does `text`. NULL if it isn't understood, with a reason.
ptx_machine *ptx_machine_read(lin_arena *arena, const char *text, const char **reason);

uint32_t ptx_machine_functions(const ptx_machine *machine);
const char *ptx_machine_name(const ptx_machine *machine, uint32_t function);

// Runs a function by one thread, up to so many steps. A register that nothing has set holds what is
// mixed from its name and `unset`.
void ptx_machine_run(const ptx_machine *machine, uint32_t function, uint32_t thread, uint64_t unset,
                     uint32_t steps, ptx_trace *trace);

#endif
