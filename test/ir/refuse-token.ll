; RUN: %opt -S %s -o %t.before
; RUN: %opt %load -passes='linearize<paper>' -pass-remarks-missed=linearize -S %s -o %t.paper 2>&1 | %FileCheck %s
; RUN: diff %t.before %t.paper
; RUN: %opt %load -passes='linearize<all>' -S %s -o %t.all
; RUN: diff %t.before %t.all
; RUN: %opt %load -passes='linearize<needed>' -S %s -o %t.needed
; RUN: diff %t.before %t.needed
;
; Another token that would cross a guard: a token can't go through a phi.
;
; CHECK: remark:
; CHECK-SAME: ticket
; CHECK-SAME: {{issue|redeem}}
; CHECK-SAME: token

target triple = "nvptx64-nvidia-cuda"

declare token @llvm.coro.save(ptr)
declare i8 @llvm.coro.suspend(token, i1)

define void @ticket(ptr %p, i1 %c, i1 %d) presplitcoroutine {
entry:
  br i1 %c, label %issue, label %join
issue:
  store i32 1, ptr %p
  %t = call token @llvm.coro.save(ptr null)
  br i1 %d, label %join, label %redeem
redeem:
  %s = call i8 @llvm.coro.suspend(token %t, i1 false)
  br label %end
join:
  store i32 2, ptr %p
  br label %end
end:
  ret void
}
