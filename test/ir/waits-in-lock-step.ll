; Threads of a warp that wait for each other, below sm_70. Each kernel of the first part ends as it
; is, hangs in lock step when it is linearized by force, and is left alone without. Each of the second
; is linearized, and ends with the same memory.
;
; RUN: rm -rf %t && mkdir %t
; RUN: %opt %load -passes='linearize<all>,verify' -S %s -o %t/all.ll
; RUN: %opt %load -passes='linearize<all;O0>,verify' -S %s -o %t/flat.ll
; RUN: %opt %load -passes='linearize<all;force>,verify' -S %s -o %t/forced.ll
;
; DEFINE: %{kernel} = nothing
; DEFINE: %{run} = --kernel %{kernel} --block 32 --arg buf:u32:8 --arg buf:u32:32 --arg u32:1 --limit 100000
; DEFINE: %{ends} = %simt %s %{run}
; DEFINE: %{hangs} = %not %simt %t/forced.ll %{run} 2>&1 | %FileCheck %s --check-prefix HANGS
; DEFINE: %{left} = %python %S/Inputs/guarded.py %t/all.ll --not %{kernel}
; DEFINE: %{done} = %python %S/Inputs/guarded.py %t/all.ll %{kernel}
; DEFINE: %{same} = %simt %s %{run} --compare %t/all.ll
; DEFINE: %{flat} = %simt %s %{run} --compare %t/flat.ll
; HANGS: {{no progress|calls nest deeper}}
;
; A release that comes after the loop that waits for it.
; REDEFINE: %{kernel} = release_after
; RUN: %{ends}
; RUN: %{hangs}
; RUN: %{left}
;
; A release before the loop, in a loop around both.
; REDEFINE: %{kernel} = release_a_turn_later
; RUN: %{ends}
; RUN: %{hangs}
; RUN: %{left}
;
; A call that spins; one that spins deep down, in functions that call each other; one that also
; releases.
; REDEFINE: %{kernel} = call_spins
; RUN: %{ends}
; RUN: %{hangs}
; RUN: %{left}
; REDEFINE: %{kernel} = call_spins_deeply
; RUN: %{ends}
; RUN: %{hangs}
; RUN: %{left}
; REDEFINE: %{kernel} = call_spins_and_releases
; RUN: %{ends}
; RUN: %{hangs}
; RUN: %{left}
;
; A barrier that not every turn of its loop passes.
; REDEFINE: %{kernel} = sync_in_some_turns
; RUN: %{ends}
; RUN: %{hangs}
; RUN: %{left}
;
; Two waits in two arms: who arrives in one and who waits in the other.
; REDEFINE: %{kernel} = waits_in_arms
; RUN: %{ends}
; RUN: %{hangs}
; RUN: %{left}
;
; A block of 48 threads a row: the second warp holds two rows, and what compares threadIdx.x with 32
; parts it.
; REDEFINE: %{kernel} = rows_in_a_warp
; REDEFINE: %{run} = --kernel %{kernel} --block 48,2 --arg buf:u32:8 --arg buf:u32:96 --arg u32:1 --limit 100000
; RUN: %{ends}
; RUN: %{hangs}
; RUN: %{left}
;
; A release in the loop that waits for it: a lock that is given back before anybody asks again; one
; in a loop around it; two conditions for going on.
; REDEFINE: %{run} = --kernel %{kernel} --block 32 --arg buf:u32:8 --arg buf:u32:32 --arg u32:1 --limit 100000
; REDEFINE: %{kernel} = release_inside
; RUN: %{same}
; RUN: %{flat}
; RUN: %{done}
; REDEFINE: %{kernel} = release_inside_nested
; RUN: %{same}
; RUN: %{flat}
; RUN: %{done}
;
; A release before the loop; before a call that spins.
; REDEFINE: %{kernel} = release_before
; RUN: %{same}
; RUN: %{flat}
; RUN: %{done}
; REDEFINE: %{kernel} = release_before_call
; RUN: %{same}
; RUN: %{flat}
; RUN: %{done}
;
; As it stands, who spins would wait for who has left the loop: linearized, all go through each turn.
; REDEFINE: %{kernel} = release_on_the_way_out
; RUN: %not %{ends} 2>&1 | %FileCheck %s --check-prefix HANGS
; RUN: %simt %t/all.ll %{run}
; RUN: %{done}
;
; Waits in both arms of a branch that all threads of a warp take together; a barrier in every turn.
; REDEFINE: %{kernel} = waits_in_uniform_arms
; RUN: %{same}
; RUN: %{flat}
; RUN: %{done}
; REDEFINE: %{kernel} = sync_in_every_turn
; RUN: %{same}
; RUN: %{flat}
; RUN: %{done}

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare void @llvm.nvvm.bar.warp.sync(i32) convergent nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32) convergent nounwind
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32) convergent nounwind

