// The front end of PTX: what driver/front_end.h wants, for one function.
#ifndef LIN_PTX_STEPS_H
#define LIN_PTX_STEPS_H

#include "draft.h"
#include "summaries.h"
#include "tell.h"

typedef struct lin_ptx_job {
  lin_arena *arena; // in which all lives
  const lin_ptx_options *options;
  const lin_ptx_summaries *summaries;
  bool has_shared; // the module names shared memory (sharing.h)
  lin_ptx_teller teller;
  lin_ptx_counts *counts; // of regions and guards: what is linearized is added
} lin_ptx_job;

// Does to a function what the options ask for. Returns what it is then, which is `draft` itself if
// nothing has changed; NULL if the function can't be read, which is told. Complexity is
// lin_drive's, and O(length) for each change.
const lin_ptx_draft *lin_ptx_run_steps(const lin_ptx_job *job, const lin_ptx_draft *draft);

#endif
