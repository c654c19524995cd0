target triple = "nvptx64-nvidia-cuda"

define void @returns(i1 %x, i1 %y, ptr %p) {
entry:
  br i1 %x, label %a, label %b
a:
  store volatile i32 1, ptr %p
  br i1 %y, label %b, label %c
b:
  store volatile i32 2, ptr %p
  ret void
c:
  store volatile i32 3, ptr %p
  ret void
}

define void @structured(i1 %x, ptr %p) {
entry:
  br i1 %x, label %a, label %b
a:
  store i32 1, ptr %p
  br label %b
b:
  ret void
}

declare void @llvm.nvvm.barrier0() convergent
declare void @other() convergent

define void @refused(i1 %x, i1 %y, ptr %p) {
entry:
  br i1 %x, label %a, label %b
a:
  %address = select i1 %y, ptr blockaddress(@refused, %b), ptr blockaddress(@refused, %c)
  indirectbr ptr %address, [label %b, label %c]
b:
  store volatile i32 2, ptr %p
  br i1 %y, label %a, label %c
c:
  br label %d
d:
  ret void
}

declare void @llvm.trap()

define ptx_kernel void @counted(i32 %n) {
entry:
  %bad = icmp eq i32 %n, 0
  br i1 %bad, label %trap, label %done
trap:
  call void @llvm.trap()
  unreachable
done:
  ret void
}