define void @until_set(ptr %flag) {
  br label %again
again:
  %v = load volatile i32, ptr %flag
  %set = icmp ne i32 %v, 0
  br i1 %set, label %done, label %again
done:
  ret void
}

; Polls in one function, a cycle in another.
define i32 @ask(ptr %flag) {
  %v = load volatile i32, ptr %flag
  ret i32 %v
}
define void @ping(ptr %flag) {
  %v = call i32 @ask(ptr %flag)
  %set = icmp ne i32 %v, 0
  br i1 %set, label %done, label %more
more:
  call void @pong(ptr %flag)
  br label %done
done:
  ret void
}
define void @pong(ptr %flag) {
  call void @ping(ptr %flag)
  ret void
}

define void @locked(ptr %lock, ptr %counter) {
  br label %again
again:
  %x = cmpxchg ptr %lock, i32 0, i32 1 monotonic monotonic
  %mine = extractvalue { i32, i1 } %x, 1
  br i1 %mine, label %inside, label %again
inside:
  %v = load volatile i32, ptr %counter
  %w = add i32 %v, 1
  store volatile i32 %w, ptr %counter
  store volatile i32 0, ptr %lock
  ret void
}

define ptx_kernel void @release_after(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %tid, 16
  br i1 %low, label %release, label %choose
choose:
  %high = icmp uge i32 %tid, 16
  br i1 %high, label %spin, label %release
spin:
  %v = load volatile i32, ptr %flags
  %set = icmp ne i32 %v, 0
  br i1 %set, label %end, label %spin
release:
  store volatile i32 1, ptr %flags
  br label %end
end:
  ret void
}

define ptx_kernel void @release_a_turn_later(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %tid, 16
  %leave = icmp ne i32 %u, 0
  br label %head
head:
  %turn = phi i32 [ 0, %entry ], [ %next, %latch ], [ 0, %again ]
  %last = icmp eq i32 %turn, 2
  br i1 %last, label %release, label %choose
release:
  store volatile i32 1, ptr %flags
  br label %choose
choose:
  br i1 %low, label %latch, label %spin
latch:
  %next = add i32 %turn, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %head, label %end
spin:
  %v = load volatile i32, ptr %flags
  %set = icmp ne i32 %v, 0
  br i1 %set, label %again, label %spin
again:
  br i1 %leave, label %end, label %head
end:
  ret void
}

define ptx_kernel void @call_spins(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %tid, 16
  br i1 %low, label %release, label %choose
choose:
  %high = icmp uge i32 %tid, 16
  br i1 %high, label %spin, label %release
spin:
  call void @until_set(ptr %flags)
  br label %end
release:
  store volatile i32 1, ptr %flags
  br label %end
end:
  ret void
}

define ptx_kernel void @call_spins_deeply(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %tid, 16
  br i1 %low, label %release, label %choose
choose:
  %high = icmp uge i32 %tid, 16
  br i1 %high, label %spin, label %release
spin:
  call void @ping(ptr %flags)
  br label %end
release:
  store volatile i32 1, ptr %flags
  br label %end
end:
  ret void
}

define ptx_kernel void @call_spins_and_releases(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %lock, label %others
others:
  %second = icmp eq i32 %tid, 1
  br i1 %second, label %lock, label %end
lock:
  call void @locked(ptr %flags, ptr %out)
  br label %end
end:
  ret void
}

define ptx_kernel void @sync_in_some_turns(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %turn = phi i32 [ 0, %entry ], [ %next, %body ], [ 0, %wait ]
  %round = phi i32 [ 0, %entry ], [ %round, %body ], [ %rounds, %wait ]
  br label %body
body:
  %next = add i32 %turn, 1
  %more = icmp ult i32 %next, %tid
  br i1 %more, label %head, label %wait
wait:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %rounds = add i32 %round, 1
  %again = icmp ult i32 %rounds, 3
  br i1 %again, label %head, label %end
end:
  ret void
}

define ptx_kernel void @waits_in_arms(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %tid, 16
  br i1 %low, label %arrive, label %choose
choose:
  %high = icmp uge i32 %tid, 16
  br i1 %high, label %wait, label %arrive
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 32)
  br label %end
