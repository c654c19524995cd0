"""A kernel with KEPT values that live across two arms, each a loop of LENGTH * 4 instructions that uses ten of them.

  large.py KEPT LENGTH
"""
import sys

K, L = int(sys.argv[1]), int(sys.argv[2])
print('target triple = "nvptx64-nvidia-cuda"')
print('define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %out, i32 %n) #0 {\nentry:\n  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()')
for k in range(K):
    print(f'  %a{k} = getelementptr i32, ptr addrspace(1) %p, i32 {k*1024}\n  %g{k} = getelementptr i32, ptr addrspace(1) %a{k}, i32 %i\n  %v{k} = load i32, ptr addrspace(1) %g{k}')
print('  %c = icmp sgt i32 %v0, 0\n  br i1 %c, label %a, label %b')
for n, base in (("a", 0), ("b", 10)):
    print(f'{n}:\n  %{n}k = phi i32 [ 0, %entry ], [ %{n}k1, %{n} ]\n  %{n}v = phi i32 [ %i, %entry ], [ %{n}z{L-1}, %{n} ]')
    prev = f'%{n}v'
    for j in range(L):
        print(f'  %{n}m{j} = mul i32 {prev}, %v{base+j%10}\n  %{n}x{j} = xor i32 %{n}m{j}, %i\n  %{n}y{j} = add i32 %{n}x{j}, %n\n  %{n}z{j} = mul i32 %{n}y{j}, %{n}y{j}')
        prev = f'%{n}z{j}'
    print(f'  %{n}k1 = add i32 %{n}k, 1\n  %{n}c = icmp ult i32 %{n}k1, %n\n  br i1 %{n}c, label %{n}, label %j')
print('j:')
print(f'  %r = phi i32 [ %az{L-1}, %a ], [ %bz{L-1}, %b ]')
prev = "%r"
for k in range(K):
    print(f'  %s{k} = add i32 {prev}, %v{k}\n  %t{k} = mul i32 %s{k}, {k+3}')
    prev = f'%t{k}'
print(f'  %o = getelementptr i32, ptr addrspace(1) %out, i32 %i\n  store i32 {prev}, ptr addrspace(1) %o\n  ret void\n}}\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\nattributes #0 = {{ "target-cpu"="sm_90" }}')
