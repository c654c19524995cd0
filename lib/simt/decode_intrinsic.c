// Intrinsics are found by name, without the types behind it: llvm.fma.v2f32 is llvm.fma. A last
// part that is no type is another intrinsic, and what isn't in a table is an error: LLVM's own are
// here, NVPTX's in gpu/nvptx.def.
#include "decode_parts.h"

#include "gpu/nvptx.h"
#include "graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Short names, for a table that fits the page.
enum {
  NOTHING = SIMT_INTRINSIC_NOTHING,
  ARITHMETIC = SIMT_INTRINSIC_ARITHMETIC,
  FLOAT = SIMT_INTRINSIC_FLOAT,
  OVERFLOW = SIMT_INTRINSIC_OVERFLOW,
  CONVERT = SIMT_INTRINSIC_CONVERT,
  MEMCPY = SIMT_INTRINSIC_MEMCPY,
  MEMSET = SIMT_INTRINSIC_MEMSET,
  TRAP = SIMT_INTRINSIC_TRAP,
  EXPECT = SIMT_INTRINSIC_EXPECT,
};

// Sorted by name.
static const simt_intrinsic intrinsics[] = {
    {"llvm.abs", ARITHMETIC, SIMT_ABS, 0},
    {"llvm.annotation", EXPECT, 0, 0},
    {"llvm.assume", NOTHING, 0, 0},
    {"llvm.bitreverse", ARITHMETIC, SIMT_BREV, 0},
    {"llvm.bswap", ARITHMETIC, SIMT_BSWAP, 0},
    {"llvm.ceil", FLOAT, SIMT_CEIL, 0},
    {"llvm.copysign", FLOAT, SIMT_COPYSIGN, 0},
    {"llvm.ctlz", ARITHMETIC, SIMT_CLZ, 0},
    {"llvm.ctpop", ARITHMETIC, SIMT_POPC, 0},
    {"llvm.cttz", ARITHMETIC, SIMT_CTZ, 0},
    {"llvm.dbg.assign", NOTHING, 0, 0},
    {"llvm.dbg.declare", NOTHING, 0, 0},
    {"llvm.dbg.label", NOTHING, 0, 0},
    {"llvm.dbg.value", NOTHING, 0, 0},
    {"llvm.donothing", NOTHING, 0, 0},
    {"llvm.expect", EXPECT, 0, 0},
    {"llvm.experimental.noalias.scope.decl", NOTHING, 0, 0},
    {"llvm.fabs", FLOAT, SIMT_FABS, 0},
    {"llvm.floor", FLOAT, SIMT_FLOOR, 0},
    {"llvm.fma", FLOAT, SIMT_FMA, 0},
    {"llvm.fmuladd", FLOAT, SIMT_FMA, 0},
    {"llvm.fptosi.sat", CONVERT, SIMT_FTOS, 0},
    {"llvm.fptoui.sat", CONVERT, SIMT_FTOU, 0},
    {"llvm.fshl", ARITHMETIC, SIMT_FSHL, 0},
    {"llvm.fshr", ARITHMETIC, SIMT_FSHR, 0},
    {"llvm.is.fpclass", FLOAT, SIMT_IS_CLASS, 0},
    {"llvm.lifetime.end", NOTHING, 0, 0},
    {"llvm.lifetime.start", NOTHING, 0, 0},
    {"llvm.maximum", FLOAT, SIMT_FMAXIMUM, 0},
    {"llvm.maximumnum", FLOAT, SIMT_FMAX, 0},
    {"llvm.maxnum", FLOAT, SIMT_FMAX, 0},
    {"llvm.memcpy", MEMCPY, 0, 0},
    {"llvm.memmove", MEMCPY, 0, 0},
    {"llvm.memset", MEMSET, 0, 0},
    {"llvm.minimum", FLOAT, SIMT_FMINIMUM, 0},
    {"llvm.minimumnum", FLOAT, SIMT_FMIN, 0},
    {"llvm.minnum", FLOAT, SIMT_FMIN, 0},
    {"llvm.nearbyint", FLOAT, SIMT_RINT, 0},
    {"llvm.prefetch", NOTHING, 0, 0},
    {"llvm.rint", FLOAT, SIMT_RINT, 0},
    {"llvm.round", FLOAT, SIMT_ROUND, 0},
    {"llvm.roundeven", FLOAT, SIMT_RINT, 0},
    {"llvm.sadd.with.overflow", OVERFLOW, SIMT_ADD, SIMT_SADD_OVERFLOWS},
    {"llvm.sideeffect", NOTHING, 0, 0},
    {"llvm.smax", ARITHMETIC, SIMT_SMAX, 0},
    {"llvm.smin", ARITHMETIC, SIMT_SMIN, 0},
    {"llvm.smul.with.overflow", OVERFLOW, SIMT_MUL, SIMT_SMUL_OVERFLOWS},
    {"llvm.sqrt", FLOAT, SIMT_SQRT, 0},
    {"llvm.ssub.with.overflow", OVERFLOW, SIMT_SUB, SIMT_SSUB_OVERFLOWS},
    {"llvm.stackrestore", NOTHING, 0, 0},
    {"llvm.trap", TRAP, 0, 0},
    {"llvm.trunc", FLOAT, SIMT_FTRUNC, 0},
    {"llvm.uadd.sat", ARITHMETIC, SIMT_UADD_SAT, 0},
    {"llvm.uadd.with.overflow", OVERFLOW, SIMT_ADD, SIMT_UADD_OVERFLOWS},
    {"llvm.ubsantrap", TRAP, 0, 0},
    {"llvm.umax", ARITHMETIC, SIMT_UMAX, 0},
    {"llvm.umin", ARITHMETIC, SIMT_UMIN, 0},
    {"llvm.umul.with.overflow", OVERFLOW, SIMT_MUL, SIMT_UMUL_OVERFLOWS},
    {"llvm.usub.sat", ARITHMETIC, SIMT_USUB_SAT, 0},
    {"llvm.usub.with.overflow", OVERFLOW, SIMT_SUB, SIMT_USUB_OVERFLOWS},
};

