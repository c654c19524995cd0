; A call of code that isn't here is named, and whoever says that it waits for nobody is believed:
; attributes of the function or of the call, and OptiX, whose rays never wait for each other.
;
; DEFINE: %{callee} = @table
; DEFINE: %{of_function} =
; DEFINE: %{of_call} =
; DEFINE: %{loop} = sed "s/CALLEE/%{callee}/; s/OF_FUNCTION/%{of_function}/; s/OF_CALL/%{of_call}/" %s
; DEFINE: %{pass} = %opt %load -passes='linearize,verify' %all-remarks -disable-output 2>&1
; RUN: %{loop} | %{pass} | %FileCheck %s --check-prefix=NAMED
; NAMED: function 'loop', {{.*}}: its loop calls 'table', whose code isn't here, and threads may wait there
; NAMED-NOT: polls memory
; NAMED: function 'outer', {{.*}}: its loop calls 'inner', which calls code that isn't here, and threads may wait there
; NAMED: function 'ray', {{.*}}: linearized a region
; RUN: %{loop} | %opt %load -passes='linearize-merge-loops,verify' %all-remarks -disable-output 2>&1 | %FileCheck %s --check-prefix=NEST
; NEST: function 'nest', {{.*}}: not merged with the loop around it: calls 'table', whose code isn't here
;
; FREE-NOT: isn't here
; FREE: function 'loop', block {{.*}}: linearized a region
; REDEFINE: %{of_function} = memory(none)
; RUN: %{loop} | %{pass} | %FileCheck %s --check-prefix=FREE
; REDEFINE: %{of_function} = memory(read)
; RUN: %{loop} | %{pass} | %FileCheck %s --check-prefix=FREE
; REDEFINE: %{of_function} = nosync
; RUN: %{loop} | %{pass} | %FileCheck %s --check-prefix=FREE
; REDEFINE: %{of_function} =
; REDEFINE: %{of_call} = memory(read)
; RUN: %{loop} | %{pass} | %FileCheck %s --check-prefix=FREE
; REDEFINE: %{of_call} = nosync
; RUN: %{loop} | %{pass} | %FileCheck %s --check-prefix=FREE
; REDEFINE: %{of_call} =
; REDEFINE: %{callee} = @_optix_get_launch_index_x
; RUN: %{loop} | %{pass} | %FileCheck %s --check-prefix=FREE

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @table(i32) OF_FUNCTION
declare i32 @_optix_get_launch_index_x(i32)

define ptx_kernel void @loop(ptr %out, i32 %n) #0 {
entry:
  %me = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %last ]
  %i1 = add i32 %i, 1
  %t = call i32 CALLEE(i32 %i) OF_CALL
  %c1 = icmp ugt i32 %me, %t
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
  br label %last
no:
  %z1 = udiv i32 %i, %n
  %z2 = udiv i32 %z1, %i1
  %z3 = udiv i32 %z2, %n
  br label %last
last:
  %v = phi i32 [ %y3, %yes ], [ %z3, %no ]
  store i32 %v, ptr %out
  %again = icmp ult i32 %i1, %n
  br i1 %again, label %head, label %end
end:
  ret void
}

define internal i32 @inner(i32 %x) noinline {
  %t = call i32 @table(i32 %x)
  ret i32 %t
}

define ptx_kernel void @outer(ptr %out, i32 %n) #0 {
entry:
  %me = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %last ]
  %i1 = add i32 %i, 1
  %t = call i32 @inner(i32 %i)
  %c1 = icmp ugt i32 %me, %t
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
  br label %last
no:
  %z1 = udiv i32 %i, %n
  %z2 = udiv i32 %z1, %i1
  %z3 = udiv i32 %z2, %n
  br label %last
last:
  %v = phi i32 [ %y3, %yes ], [ %z3, %no ]
  store i32 %v, ptr %out
  %again = icmp ult i32 %i1, %n
  br i1 %again, label %head, label %end
end:
  ret void
}

define ptx_kernel void @nest(ptr %out, i32 %n) #0 {
entry:
  %me = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %last ]
  %i1 = add i32 %i, 1
  br label %turn
turn:
  %j = phi i32 [ 0, %head ], [ %j1, %turn ]
  %j1 = add i32 %j, 1
  %t = call i32 @table(i32 %j)
  store i32 %t, ptr %out
  %more = icmp ult i32 %j1, %me
  br i1 %more, label %turn, label %last
last:
  %again = icmp ult i32 %i1, %n
  br i1 %again, label %head, label %end
end:
  ret void
}

define ptx_kernel void @ray(ptr %out, i32 %n) #0 {
entry:
  %me = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %last ]
  %i1 = add i32 %i, 1
  %t = call i32 asm sideeffect "call ($0), _optix_read, ($1);", "=r,r"(i32 %i)
  %c1 = icmp ugt i32 %me, %t
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
  br label %last
no:
  %z1 = udiv i32 %i, %n
  %z2 = udiv i32 %z1, %i1
  %z3 = udiv i32 %z2, %n
  br label %last
last:
  %v = phi i32 [ %y3, %yes ], [ %z3, %no ]
  store i32 %v, ptr %out
  %again = icmp ult i32 %i1, %n
  br i1 %again, label %head, label %end
end:
  ret void
}

attributes #0 = { "target-cpu"="sm_60" }
