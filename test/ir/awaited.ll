; A loop that reads volatile or atomically polls if a way out of it, or of a loop around it, may
; depend on what it has read. If not, mode needed treats it like any other.
;
; What stands for BODY is done in each turn, LATER behind that, which the next turn is given NEXT of;
; the loop goes on while %again. The region in it is worth it.
;
; DEFINE: %{body} =
; DEFINE: %{later} =
; DEFINE: %{next} = %i
; DEFINE: %{again} =
; DEFINE: %{loop} = sed "s/^ *BODY$/  %{body}/; s/^ *LATER$/  %{later}/; s/NEXT, %last/%{next}, %last/; s/^ *AGAIN$/  %again = %{again}/" %s
; DEFINE: %{pass} = %opt %load -passes='linearize,verify' %all-remarks -disable-output 2>&1
; DEFINE: %{polls} = %{loop} | %{pass} | %FileCheck %s --check-prefix POLLS
; DEFINE: %{free} = %{loop} | %{pass} | %FileCheck %s --check-prefix FREE
; POLLS: it is in a loop that polls memory
; FREE-NOT: polls memory
; FREE: function 'loop', block {{.*}}: linearized a region
;
; What is stored where it says, added up, chosen by, or nothing: nobody waits for it.
; REDEFINE: %{again} = icmp ult i32 %i1, %n
; REDEFINE: %{body} = %old = atomicrmw add ptr %word, i32 1 monotonic
; REDEFINE: %{later} = %at = getelementptr i32, ptr %out, i32 %old\n store i32 %i, ptr %at
; RUN: %{free}
; REDEFINE: %{later} = store i32 %old, ptr %out
; RUN: %{free}
; REDEFINE: %{later} = %first = icmp eq i32 %old, 0\n br i1 %first, label %branch, label %join\n branch:\n store i32 %i, ptr %out\n br label %join\n join:
; RUN: %{free}
; REDEFINE: %{body} = %old = load volatile i32, ptr %word
; RUN: %{free}
; REDEFINE: %{body} = %old = load atomic i32, ptr %word acquire, align 4
; RUN: %{free}
; REDEFINE: %{body} = %cas = cmpxchg ptr %word, i32 0, i32 1 seq_cst seq_cst\n %old = extractvalue { i32, i1 } %cas, 0
; RUN: %{free}
; Who leaves by a trap waits for nobody, either.
; REDEFINE: %{later} = %wrong = icmp ugt i32 %old, 4096\n br i1 %wrong, label %bad, label %fine\n fine:
; RUN: %{free}
;
; A spin lock; a ticket; through a phi of the next turn, a select, a cast and arithmetic.
; REDEFINE: %{later} =
; REDEFINE: %{again} = extractvalue { i32, i1 } %cas, 1
; RUN: %{polls}
; REDEFINE: %{body} = %now = load atomic i32, ptr %word acquire, align 4
; REDEFINE: %{again} = icmp ne i32 %now, %n
; RUN: %{polls}
; REDEFINE: %{body} = %old = load volatile i32, ptr %word
; REDEFINE: %{next} = %old
; REDEFINE: %{again} = icmp ne i32 %carried, %n
; RUN: %{polls}
; REDEFINE: %{next} = %i
; REDEFINE: %{later} = %f = icmp eq i32 %old, 3\n %g = select i1 %f, i32 %i, i32 %n
; REDEFINE: %{again} = icmp ult i32 %g, 7
; RUN: %{polls}
; REDEFINE: %{later} = %wide = zext i32 %old to i64\n %half = lshr i64 %wide, 3\n %low = trunc i64 %half to i1
; REDEFINE: %{again} = xor i1 %low, true
; RUN: %{polls}
; As an address, as an argument, as what an atomic operation adds.
; REDEFINE: %{later} = %at = getelementptr i32, ptr %out, i32 %old\n %got = load i32, ptr %at
; REDEFINE: %{again} = icmp ult i32 %got, 7
; RUN: %{polls}
; REDEFINE: %{later} = %got = call i32 @pure(i32 %old)
; RUN: %{polls}
; REDEFINE: %{later} = %got = atomicrmw add ptr %out, i32 %old monotonic
; RUN: %{polls}
;
; By a branch: a way out, a way out in a block that it leads to, a value that it chooses.
; REDEFINE: %{again} = icmp ult i32 %i1, %n
; REDEFINE: %{later} = %done = icmp eq i32 %old, 9\n br i1 %done, label %end, label %more\n more:
; RUN: %{polls}
; REDEFINE: %{later} = %f = icmp eq i32 %old, 9\n br i1 %f, label %branch, label %join\n branch:\n %d = icmp eq i32 %i, %n\n br i1 %d, label %end, label %join\n join:
; RUN: %{polls}
; REDEFINE: %{later} = switch i32 %old, label %join [ i32 1, label %branch\n i32 2, label %branch ]\n branch:\n %d = icmp eq i32 %i, %n\n br i1 %d, label %end, label %join\n join:
; RUN: %{polls}
; REDEFINE: %{later} = %f = icmp eq i32 %old, 9\n br i1 %f, label %branch, label %join\n branch:\n br label %join\n join:\n %g = phi i32 [ 0, %branch ], [ %i, %end1 ]
; REDEFINE: %{again} = icmp ult i32 %g, 7
; RUN: %{polls}
; How often an inner loop goes around.
; REDEFINE: %{later} = br label %inner\n inner:\n %j = phi i32 [ 0, %end1 ], [ %j1, %inner ]\n %j1 = add i32 %j, 1\n %d = icmp ult i32 %j1, %old\n br i1 %d, label %inner, label %join\n join:
; REDEFINE: %{again} = icmp ult i32 %j, 7
; RUN: %{polls}
; What is done only in some turns.
; REDEFINE: %{later} = %f = icmp eq i32 %old, 9\n br i1 %f, label %branch, label %join\n branch:\n %more = add i32 %carried, 2\n br label %join\n join:\n %g = phi i32 [ %more, %branch ], [ %carried, %end1 ]
; REDEFINE: %{next} = %g
; REDEFINE: %{again} = icmp ult i32 %carried, %n
; RUN: %{polls}
; REDEFINE: %{again} = icmp ult i32 %i1, %n
; RUN: %{free}
; REDEFINE: %{next} = %i
; REDEFINE: %{again} = icmp ult i32 %got, 7
;
; By memory: a thread's own, what a call may know, what may be the same; not another parameter of a
; kernel, nor another variable.
; REDEFINE: %{later} = store i32 %old, ptr %own\n %got = load i32, ptr %own
; REDEFINE: %{again} = icmp ult i32 %got, 7
; RUN: %{polls}
; REDEFINE: %{later} = store i32 %old, ptr %own\n %got = load i32, ptr @elsewhere
; RUN: %{free}
; REDEFINE: %{later} = store i32 %old, ptr %own\n %got = load i32, ptr %unknown
; RUN: %{polls}
; REDEFINE: %{later} = store i32 %old, ptr %unknown\n %got = load i32, ptr %own
; RUN: %{polls}
; REDEFINE: %{later} = store i32 %old, ptr %out\n %got = load i32, ptr %word
; RUN: %{free}
; REDEFINE: %{later} = store i32 %old, ptr %out\n call void @copies()\n %got = load i32, ptr %own
; RUN: %{polls}
; REDEFINE: %{later} = call void @takes(i32 %old)\n %got = load i32, ptr %own
; RUN: %{polls}
; REDEFINE: %{later} = %f = icmp eq i32 %old, 9\n br i1 %f, label %branch, label %join\n branch:\n store i32 1, ptr %own\n br label %join\n join:\n %got = load i32, ptr %own
; RUN: %{polls}
; REDEFINE: %{later} = %got = load i32, ptr %word
; RUN: %{free}
; REDEFINE: %{body} = %old = atomicrmw xchg ptr %word, i32 1 monotonic\n %use = add i32 %old, 1
; RUN: %{polls}
;
; Loops that are merged: an inner loop that reads what the outer one waits for, or nobody.
; DEFINE: %{merge} = %opt %load -passes='linearize-merge-loops<regardless>,verify' %all-remarks -disable-output 2>&1
; REDEFINE: %{body} = br label %inner\n inner:\n %j = phi i32 [ 0, %end1 ], [ %j1, %inner ]\n %old = load volatile i32, ptr %word\n %j1 = add i32 %j, 1\n %d = icmp ult i32 %j1, %me\n br i1 %d, label %inner, label %join\n join:
; REDEFINE: %{later} =
; REDEFINE: %{again} = icmp ult i32 %old, 7
; RUN: %{loop} | %{merge} | %FileCheck %s --check-prefix NEST-POLLS
; REDEFINE: %{again} = icmp ult i32 %i1, %n
; RUN: %{loop} | %{merge} | %FileCheck %s --check-prefix NEST-FREE
; NEST-POLLS: not merged with the loop around it: it polls memory
; NEST-FREE: merged this loop with the one around it
;
; What a call reads so is taken to be waited for.
; REDEFINE: %{later} =
; REDEFINE: %{body} = %old = call i32 @looks(ptr %word)
; REDEFINE: %{again} = icmp ult i32 %i1, %n
; RUN: %{polls}

