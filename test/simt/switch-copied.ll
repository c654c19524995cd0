; A loop with two entries, one of which is a switch: ptxas copies it in front of the loop, where no case stays in
; the loop, but in it one does, and llc peels it. Both do what the switch says.
;
; RUN: %simt %s --kernel walk --block 16 --arg buf:u32:16 --print 0 > %t.volta
; RUN: %FileCheck %s < %t.volta
; CHECK: argument 0:
; CHECK-NEXT: {{^}} 104 201 104 203 104 205 104 211{{$}}
; CHECK-NEXT: {{^}} 104 209 104 211 104 213 104 219{{$}}
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Odd threads begin at `ask`, even ones at `add`, which comes to `ask` with 2 more.
define ptx_kernel void @walk(ptr %out) "target-cpu"="sm_90" {
begin:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr i32, ptr %out, i32 %tid
  %odd = and i32 %tid, 1
  %is.odd = icmp ne i32 %odd, 0
  br i1 %is.odd, label %ask, label %add

ask:
  %v = phi i32 [ %tid, %begin ], [ %more, %again ]
  %turn = phi i32 [ 0, %begin ], [ %turn.next, %again ]
  %kind = and i32 %v, 7
  switch i32 %kind, label %other [
    i32 7, label %add
    i32 4, label %four
  ]

add:
  %u = phi i32 [ 0, %begin ], [ %v, %ask ]
  %was = phi i32 [ 0, %begin ], [ %turn, %ask ]
  %more = add i32 %u, 4
  %turn.next = add i32 %was, 1
  %goes = icmp ult i32 %turn.next, 3
  br i1 %goes, label %again, label %last

again:
  br label %ask

four:
  %w = add i32 %v, 100
  store i32 %w, ptr %to
  ret void

other:
  %x = add i32 %v, 200
  store i32 %x, ptr %to
  ret void

last:
  store i32 %more, ptr %to
  ret void
}
