// Needs no header.
__attribute__((global)) void kernel(int *p) { p[0] = 1; }
