#include "fingerprint.h"

#include "graph/fingerprint.h"
#include "read.h"

// Which kind an instruction is counted as.
static uint32_t *kind_of(lin_block_work *work, const lin_ptx_opcode *opcode) {
  if (opcode->flow == LIN_PTX_CALL)
    return &work->calls;
  if ((opcode->effects & (LIN_WAITS | LIN_POLLS | LIN_CROSS_LANE)) != 0)
    return &work->meetings;
  if ((opcode->effects & LIN_MEMORY) != 0)
    return opcode->has_result ? &work->loads : &work->stores;
  return &work->others;
}

uint64_t lin_ptx_fingerprint(uint64_t fingerprint, const lin_ptx_module *module,
                             const lin_ptx_place *place, const lin_ptx_summaries *summaries,
                             uint32_t *instructions) {
  lin_arena arena = {0};
  const lin_ptx_body *body = lin_ptx_body_read(&arena, module, place);
  *instructions += body->count;
  if (body->refused == NULL) {
    const lin_ptx_function *f = lin_ptx_read(&arena, body, lin_ptx_summary, summaries);
    lin_block_work *work = LIN_ARRAY(&arena, lin_block_work, f->graph->num_blocks);
    for (lin_block b = 0; b < f->num_written; b++)
      for (uint32_t at = f->block[b].first; at < f->block[b].behind; at++)
        ++*kind_of(&work[b], lin_ptx_meaning(body, at));
    fingerprint = lin_fingerprint(fingerprint, f->graph, work);
  }
  lin_arena_release(&arena);
  return fingerprint;
}