static int compare_names(const void *name, const void *entry) {
  return strcmp(name, ((const simt_intrinsic *)entry)->name);
}

// i32, f64, v4f32, p0, bf16, i32p ...
static bool is_type(const char *text) {
  if (text[0] == 'b' && text[1] == 'f')
    text++;
  return text[0] != '\0' && strchr("ifvp", text[0]) != NULL && text[1] >= '0' && text[1] <= '9';
}

static const simt_intrinsic of_nvptx[] = {
#define ROW(name, family, gives, effects, cost, flow, kind, opcode, extra)                         \
  {name, SIMT_INTRINSIC_##kind, opcode, extra},
#include "gpu/nvptx.def"
};

const simt_intrinsic *simt_find_ptx(char sigil, const char *name, const char **rest) {
  size_t length = strlen(name), behind = 0;
  uint32_t row = lin_nvptx_find(sigil, name, length, &behind);
  *rest = name + length - behind;
  return row == LIN_NONE || of_nvptx[row].kind == SIMT_INTRINSIC_NONE ? NULL : &of_nvptx[row];
}

static bool are_types(const char *rest) {
  for (; rest != NULL && *rest != '\0'; rest = strchr(rest + 1, '.'))
    if (!is_type(rest + 1))
      return false;
  return true;
}

// Types don't matter to what does nothing, and neither do scopes.
static const simt_intrinsic *find_of_nvptx(const char *name) {
  const char *rest, *of_register = lin_nvptx_behind_register(name);
  const simt_intrinsic *found = of_register != NULL
                                    ? simt_find_ptx('%', of_register, &rest)
                                    : simt_find_ptx('\0', lin_nvptx_behind(name), &rest);
  if (found == NULL || found->kind == SIMT_INTRINSIC_NOTHING)
    return found;
  return are_types(rest) ? found : NULL;
}

// The entry for the whole name; else for the name without its last part, if that is a type; ...
const simt_intrinsic *simt_find_intrinsic(const char *name) {
  if (lin_nvptx_behind(name) != NULL)
    return find_of_nvptx(name);
  char part[128];
  snprintf(part, sizeof part, "%s", name);
  for (char *end = part + strlen(part);; end = strrchr(part, '.')) {
    if (end == NULL || (*end == '.' && !is_type(end + 1)))
      return NULL;
    *end = '\0';
    const simt_intrinsic *found = bsearch(part, intrinsics, sizeof intrinsics / sizeof *intrinsics,
                                          sizeof *intrinsics, compare_names);
    if (found != NULL)
      return found;
  }
}
