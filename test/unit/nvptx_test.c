// Unit tests of the table of NVPTX's names. A failure prints its line; the last line is `N
// passed, M failed`.
#include "gpu/assembly.h"
#include "gpu/costs.h"
#include "graph/graph.h"

#include "expect.h"

#include <string.h>

static const lin_nvptx *row_of(char sigil, const char *name) {
  uint32_t found = lin_nvptx_find(sigil, name, strlen(name), NULL);
  return found == LIN_NONE ? NULL : lin_nvptx_row(found);
}

static bool is_row(const lin_nvptx *row, const char *name) {
  return row != NULL && strcmp(row->name, name) == 0;
}

// Each row is found by its own name, which it is only where all of them are in order.
static void test_order(void) {
  for (uint32_t i = 0; i < lin_nvptx_count(); i++) {
    const char *name = lin_nvptx_row(i)->name;
    char sigil = *name == '%' || *name == '@' ? *name : '\0';
    size_t skipped = sigil == '\0' ? 0 : 1, rest = 1;
    uint32_t found = lin_nvptx_find(sigil, name + skipped, strlen(name + skipped), &rest);
    if (!EXPECT(found == i && rest == 0))
      printf("%s\n", name);
  }
}

static void test_beginnings(void) {
  size_t rest = 0;
  EXPECT(is_row(row_of('\0', "bar.arrive"), "bar"));
  EXPECT(is_row(row_of('\0', "shfl.sync.up.b32"), "shfl.sync.up"));
  EXPECT(is_row(row_of('\0', "sqrt.rn.f32"), "sqrt.rn"));
  EXPECT(lin_nvptx_find('\0', "membar.gl", 9, &rest) != LIN_NONE && rest == 3);
  EXPECT(is_row(row_of('\0', "cp.async.wait.all"), "cp.async.wait_all")); // LLVM's spelling
  EXPECT(is_row(row_of('%', "envreg31"), "%envreg"));
  EXPECT(is_row(row_of('%', "clock64"), "%clock64"));
  EXPECT(row_of('\0', "barge") == NULL);
  EXPECT(row_of('\0', "tid.x") == NULL);
  EXPECT(row_of('%', "r1") == NULL);
  EXPECT(row_of('%', "tid") == NULL || row_of('%', "tid")->gives == LIN_GIVES_THREAD);
  EXPECT(row_of('\0', "") == NULL);
  EXPECT(lin_nvptx_find('\0', "barrier", 3, NULL) == lin_nvptx_find('\0', "bar", 3, NULL));
}

static void test_intrinsics(void) {
  const lin_nvptx *x = lin_nvptx_intrinsic("llvm.nvvm.read.ptx.sreg.tid.y");
  EXPECT(is_row(x, "%tid.y") && lin_nvptx_axis(x) == 1 && x->gives == LIN_GIVES_THREAD);
  EXPECT(is_row(lin_nvptx_register_read("llvm.nvvm.read.ptx.sreg.lanemask.lt"), "%lanemask_lt"));
  EXPECT(lin_nvptx_register_read("llvm.nvvm.activemask") == NULL);
  EXPECT(lin_nvptx_intrinsic("llvm.fma.f32") == NULL);
  EXPECT(lin_nvptx_intrinsic("llvm.nvvm.unheard.of") == NULL);
  EXPECT(lin_nvptx_is(lin_nvptx_intrinsic("llvm.nvvm.barrier0"), LIN_NVPTX_BARRIER));
  EXPECT(lin_nvptx_is(lin_nvptx_intrinsic("llvm.nvvm.barrier0.popc"), LIN_NVPTX_TOLD));
  EXPECT(lin_nvptx_is(lin_nvptx_intrinsic("llvm.nvvm.barrier.cta.red.or.count"), LIN_NVPTX_PART));
  EXPECT(lin_nvptx_is(lin_nvptx_intrinsic("llvm.nvvm.bar.warp.sync"), LIN_NVPTX_WARP));
  EXPECT(lin_nvptx_is(lin_nvptx_intrinsic("llvm.nvvm.shfl.sync.idx.i32"), LIN_NVPTX_WARP));
  EXPECT(lin_nvptx_is(lin_nvptx_intrinsic("llvm.nvvm.shfl.idx.i32"), LIN_NVPTX_HERE));
  EXPECT(lin_nvptx_axis(NULL) == -1 && !lin_nvptx_is(NULL, LIN_NVPTX_OTHER));
}

