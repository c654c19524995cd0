#include "opcodes.h"

#include "gpu/costs.h"
#include "graph/graph.h"

#include <string.h>

// What llvm/ask/cost.c, too, counts for the same code.
enum { NOTHING = 0, SIMPLE = LIN_COST_SIMPLE, FEW = LIN_COST_FEW, MANY = LIN_COST_MANY };

enum {
  EVERYTHING = LIN_WAITS | LIN_POLLS | LIN_RELEASES | LIN_CROSS_LANE | LIN_MAY_SPIN | LIN_MEMORY,
  WRITES = LIN_RELEASES | LIN_MEMORY,
};

// How a row reads its operands.
typedef enum form {
  SETS,  // the first operand
  OWN,   // the first operand, to what differs from thread to thread
  KEEPS, // the first operand, in part or by what it was; differs from thread to thread
  NONE,  // sets no register
} form;

typedef struct line {
  const char *name; // the first part of an opcode, or all of them up to one
  lin_ptx_flow flow;
  form form;
  uint32_t effects;
  uint32_t cost;
} line;

// In the order of strcmp. Of rows that fit an opcode the longest counts.
static const line rows[] = {
    {"abs", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"activemask", LIN_PTX_ON, OWN, LIN_CROSS_LANE, FEW},
    {"add", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"addc", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"and", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"applypriority", LIN_PTX_ON, NONE, 0, FEW},
    {"atom", LIN_PTX_ON, OWN, LIN_POLLS | WRITES, FEW},
    {"bar", LIN_PTX_ON, NONE, LIN_WAITS | LIN_RELEASES, FEW},
    {"bar.red", LIN_PTX_ON, OWN, LIN_WAITS | LIN_RELEASES, FEW},
    {"barrier", LIN_PTX_ON, NONE, LIN_WAITS | LIN_RELEASES, FEW},
    {"barrier.cta.red", LIN_PTX_ON, OWN, LIN_WAITS | LIN_RELEASES, FEW},
    {"barrier.red", LIN_PTX_ON, OWN, LIN_WAITS | LIN_RELEASES, FEW},
    {"bfe", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"bfi", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"bfind", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"bmsk", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"bra", LIN_PTX_BRA, NONE, 0, NOTHING},
    {"brev", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"brkpt", LIN_PTX_ON, NONE, LIN_RELEASES, FEW},
    {"brx", LIN_PTX_JUMP, NONE, 0, NOTHING},
    {"brx.idx", LIN_PTX_BRX, NONE, 0, NOTHING},
    {"call", LIN_PTX_CALL, NONE, EVERYTHING, MANY},
    {"clz", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"cnot", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"copysign", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"cos", LIN_PTX_ON, SETS, 0, FEW},
    {"cp", LIN_PTX_ON, NONE, LIN_WAITS | LIN_POLLS | WRITES, FEW},
    {"cp.async", LIN_PTX_ON, NONE, WRITES, FEW},
    {"cp.async.bulk.wait_group", LIN_PTX_ON, NONE, LIN_WAITS | WRITES, FEW},
    {"cp.async.mbarrier", LIN_PTX_ON, NONE, WRITES, FEW},
    {"cp.async.wait_all", LIN_PTX_ON, NONE, LIN_WAITS | WRITES, FEW},
    {"cp.async.wait_group", LIN_PTX_ON, NONE, LIN_WAITS | WRITES, FEW},
    {"createpolicy", LIN_PTX_ON, SETS, 0, FEW},
    {"cvt", LIN_PTX_ON, SETS, 0, NOTHING},
    {"cvta", LIN_PTX_ON, SETS, 0, NOTHING},
    {"discard", LIN_PTX_ON, NONE, WRITES, FEW},
    {"div", LIN_PTX_ON, SETS, 0, MANY},
    {"dp2a", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"dp4a", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"elect", LIN_PTX_ON, OWN, LIN_WAITS, FEW},
    {"ex2", LIN_PTX_ON, SETS, 0, FEW},
    {"exit", LIN_PTX_EXIT, NONE, 0, NOTHING},
    {"fence", LIN_PTX_ON, NONE, LIN_RELEASES, FEW},
    {"fma", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"fns", LIN_PTX_ON, SETS, 0, FEW},
    {"getctarank", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"griddepcontrol", LIN_PTX_ON, NONE, LIN_WAITS | LIN_RELEASES, FEW},
    {"isspacep", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"istypep", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"ld", LIN_PTX_ON, SETS, LIN_MEMORY, FEW},
    {"ldmatrix", LIN_PTX_ON, OWN, LIN_WAITS | LIN_MEMORY, FEW},
    {"ldu", LIN_PTX_ON, SETS, LIN_MEMORY, FEW},
    {"lg2", LIN_PTX_ON, SETS, 0, FEW},
    {"lop3", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"mad", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"mad24", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"madc", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"mapa", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"match", LIN_PTX_ON, OWN, LIN_WAITS, FEW},
    {"max", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"mbarrier", LIN_PTX_ON, OWN, LIN_WAITS | LIN_POLLS | WRITES, FEW},
    {"mbarrier.arrive", LIN_PTX_ON, OWN, WRITES, FEW},
    {"mbarrier.init", LIN_PTX_ON, NONE, WRITES, FEW},
    {"mbarrier.inval", LIN_PTX_ON, NONE, WRITES, FEW},
    {"membar", LIN_PTX_ON, NONE, LIN_RELEASES, FEW},
    {"min", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"mma", LIN_PTX_ON, OWN, LIN_WAITS, FEW},
    {"mov", LIN_PTX_ON, SETS, 0, NOTHING},
    {"movmatrix", LIN_PTX_ON, OWN, LIN_WAITS, FEW},
    {"mul", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"mul24", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"nanosleep", LIN_PTX_ON, NONE, LIN_RELEASES, FEW},
    {"neg", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"not", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"or", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"pmevent", LIN_PTX_ON, NONE, 0, FEW},
    {"popc", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"prefetch", LIN_PTX_ON, NONE, 0, FEW},
    {"prefetchu", LIN_PTX_ON, NONE, 0, FEW},
    {"prmt", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"rcp", LIN_PTX_ON, SETS, 0, FEW},
    {"rcp.rn", LIN_PTX_ON, SETS, 0, MANY},
    {"red", LIN_PTX_ON, NONE, WRITES, FEW},
    {"redux", LIN_PTX_ON, OWN, LIN_WAITS, FEW},
    {"rem", LIN_PTX_ON, SETS, 0, MANY},
    {"ret", LIN_PTX_RETURN, NONE, 0, NOTHING},
    {"rsqrt", LIN_PTX_ON, SETS, 0, FEW},
    {"sad", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"selp", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"set", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"setmaxnreg", LIN_PTX_ON, NONE, LIN_WAITS | LIN_RELEASES, FEW},
    {"setp", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"shf", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"shfl", LIN_PTX_ON, OWN, LIN_WAITS, FEW},
    {"shl", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"shr", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"sin", LIN_PTX_ON, SETS, 0, FEW},
    {"slct", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"sqrt", LIN_PTX_ON, SETS, 0, FEW},
    {"sqrt.rn", LIN_PTX_ON, SETS, 0, MANY},
    {"st", LIN_PTX_ON, NONE, WRITES, FEW},
    {"stmatrix", LIN_PTX_ON, NONE, LIN_WAITS | WRITES, FEW},
    {"sub", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"subc", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"suld", LIN_PTX_ON, OWN, LIN_MEMORY, FEW},
    {"suq", LIN_PTX_ON, SETS, 0, FEW},
    {"sured", LIN_PTX_ON, NONE, WRITES, FEW},
    {"sust", LIN_PTX_ON, NONE, WRITES, FEW},
    {"szext", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"tanh", LIN_PTX_ON, SETS, 0, FEW},
    {"testp", LIN_PTX_ON, SETS, 0, SIMPLE},
    {"tex", LIN_PTX_ON, SETS, LIN_MEMORY, FEW},
    {"tld4", LIN_PTX_ON, SETS, LIN_MEMORY, FEW},
    {"trap", LIN_PTX_TRAP, NONE, 0, NOTHING},
    {"txq", LIN_PTX_ON, SETS, 0, FEW},
    {"vote", LIN_PTX_ON, OWN, LIN_WAITS, FEW},
    {"wgmma.commit_group", LIN_PTX_ON, NONE, LIN_WAITS, FEW},
    {"wgmma.fence", LIN_PTX_ON, NONE, LIN_WAITS, FEW},
    {"wgmma.mma_async", LIN_PTX_ON, KEEPS, LIN_WAITS | LIN_MEMORY, FEW},
    {"wgmma.wait_group", LIN_PTX_ON, NONE, LIN_WAITS, FEW},
    {"wmma.load", LIN_PTX_ON, OWN, LIN_WAITS | LIN_MEMORY, FEW},
    {"wmma.mma", LIN_PTX_ON, OWN, LIN_WAITS, FEW},
    {"wmma.store", LIN_PTX_ON, NONE, LIN_WAITS | WRITES, FEW},
    {"xor", LIN_PTX_ON, SETS, 0, SIMPLE},
};

