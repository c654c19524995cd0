static const char *const names[] = {
    "llvm.nvvm.unheard.of",
    "tid.x",
    "%lanemask_lt",
    "shfl.sync.up.b32",
    "vprintf",
    "__nv_",
    "vote", // a verb
    "a message about %tid.x",
    "tidy",
    "barriers", // "tid.x"
};
