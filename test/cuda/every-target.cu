// REQUIRES: ptxas
// The linearized PTX assembles for every target that this ptxas knows, from the sm_75 one.
// RUN: %cudacc --cuda-gpu-arch=sm_75 -O3 %fplugin -mllvm -linearize-mode=paper -S -o %t.ptx %s
// RUN: %python %S/Inputs/every_target.py %ptxas %t.ptx
#include "kernels.h"
