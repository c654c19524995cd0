; Several cores: metrics, memory and faults are those of one core, to the byte.
; RUN: %simt %s --kernel sums --grid 5,3 --block 96 --arg buf:u32:15:none --print 0 --blocks --json > %t.1
; RUN: %simt %s --kernel sums --grid 5,3 --block 96 --arg buf:u32:15:none --print 0 --blocks --json --jobs 1 | diff - %t.1
; RUN: %simt %s --kernel sums --grid 5,3 --block 96 --arg buf:u32:15:none --print 0 --blocks --json --jobs 2 | diff - %t.1
; RUN: %simt %s --kernel sums --grid 5,3 --block 96 --arg buf:u32:15:none --print 0 --blocks --json --jobs 3 | diff - %t.1
; RUN: %simt %s --kernel sums --grid 5,3 --block 96 --arg buf:u32:15:none --print 0 --blocks --json --jobs 40 | diff - %t.1
; RUN: %FileCheck %s --check-prefix SUMS < %t.1
; RUN: %simt %s --kernel tickets --grid 8 --arg buf:u32:8:none --arg u32:3000 --print 0 --jobs 3 | %FileCheck %s --check-prefix TICKETS
; RUN: %simt %s --kernel words --grid 6 --arg u32:3000 --jobs 3 | %FileCheck %s --check-prefix WORDS
; RUN: %not %simt %s --kernel faulty --grid 9 --arg buf:u32:9 --arg u32:3000 2> %t.1
; RUN: %not %simt %s --kernel faulty --grid 9 --arg buf:u32:9 --arg u32:3000 --jobs 2 2> %t.2
; RUN: %not %simt %s --kernel faulty --grid 9 --arg buf:u32:9 --arg u32:3000 --jobs 3 2> %t.3
; RUN: diff %t.1 %t.2
; RUN: diff %t.1 %t.3
; RUN: %FileCheck %s --check-prefix FAULTY < %t.1
; RUN: %not %simt %s --kernel sums --jobs 0 2>&1 | %FileCheck %s --check-prefix ZERO

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

@sum = internal addrspace(3) global i32 poison

; Each block adds up, in shared memory and atomically, how many turns its threads take: block * (tid
; and 3). A function is called, and local memory used.
; SUMS: argument 0:
; SUMS-NEXT: 0 144 288 432 576 720 864 1008
; SUMS-NEXT: 1152 1296 1440 1584 1728 1872 2016
define internal i32 @loop(i32 %turns) noinline {
  %counter = alloca i32
  store i32 0, ptr %counter
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %next, %body ]
  %more = icmp ult i32 %i, %turns
  br i1 %more, label %body, label %end
body:
  %old = load i32, ptr %counter
  %new = add i32 %old, 1
  store i32 %new, ptr %counter
  %next = add i32 %i, 1
  br label %head
end:
  %all = load i32, ptr %counter
  ret i32 %all
}
define void @sums(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %columns = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %row = mul i32 %y, %columns
  %block = add i32 %row, %x
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %clear, label %work
clear:
  store i32 0, ptr addrspace(3) @sum
  br label %work
work:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %few = and i32 %tid, 3
  %turns = mul i32 %few, %block
  %took = call i32 @loop(i32 %turns)
  %old = atomicrmw add ptr addrspace(3) @sum, i32 %took seq_cst
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %write, label %end
write:
  %sum = load i32, ptr addrspace(3) @sum
  %at = getelementptr i32, ptr %out, i32 %block
  store i32 %sum, ptr %at
  br label %end
end:
  ret void
}

; Early blocks work longest before they take a ticket: in the order of blocks all the same.
; TICKETS: argument 0:
; TICKETS-NEXT: 0 1 2 3 4 5 6 7
@ticket = addrspace(1) global i32 0
define internal void @delay(i32 %turns) noinline {
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %next, %head ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %i, %turns
  br i1 %more, label %head, label %end
end:
  ret void
}
define void @tickets(ptr %out, i32 %turns) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %late = sub i32 8, %block
  %all = mul i32 %turns, %late
  call void @delay(i32 %all)
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %take, label %end
take:
  %ticket = atomicrmw add ptr addrspace(1) @ticket, i32 1 seq_cst
  %at = getelementptr i32, ptr %out, i32 %block
  store i32 %ticket, ptr %at
  br label %end
end:
  ret void
}

; WORDS: block 0
; WORDS-NEXT: block 1
; WORDS-NEXT: block 2
; WORDS-NEXT: block 3
; WORDS-NEXT: block 4
; WORDS-NEXT: block 5
@text = private constant [10 x i8] c"block %d\0A\00"
declare i32 @vprintf(ptr, ptr)
define void @words(i32 %turns) {
  %args = alloca i32
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %late = sub i32 6, %block
  %all = mul i32 %turns, %late
  call void @delay(i32 %all)
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %print, label %end
print:
  store i32 %block, ptr %args
  %n = call i32 @vprintf(ptr @text, ptr %args)
  br label %end
end:
  ret void
}

; Blocks 3 to 8 fault, and block 3 after the longest time.
; FAULTY: kernel faulty, block (3,0,0), thread (0,0,0): function faulty, block bad: out of bounds: store of 4 bytes at offset 48 of 'argument 0', which has 36 bytes
define void @faulty(ptr %out, i32 %turns) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %late = sub i32 9, %block
  %all = mul i32 %turns, %late
  call void @delay(i32 %all)
  %is = icmp ugt i32 %block, 2
  br i1 %is, label %bad, label %good
bad:
  %far = add i32 %block, 9
  %at = getelementptr i32, ptr %out, i32 %far
  store i32 1, ptr %at
  br label %good
good:
  ret void
}

; ZERO: --jobs: a number of 0
