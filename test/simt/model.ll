; Without --model it is that of the GPU that the kernel is compiled for: volta from sm_70 on, else
; ipdom, and the report says which it was.
; RUN: %simt %s --kernel old | %FileCheck %s --check-prefix IPDOM
; RUN: %simt %s --kernel older | %FileCheck %s --check-prefix IPDOM
; RUN: %simt %s --kernel new | %FileCheck %s --check-prefix VOLTA
; RUN: %simt %s --kernel newer | %FileCheck %s --check-prefix VOLTA
; RUN: %simt %s --kernel none | %FileCheck %s --check-prefix IPDOM
; RUN: %simt %s --kernel new --model frontier | %FileCheck %s --check-prefix FRONTIER
; RUN: %simt %s --kernel new --model ipdom | %FileCheck %s --check-prefix IPDOM
; RUN: %simt %s --kernel new --json | %FileCheck %s --check-prefix JSON
;
; IPDOM: model ipdom
; VOLTA: model volta
; FRONTIER: model frontier
; JSON: {"kernel":"new","model":"volta",
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @old() #0 { ret void }
define ptx_kernel void @older() #1 { ret void }
define ptx_kernel void @new() #2 { ret void }
define ptx_kernel void @newer() #3 { ret void }
define ptx_kernel void @none() { ret void }

attributes #0 = { "target-cpu"="sm_62" }
attributes #1 = { "target-cpu"="sm_30" }
attributes #2 = { "target-cpu"="sm_70" }
attributes #3 = { "target-cpu"="sm_120a" }
