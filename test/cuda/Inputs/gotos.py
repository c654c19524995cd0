"""Prints a kernel of so many labels, with a goto behind each to another one nearby."""
import random
import sys

count = int(sys.argv[1])
random.seed(1)
print('#include "gpu.h"\n__global__ void kernel(unsigned *a) {\n  unsigned x = a[tid];')
for label in range(count):
    target = random.randrange(max(0, label - 30), min(count, label + 30))
    print(f"l{label}: x = x * {random.randrange(7, 199, 2)}u + a[(x + {label}) & 1023];")
    print(f"  if (x & {1 << random.randrange(16)}) goto l{target};")
print("  a[tid] = x;\n}")
