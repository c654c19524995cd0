; The kernel of bench/simulator: a loop in which all lanes stay together, with the mix of a real one:
; integers, floats, addresses, two loads and a store.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define void @mix(ptr %words, i32 %mask, i32 %rounds, ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %block, 256
  %thread = add i32 %base, %tid
  %wide = zext i32 %thread to i64
  %mine = getelementptr i32, ptr %out, i64 %wide
  br label %loop

loop:
  %round = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i32 [ %thread, %entry ], [ %mixed, %loop ]
  %f = phi float [ 1.0, %entry ], [ %scaled, %loop ]
  %h0 = lshr i32 %x, 16
  %h1 = xor i32 %h0, %x
  %h2 = mul i32 %h1, -2048144789
  %h3 = lshr i32 %h2, 13
  %h4 = xor i32 %h3, %h2
  %near = add i32 %thread, %round
  %i0 = and i32 %near, %mask
  %w0 = zext i32 %i0 to i64
  %p0 = getelementptr i32, ptr %words, i64 %w0
  %v0 = load i32, ptr %p0
  %i1 = and i32 %h4, %mask
  %w1 = zext i32 %i1 to i64
  %p1 = getelementptr i32, ptr %words, i64 %w1
  %v1 = load i32, ptr %p1
  %odd = and i32 %v0, 1
  %is = icmp eq i32 %odd, 0
  %chosen = select i1 %is, i32 %v1, i32 %h4
  %mixed = add i32 %chosen, %v0
  %g = uitofp i32 %v1 to float
  %product = fmul float %g, 0x3DF0000000000000
  %sum = fadd float %product, %f
  %scaled = fmul float %sum, 5.0e-1
  %bits = bitcast float %scaled to i32
  store i32 %bits, ptr %mine
  %next = add i32 %round, 1
  %again = icmp ult i32 %next, %rounds
  br i1 %again, label %loop, label %end

end:
  ret void
}