arrive:
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 32)
  br label %end
end:
  ret void
}

; Only the second row's threads let others go.
define ptx_kernel void @rows_in_a_warp(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %low = icmp ult i32 %tid, 32
  %go = icmp ne i32 %u, 0
  br i1 %low, label %release, label %choose
choose:
  br i1 %go, label %spin, label %release
spin:
  %v = load volatile i32, ptr %flags
  %set = icmp ne i32 %v, 0
  br i1 %set, label %end, label %spin
release:
  store volatile i32 %row, ptr %flags
  br label %end
end:
  ret void
}

define ptx_kernel void @release_inside(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  br label %ask
ask:
  %x = cmpxchg ptr %flags, i32 0, i32 1 monotonic monotonic
  %mine = extractvalue { i32, i1 } %x, 1
  br i1 %mine, label %inside, label %latch
inside:
  %v = load volatile i32, ptr %out
  %w = add i32 %v, 1
  store volatile i32 %w, ptr %out
  store volatile i32 0, ptr %flags
  br label %latch
latch:
  %done = phi i1 [ true, %inside ], [ false, %ask ]
  br i1 %done, label %end, label %ask
end:
  ret void
}

; Each thread takes the lock as often as its number says, and may leave in the middle.
define ptx_kernel void @release_inside_nested(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %times = and i32 %tid, 3
  %odd = icmp ugt i32 %tid, 20
  br label %head
head:
  %turn = phi i32 [ 0, %entry ], [ %next, %got ]
  br label %ask
ask:
  %x = cmpxchg ptr %flags, i32 0, i32 1 monotonic monotonic
  %mine = extractvalue { i32, i1 } %x, 1
  br i1 %mine, label %inside, label %latch
inside:
  %v = load volatile i32, ptr %out
  %w = add i32 %v, 1
  store volatile i32 %w, ptr %out
  store volatile i32 0, ptr %flags
  br i1 %odd, label %end, label %latch
latch:
  %done = phi i1 [ true, %inside ], [ false, %ask ]
  br i1 %done, label %got, label %ask
got:
  %next = add i32 %turn, 1
  %more = icmp ult i32 %next, %times
  br i1 %more, label %head, label %end
end:
  ret void
}

define ptx_kernel void @release_before(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %tid, 16
  br i1 %low, label %release, label %choose
release:
  store volatile i32 1, ptr %flags
  br label %spin
choose:
  %some = icmp ult i32 %tid, 24
  br i1 %some, label %spin, label %end
spin:
  %v = load volatile i32, ptr %flags
  %set = icmp ne i32 %v, 0
  br i1 %set, label %end, label %spin
end:
  ret void
}

define ptx_kernel void @release_before_call(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %tid, 16
  br i1 %low, label %release, label %choose
release:
  store volatile i32 1, ptr %flags
  br label %spin
choose:
  %some = icmp ult i32 %tid, 24
  br i1 %some, label %spin, label %end
spin:
  call void @until_set(ptr %flags)
  br label %end
end:
  ret void
}

define ptx_kernel void @release_on_the_way_out(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 3
  %leave = icmp ne i32 %u, 0
  br label %head
head:
  %v = load volatile i32, ptr %flags
  %set = icmp ne i32 %v, 0
  %go = or i1 %set, %first
  br i1 %go, label %release, label %head
release:
  store volatile i32 1, ptr %flags
  br i1 %leave, label %end, label %head
end:
  ret void
}

define ptx_kernel void @waits_in_uniform_arms(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr %out, i32 %tid
  %left = icmp ugt i32 %u, 4
  %short = icmp eq i32 %u, 1
  br i1 %left, label %one, label %two
one:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br i1 %short, label %shared, label %end
two:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br i1 %short, label %shared, label %end
shared:
  store i32 %tid, ptr %own
  br label %end
end:
  ret void
}

define ptx_kernel void @sync_in_every_turn(ptr %flags, ptr %out, i32 %u) "target-cpu"="sm_60" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr %out, i32 %tid
  %odd = trunc i32 %tid to i1
  %high = icmp ugt i32 %tid, 20
  br label %head
head:
  %turn = phi i32 [ 0, %entry ], [ %next, %latch ]
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %next = add i32 %turn, 1
  %more = icmp ult i32 %next, 4
  br i1 %odd, label %both, label %store
both:
  store i32 %turn, ptr %own
  br i1 %high, label %latch, label %store
store:
  store i32 %next, ptr %own
  br label %latch
latch:
  br i1 %more, label %head, label %end
end:
  ret void
}
