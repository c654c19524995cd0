// Programs that others start by themselves.
#ifndef LIN_TOOLS_HELPER_H
#define LIN_TOOLS_HELPER_H

// The path of the program `name`: what the environment's `variable` says, unless that is NULL; else
// the file of that name in this program's folder or, if a preloaded library asks, in the folder bin
// beside the library's. Stays until the thread's next call. O(length).
const char *tool_find_helper(const char *variable, const char *name);

#endif