static uint32_t effects(const char *name) { return lin_nvptx_intrinsic(name)->effects; }

static void test_effects(void) {
  EXPECT((effects("llvm.nvvm.mma.m16n8k8.row.col.tf32") & LIN_WAITS) != 0);
  EXPECT((effects("llvm.nvvm.wmma.m16n16k16.load.a") & LIN_WAITS) != 0);
  EXPECT((effects("llvm.nvvm.tcgen05.alloc") & LIN_WAITS) != 0);
  EXPECT((effects("llvm.nvvm.cp.async.ca.shared.global.4") & LIN_WAITS) == 0);
  EXPECT((effects("llvm.nvvm.membar.gl") & LIN_WAITS) == 0);
  EXPECT((effects("llvm.nvvm.mbarrier.test.wait.shared") & LIN_POLLS) != 0);
  EXPECT((effects("llvm.nvvm.vote.all") & (LIN_WAITS | LIN_CROSS_LANE)) == LIN_CROSS_LANE);
  EXPECT((effects("llvm.nvvm.vote.all.sync") & (LIN_WAITS | LIN_CROSS_LANE)) == LIN_WAITS);
}

static const lin_nvptx *callee(const char *name) { return lin_nvptx_callee(name, strlen(name)); }

static void test_callees(void) {
  EXPECT(lin_nvptx_is(callee("vprintf"), LIN_NVPTX_RUNTIME));
  EXPECT(lin_nvptx_is(callee("__assertfail"), LIN_NVPTX_RUNTIME));
  EXPECT(lin_nvptx_is(callee("__nv_sinf"), LIN_NVPTX_LIBDEVICE));
  EXPECT(lin_nvptx_is(callee("_optix_trace_typed_32"), LIN_NVPTX_OPTIX));
  EXPECT(callee("free_list") == NULL && callee("__nvcc") == NULL);
  EXPECT(lin_nvptx_is(callee("__nvvm_reflect"), LIN_NVPTX_OTHER));
  EXPECT(strcmp(lin_nvptx_behind_libdevice("__nv_sinf"), "sinf") == 0);
  EXPECT(lin_nvptx_behind("llvm.fma") == NULL);
}

static bool stays(const char *name) { return lin_nvptx_stays(name, strlen(name)); }

static void test_moments(void) {
  EXPECT(stays("tid.x") && stays("tid") && stays("laneid") && stays("lanemask_lt"));
  EXPECT(stays("envreg3") && stays("gridid") && stays("dynamic_smem_size"));
  EXPECT(!stays("clock") && !stays("clock64") && !stays("clock_hi") && !stays("globaltimer_lo"));
  EXPECT(!stays("pm0") && !stays("pm7_64") && !stays("warpid") && !stays("smid"));
  EXPECT(!stays("of_tomorrow"));
}

static lin_assembly read_text(const char *text) { return lin_assembly_read(text, strlen(text)); }

