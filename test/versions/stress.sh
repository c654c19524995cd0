#!/bin/sh
# stress.sh PROGRAM FOLDER [LAUNCHES]: stress.c with a driver of which some functions fail now and then; and once more,
# where kernels of which there is a refilled version are launched as that.
set -e
folder=$2
rm -rf "$folder/cache" "$folder/checked"
cat >"$folder/settings" <<END
time k0 5000
time k0__linearize_needed 3000
time k0__linearize_paper 9000
time k1 5000
time k1__linearize_needed 20000
time k2 5000
time k2__linearize_needed 4000
time k3 5000
time k3__linearize_redirected 2000
time k3__linearize_paper_redirected 3000
time k3__linearize_inspect 4000
time k4 5000
time k4__linearize_refilled 2000
time k4__linearize_paper_refilled 3000
counter k4__linearize_refilled 2
counter k4__linearize_paper_refilled 2
noise 20
reuse
call 500
fail cuLaunchKernel/k0__linearize_needed 701 2000 2100
fail cuLaunchKernel/k1 701 20000 21000
fail cuLaunchKernel/k2__linearize_needed 1 5000
fail cuEventRecord 400 3000 3300
fail cuEventElapsedTime 600 1500 1600
fail cuEventCreate 2 20 40
fail cuModuleGetGlobal 500 20 30
fail cuMemAlloc 2 30 32
fail cuLaunchKernel/k3__linearize_inspect 701 1500 1501
fail cuLaunchKernel/k3__linearize_paper_redirected 701 500 501
fail cuMemsetD8Async 2 4000 4010
fail cuLaunchKernel/k4__linearize_refilled 701 15000 15005
END
# What the C library does for the driver is behind a lock that the sanitizer doesn't see.
echo "called_from_lib:libcuda.so" >"$folder/suppressions"
export LD_LIBRARY_PATH="$folder" STANDIN="$folder/settings" LINEARIZE_TUNED='' LINEARIZE_REFILL_FROM=512
export LINEARIZE_CACHE="$folder/cache" LINEARIZE_SORT="$folder/liblinearize-sort.so" LINEARIZE_VERSIONS_WRITE="$folder/found"
export TSAN_OPTIONS="halt_on_error=1 suppressions=$folder/suppressions"
"$1" "${3:-1000000}" "$folder/launches"
# What was found is a whole file, and so is what is kept of each kernel.
head -n 1 "$folder/found" | grep -qx 'linearize tuned 1'
for file in $(find "$folder/cache" -type f); do
  head -n 1 "$file" | grep -qx 'linearize tuned 1'
done
# With few streams launches are made to run alone, now and then.
echo "fail cuStreamWaitEvent 400 300 310" >>"$folder/settings"
"$1" "${3:-300000}" "$folder/launches" 3
grep -q '^cuStreamWaitEvent: [0-9]\{3,\} calls' "$folder/launches"
LINEARIZE_VERSIONS=refilled "$1" "${3:-500000}" "$folder/launches"
grep -q '^counters: [0-9]\{4,\} used, 0 wrong' "$folder/launches"
# Launches that are checked run several times, so counts are wrong; nothing else is.
LINEARIZE_VERSIONS=each LINEARIZE_VERSIONS_CHECK="$folder/checked" "$1" "${3:-50000}" "$folder/launches" || test $? = 1
grep -q '^checked.*redirected' "$folder/checked"
! grep -v '^checked' "$folder/checked"