bool lin_ptx_has_part(const char *opcode, size_t length, const char *part) {
  size_t wanted = strlen(part);
  const char *end = opcode + length;
  for (const char *dot = memchr(opcode, '.', length); dot != NULL;
       dot = memchr(dot + 1, '.', (size_t)(end - dot - 1))) {
    size_t rest = (size_t)(end - dot);
    if (rest >= wanted && memcmp(dot, part, wanted) == 0 && (rest == wanted || dot[wanted] == '.'))
      return true;
  }
  return false;
}

// Compares the first `length` characters of an opcode with a row's name.
static int compare(const char *opcode, size_t length, const char *name) {
  int order = strncmp(opcode, name, length);
  return order != 0 ? order : name[length] == '\0' ? 0 : -1;
}

static const line *find(const char *opcode, size_t length) {
  size_t low = 0, high = sizeof rows / sizeof *rows;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(opcode, length, rows[middle].name);
    if (order == 0)
      return &rows[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

// Its longest beginning that is a row.
static const line *find_longest(const char *opcode, size_t length) {
  for (;;) {
    const line *found = find(opcode, length);
    if (found != NULL)
      return found;
    while (length > 0 && opcode[length - 1] != '.')
      length--;
    if (length == 0)
      return NULL;
    length--; // the dot
  }
}

// What the parts behind the first say of memory and other threads.
static void refine(const char *opcode, size_t length, const line *row, lin_ptx_opcode *result) {
  bool loads = strcmp(row->name, "ld") == 0, stores = strcmp(row->name, "st") == 0;
  if ((loads || stores) && lin_ptx_has_part(opcode, length, ".param")) {
    result->effects = 0;
    result->cost = NOTHING;
    result->is_param = loads;
    return;
  }
  static const char *const strong[] = {".volatile", ".relaxed", ".acquire", ".mmio"};
  for (size_t i = 0; loads && i < sizeof strong / sizeof *strong; i++)
    if (lin_ptx_has_part(opcode, length, strong[i])) {
      result->effects |= LIN_POLLS;
      result->is_own = true;
    }
  // A thread's own memory: local, and what may be (generic addresses).
  result->is_own |= loads && !lin_ptx_has_part(opcode, length, ".global") &&
                    !lin_ptx_has_part(opcode, length, ".const") &&
                    !lin_ptx_has_part(opcode, length, ".shared") &&
                    !lin_ptx_has_part(opcode, length, ".shared::cta");
  bool names_no_mask = strcmp(row->name, "vote") == 0 || strcmp(row->name, "shfl") == 0;
  if (names_no_mask && !lin_ptx_has_part(opcode, length, ".sync"))
    result->effects = LIN_CROSS_LANE;
}

lin_ptx_opcode lin_ptx_opcode_of(const char *opcode, size_t length) {
  const line *row = find_longest(opcode, length);
  if (row == NULL)
    return (lin_ptx_opcode){LIN_PTX_ON, EVERYTHING, MANY, true, true, false, true, false};
  lin_ptx_opcode result = {.flow = row->flow,
                           .effects = row->effects,
                           .cost = row->cost,
                           .has_result = row->form != NONE,
                           .keeps = row->form == KEEPS,
                           .is_known = true,
                           .is_own = row->form == OWN || row->form == KEEPS};
  refine(opcode, length, row, &result);
  return result;
}