static void test_assembly(void) {
  lin_assembly a = read_text("");
  EXPECT(a.effects == 0 && a.families == 0 && !a.has_unknown && !a.calls_unknown);
  a = read_text("// bar.sync 0;\n/* exit; */ { .reg .pred p; add.u32 $0, $1, 1; }");
  EXPECT(a.effects == 0 && !a.has_unknown && !lin_assembly_names(&a, LIN_NVPTX_EXIT));
  a = read_text("@!p bra DONE;\n\tbar.sync 0;\nDONE: mov.u32 $0, %tid.x;");
  EXPECT(!a.has_unknown && (a.effects & LIN_WAITS) != 0 && (a.effects & LIN_POLLS) == 0);
  EXPECT(lin_assembly_names(&a, LIN_NVPTX_BRANCH) && lin_assembly_names(&a, LIN_NVPTX_TID));
  EXPECT(!lin_assembly_names(&a, LIN_NVPTX_CTAID));
  EXPECT(read_text("{ .reg .f32 t; mul.f32 t, $1, $2; sub.f32 $0, $3, t; }").cost == 2);
  EXPECT(read_text("div.rn.f32 $0, $1, $2;").cost == LIN_COST_MANY && a.cost > 0);
  a = read_text("ld.shared::cta.u32 $0, [$1+4]");
  EXPECT(a.effects == LIN_MEMORY && !a.has_unknown);
  a = read_text("tex.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}];");
  EXPECT(a.effects == LIN_MEMORY);
  static const char *const polling[] = {
      "ld.volatile.global.u32 $0, [$1];", "ld.global.cg.u32 $0, [$1];",
      "ld.acquire.gpu.global.u32 $0, [$1];", "suld.b.1d.b32.trap {$0}, [$1, {$2}];"};
  for (size_t i = 0; i < sizeof polling / sizeof *polling; i++)
    EXPECT((read_text(polling[i]).effects & LIN_POLLS) != 0);
  a = read_text("st.global.u32 [$0], $1;");
  EXPECT(a.effects == (LIN_MEMORY | LIN_RELEASES));
  a = read_text("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];");
  EXPECT((a.effects & (LIN_WAITS | LIN_POLLS)) == LIN_WAITS);
  a = read_text("call ($0), _optix_get_launch_index_x, ();");
  EXPECT(!a.calls_unknown && a.effects == (LIN_MEMORY | LIN_RELEASES));
  a = read_text("call.uni f, ();");
  EXPECT(!a.calls_unknown && a.callee_length == 1 && *a.callee == 'f');
  a = read_text("call ($0), _optix_undef_value, (); call.uni (retval0), gauss, (param0);");
  EXPECT(!a.calls_unknown && a.callee_length == 5 && memcmp(a.callee, "gauss", 5) == 0);
  EXPECT(read_text("call f, (); call g, ();").calls_unknown);
  EXPECT(read_text("call (retval0), $1, (param0), prototype_0;").calls_unknown);
  EXPECT(read_text("call %rd1, (), prototype_0;").calls_unknown);
  a = read_text("unheard.of %nobody, 1;; exit");
  EXPECT(a.has_unknown && lin_assembly_names(&a, LIN_NVPTX_EXIT));
  EXPECT(lin_assembly_read("exit", 2).has_unknown); // no further than its length
  EXPECT(read_text("/*").effects == 0 && read_text("@").effects == 0);
}

static void test_names(void) {
  char text[LIN_NVPTX_NAME];
  EXPECT_TEXT(lin_nvptx_reads(LIN_NVPTX_NCTAID, 2, text), "llvm.nvvm.read.ptx.sreg.nctaid.z");
  const lin_nvptx *unknown = lin_nvptx_register_read("llvm.nvvm.read.ptx.sreg.tomorrow");
  EXPECT(lin_nvptx_is(unknown, LIN_NVPTX_REGISTER) && unknown->gives == LIN_GIVES_THREAD);
  static const char *const written[] = {LIN_NVVM_ACTIVEMASK,  LIN_NVVM_AGREE,
                                        LIN_NVVM_BALLOT,      LIN_NVVM_BARRIER,
                                        LIN_NVVM_MATCH_ALL,   LIN_NVVM_REDUCE_OR,
                                        LIN_NVVM_LANES_BELOW, LIN_NVVM_BARRIER_COUNT,
                                        LIN_NVVM_SHUFFLE,     LIN_NVVM_SHUFFLE_UP,
                                        LIN_NVVM_SYNC_WARP,   LIN_NVVM_SHUFFLE_BUTTERFLY,
                                        LIN_NVVM_OLD_BARRIER, LIN_NVVM_OLD_BARRIER_COUNT};
  for (size_t i = 0; i < sizeof written / sizeof *written; i++)
    EXPECT(lin_nvptx_intrinsic(written[i]) != NULL);
}

int main(void) {
  test_moments();
  test_assembly();
  test_names();
  test_order();
  test_beginnings();
  test_intrinsics();
  test_effects();
  test_callees();
  return expect_end();
}
