// Programs that are run with a library of ours in front of the CUDA driver.
#ifndef LIN_TOOLS_PRELOAD_H
#define LIN_TOOLS_PRELOAD_H

// Puts a text behind what an environment variable has, with `separator` between them. Ends the
// program if there is no memory.
void tool_append_environment(const char *name, const char *separator, const char *text);

// Has programs that are started from here begin with `library`, which is in lib/ where this program
// is in bin/; others that are preloaded come first. Ends the program if it isn't there, or the
// loader can't take it.
void tool_preload(const char *library);

// Tells what is preloaded where linearize-lift stands: beside this program, and not beside the one
// that it runs.
void tool_name_helper(void);

// Has programs that are started from here have their PTX changed, as linearize-run does: `options`
// are added to $LINEARIZE_OPTIONS. Ends the program as tool_preload does.
void tool_preload_ptx(const char *options);

#endif
