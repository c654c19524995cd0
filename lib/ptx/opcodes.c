#include "opcodes.h"

#include "gpu/costs.h"
#include "gpu/nvptx.h"
#include "graph/graph.h"

#include <string.h>

enum {
  EVERYTHING = LIN_WAITS | LIN_POLLS | LIN_RELEASES | LIN_CROSS_LANE | LIN_MAY_SPIN | LIN_MEMORY
};

static const lin_ptx_flow flows[] = {
#define ROW(name, family, gives, effects, cost, flow, kind, opcode, extra) LIN_PTX_##flow,
#include "gpu/nvptx.def"
};

// What the parts behind the first say of memory and other threads.
static void refine(const char *opcode, size_t length, const lin_nvptx *row,
                   lin_ptx_opcode *result) {
  bool loads = strcmp(row->name, "ld") == 0;
  result->is_param = strcmp(row->name, "ld.param") == 0;
  if (result->is_param || strcmp(row->name, "st.param") == 0)
    result->cost = 0;
  if (loads && lin_nvptx_polls(row, opcode, length)) {
    result->effects |= LIN_POLLS;
    result->is_own = true;
  }
  // A thread's own memory: local, and what may be (generic addresses).
  result->is_own |= loads && !lin_nvptx_has_part(opcode, length, ".global") &&
                    !lin_nvptx_has_part(opcode, length, ".const") &&
                    !lin_nvptx_has_part(opcode, length, ".shared") &&
                    !lin_nvptx_has_part(opcode, length, ".shared::cta");
}

lin_ptx_opcode lin_ptx_opcode_of(const char *opcode, size_t length) {
  uint32_t number = lin_nvptx_find('\0', opcode, length, NULL);
  if (number == LIN_NONE)
    return (lin_ptx_opcode){.flow = LIN_PTX_ON,
                            .effects = EVERYTHING,
                            .cost = LIN_COST_MANY,
                            .has_result = true,
                            .keeps = true,
                            .is_own = true};
  const lin_nvptx *row = lin_nvptx_row(number);
  lin_ptx_opcode result = {.flow = flows[number],
                           .effects = row->effects,
                           .cost = row->cost,
                           .has_result = row->gives != LIN_GIVES_NONE,
                           .keeps = row->gives == LIN_GIVES_KEEPS || row->gives == LIN_GIVES_ANY,
                           .is_known = row->gives != LIN_GIVES_ANY,
                           .is_own =
                               row->gives >= LIN_GIVES_THREAD && row->gives != LIN_GIVES_NONE};
  refine(opcode, length, row, &result);
  return result;
}
