// One line on standard error about what a caller did wrong, for who asked for it by
// LINEARIZE_CHECK.
#ifndef LIN_THREADS_COMPLAIN_H
#define LIN_THREADS_COMPLAIN_H

#include <stdbool.h>

// Whether LINEARIZE_CHECK is set, to anything.
bool lin_is_checking(void);

// "linearize: FUNCTION: ..." and the end of the line, if so. Returns false.
__attribute__((format(printf, 2, 3))) bool lin_complain(const char *function, const char *format,
                                                        ...);

#endif