target triple = "nvptx64-nvidia-cuda"

@elsewhere = external global i32

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @pure(i32) nosync memory(none)
declare void @copies() nosync
declare void @takes(i32) nosync
declare void @llvm.trap() noreturn

define internal i32 @looks(ptr %p) noinline {
  %v = load volatile i32, ptr %p
  ret i32 %v
}

define ptx_kernel void @loop(ptr %word, ptr %out, ptr %in, i32 %n) #0 {
entry:
  %me = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = alloca i32
  store i32 0, ptr %own
  %unknown = load ptr, ptr %in
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %last ]
  %carried = phi i32 [ 0, %entry ], [ NEXT, %last ]
  %i1 = add i32 %i, 1
  %c1 = icmp ugt i32 %me, %i
  br i1 %c1, label %c3, label %second
second:
  %x2 = mul i32 %me, %i
  %c2 = icmp ugt i32 %x2, 77
  br i1 %c2, label %c3, label %no
c3:
  %x3 = xor i32 %me, %i
  %q3 = udiv i32 %x3, %n
  %r3 = udiv i32 %q3, %n
  %c3c = icmp ugt i32 %r3, 3
  br i1 %c3c, label %yes, label %no
yes:
  %y1 = udiv i32 %me, %n
  %y2 = udiv i32 %y1, %i1
  %y3 = udiv i32 %y2, %n
  br label %end1
no:
  %z1 = udiv i32 %i, %n
  %z2 = udiv i32 %z1, %n
  br label %end1
end1:
  %v0 = phi i32 [ %y3, %yes ], [ %z2, %no ]
  %to = getelementptr i32, ptr addrspace(1) null, i32 %i
  store i32 %v0, ptr addrspace(1) %to
  BODY
  LATER
  br label %last
last:
  AGAIN
  br i1 %again, label %head, label %end
end:
  ret void
bad:
  call void @llvm.trap()
  unreachable
}

attributes #0 = { "target-cpu"="sm_90" }
