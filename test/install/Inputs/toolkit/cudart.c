// CUDA's runtime on a machine without a GPU: nothing can be allocated, and nothing runs.
int cudaMalloc(void) { return 100; }
int cudaMemset(void) { return 100; }
int cudaMemcpy(void) { return 100; }
int cudaLaunchKernel(void) { return 100; }
int __cudaPushCallConfiguration(void) { return 0; }
int __cudaPopCallConfiguration(void) { return 0; }
int __cudaRegisterFunction(void) { return 0; }
void **__cudaRegisterFatBinary(void) { return 0; }
void __cudaRegisterFatBinaryEnd(void) {}
void __cudaUnregisterFatBinary(void) {}
