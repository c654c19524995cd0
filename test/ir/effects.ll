; What an instruction means to other threads, from its text or its name. It stands in both arms of
; an unstructured region, for a target that runs in lock step (REFUSED if it may wait), and for one
; that doesn't in mode needed (ALONE if its result depends on who is there).
;
; DEFINE: %{op} = nothing
; DEFINE: %{old} = sed 's|; OP|%{op}|' %s | %opt %load -passes='linearize<paper>,verify' -S | %FileCheck %s --check-prefix
; DEFINE: %{new} = sed 's|; OP|%{op}|; s|sm_60|sm_75|' %s | %opt %load -passes='linearize<needed>,verify' -S | %FileCheck %s --check-prefix
;
; Nothing special, for comparison.
; REDEFINE: %{op} = store volatile i32 1, ptr addrspace(1) %a
; RUN: %{old}=DONE
; RUN: %{new}=DONE
; Inline assembly is known by its text.
; REDEFINE: %{op} = call void asm sideeffect "bar.warp.sync 0xffffffff;", ""()
; RUN: %{old}=REFUSED
; RUN: %{new}=DONE
; REDEFINE: %{op} = call void asm sideeffect "call.uni f, ();", ""()
; RUN: %{old}=REFUSED
; REDEFINE: %{op} = call void asm sideeffect "// nothing", ""()
; RUN: %{old}=DONE
; RUN: %{new}=DONE
; REDEFINE: %{op} = call i32 asm sideeffect "activemask.b32 $0;", "=r"()
; RUN: %{old}=DONE
; RUN: %{new}=ALONE
; REDEFINE: %{op} = call i32 asm sideeffect "vote.ballot.b32 $0, 1;", "=r"()
; RUN: %{new}=ALONE
; REDEFINE: %{op} = call i32 asm sideeffect "vote.sync.ballot.b32 $0, 1, -1;", "=r"()
; RUN: %{old}=REFUSED
; RUN: %{new}=DONE
; Fences and copies don't wait, whatever their names are made of; comments do nothing.
; REDEFINE: %{op} = call void asm sideeffect "membar.gl; cp.async.commit_group;", ""()
; RUN: %{old}=DONE
; REDEFINE: %{op} = call void asm sideeffect "// no barrier.sync here", ""()
; RUN: %{old}=DONE
; What nobody knows may do anything, if it says that it does something.
; REDEFINE: %{op} = call void asm sideeffect "unheard.of;", ""()
; RUN: %{old}=REFUSED
; RUN: %{new}=ALONE
; REDEFINE: %{op} = call i32 asm "unheard.of $0;", "=r"()
; RUN: %{old}=DONE
; RUN: %{new}=DONE
; Intrinsics by their names.
; REDEFINE: %{op} = call void @llvm.nvvm.membar.gl()
; RUN: %{old}=DONE
; REDEFINE: %{op} = call {float, float, float, float} @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %v, i32 %v, i32 %v, i32 %v, i32 %v, i32 %v, float 0.0, float 0.0, float 0.0, float 0.0)
; RUN: %{old}=REFUSED
; RUN: %{new}=DONE
; REDEFINE: %{op} = call i32 @llvm.nvvm.shfl.bfly.i32(i32 %v, i32 1, i32 31)
; RUN: %{old}=DONE
; RUN: %{new}=ALONE
; REDEFINE: %{op} = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 1, i32 31)
; RUN: %{old}=REFUSED
; RUN: %{new}=DONE
; REDEFINE: %{op} = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %v)
; RUN: %{old}=REFUSED
; RUN: %{new}=DONE
; One without a row waits for those that it is convergent with, or shows who is there.
; REDEFINE: %{op} = call void @llvm.nvvm.pm.event.mask(i16 1)
; RUN: %{old}=REFUSED
; RUN: %{new}=ALONE
; Functions elsewhere by what their declaration promises.
; REDEFINE: %{op} = call void @elsewhere()
; RUN: %{old}=REFUSED
; RUN: %{new}=ALONE
; REDEFINE: %{op} = call void @quiet()
; RUN: %{old}=DONE
; RUN: %{new}=DONE
; REDEFINE: %{op} = call float @__nv_fabsf(float 0.0)
; RUN: %{old}=DONE
; RUN: %{new}=DONE
; REDEFINE: %{op} = call i32 @vprintf(ptr null, ptr null)
; RUN: %{old}=DONE
; RUN: %{new}=DONE
; REDEFINE: %{op} = call void %f()
; RUN: %{old}=REFUSED
; RUN: %{new}=ALONE
;
; A loop that reads what the other arm writes: both by assembly; by an atomic; by a call that may
; write; and where nobody writes.
; DEFINE: %{read} = nothing
; DEFINE: %{spin} = sed 's|; OP|%{op}|; s|; READ|%{read}|' %s | %opt %load -passes='linearize<paper>,verify' -S | %FileCheck %s --check-prefix
; REDEFINE: %{read} = call i32 asm sideeffect "ld.volatile.u32 $0, [flag];", "=r"()
; REDEFINE: %{op} = call void asm sideeffect "st.volatile.u32 [flag], 1;", ""()
; RUN: %{spin}=SPIN-REFUSED
; REDEFINE: %{op} = call void asm sideeffect "// may store for all that is known", ""()
; RUN: %{spin}=SPIN-REFUSED
; REDEFINE: %{op} = call i32 asm "mov.u32 $0, %%clock;", "=r"()
; RUN: %{spin}=SPIN-DONE
; REDEFINE: %{read} = call i32 @llvm.nvvm.atomic.cas.gen.i.cta.i32.p0(ptr null, i32 0, i32 1)
; REDEFINE: %{op} = call void @quiet()
; RUN: %{spin}=SPIN-REFUSED
; REDEFINE: %{op} = call i32 @reads()
; RUN: %{spin}=SPIN-DONE
; REDEFINE: %{read} = call i32 @reads()
; REDEFINE: %{op} = call void @quiet()
; RUN: %{spin}=SPIN-DONE
;
; DONE-LABEL: @arms(
; DONE: linearize.guard
; DONE-LABEL: @spins(
; REFUSED-LABEL: @arms(
; REFUSED-NOT: linearize.guard
; REFUSED-LABEL: @spins(
; ALONE-LABEL: @arms(
; ALONE-NOT: linearize.guard
; ALONE-LABEL: @spins(
; SPIN-DONE-LABEL: @spins(
; SPIN-DONE: linearize.guard
; SPIN-DONE-LABEL: @end(
; SPIN-REFUSED-LABEL: @spins(
; SPIN-REFUSED-NOT: linearize.guard
; SPIN-REFUSED-LABEL: @end(

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.pm.event.mask(i16) convergent
declare {float, float, float, float} @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32, i32, i32, i32, i32, i32, float, float, float, float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.bfly.i32(i32, i32, i32) convergent
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) convergent
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32) convergent
declare i32 @llvm.nvvm.atomic.cas.gen.i.cta.i32.p0(ptr, i32, i32)
declare void @elsewhere()
declare float @__nv_fabsf(float)
declare i32 @vprintf(ptr, ptr)
declare void @quiet() nosync nounwind
declare i32 @reads() nosync nounwind memory(read)

define ptx_kernel void @arms(ptr addrspace(1) %p, ptr %f) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  %c = icmp sgt i32 %v, 0
  br i1 %c, label %left, label %right
left:
  ; OP
  %d = icmp sgt i32 %v, 10
  br i1 %d, label %shared, label %later
right:
  ; OP
  %e = icmp slt i32 %v, -10
  br i1 %e, label %shared, label %later
later: ; the last join: threads meet there anyway on sm_75
  store volatile i32 5, ptr addrspace(1) %a
  store volatile i32 6, ptr addrspace(1) %a
  br label %out
shared:
  store volatile i32 %tid, ptr addrspace(1) %a
  store volatile i32 %v, ptr addrspace(1) %a
  %q = sdiv i32 %v, %tid
  %r = sdiv i32 %q, %tid
  %s = sdiv i32 %r, %tid
  store volatile i32 %s, ptr addrspace(1) %a
  store volatile i32 10, ptr addrspace(1) %a
  store volatile i32 11, ptr addrspace(1) %a
  store volatile i32 12, ptr addrspace(1) %a
  store volatile i32 13, ptr addrspace(1) %a
  store volatile i32 14, ptr addrspace(1) %a
  store volatile i32 15, ptr addrspace(1) %a
  store volatile i32 16, ptr addrspace(1) %a
  store volatile i32 17, ptr addrspace(1) %a
  %z = icmp sgt i32 %s, 3
  br i1 %z, label %later, label %out
out:
  ret void
}

define ptx_kernel void @spins(ptr addrspace(1) %p, ptr %f) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %v = load i32, ptr addrspace(1) %a
  %c = icmp sgt i32 %v, 0
  br i1 %c, label %spin, label %right
spin:
  ; READ
  %flag = load i32, ptr addrspace(1) %a
  %d = icmp sgt i32 %flag, 10
  br i1 %d, label %spin, label %left
left:
  %g = icmp sgt i32 %flag, 5
  br i1 %g, label %shared, label %out
right:
  ; OP
  %e = icmp slt i32 %v, -10
  br i1 %e, label %shared, label %out
shared:
  %x = phi i32 [ %flag, %left ], [ %v, %right ]
  call i32 @reads()
  br label %out
out:
  ret void
}

define void @end() {
  ret void
}
