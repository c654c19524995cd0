// Launching a kernel.
//
//     simt_machine *machine = simt_machine_new(&arena, program, &launch);
//     simt_object *buffer = simt_machine_buffer(machine, "out", 4096);
//     ... argument[0] = buffer->address; ...
//     if (!simt_machine_run(machine, argument, NULL))
//       puts(machine->fault);
#ifndef LIN_SIMT_GRID_H
#define LIN_SIMT_GRID_H

#include "machine.h"

// A machine with the program's global variables, in `arena`. `program` and what `launch` points to
// have to live as long as it. O(instructions + bytes of global variables).
simt_machine *simt_machine_new(lin_arena *arena, const simt_program *program,
                               const simt_launch *launch);

// Adds a buffer of `size` bytes, zero and unwritten; the caller fills bytes and written. Before the
// machine runs. The pointer is good until the next buffer is added. O(size).
simt_object *simt_machine_buffer(simt_machine *machine, const char *name, uint64_t size);

// Adds `size` bytes of shared memory that each block has, as OpenCL's local arguments need. Returns
// their address in shared memory. Before the machine runs; `name` has to live as long as it. O(1).
uint64_t simt_machine_shared(simt_machine *machine, const char *name, uint64_t size);

// Runs the whole grid. `argument` has the registers of all parameters, one behind the other;
// `by_value` the bytes of each byval parameter (NULL if there is none). False after a fault, which
// machine->fault then describes in one line; memory and metrics are then those of some blocks. With
// several jobs (launch.jobs) all is as with one, unless threads of different blocks race.
bool simt_machine_run(simt_machine *machine, const uint64_t *argument,
                      const uint8_t *const *by_value);

#endif
