// Remarks about PTX as lines of text, from a program that lifts it to the one that asked for that.
//
// 0 TAB Linearized TAB f TAB $L__BB0_2 TAB 47 TAB a.cu TAB 12 TAB 84 TAB 52 114 10 TAB linear...
// kind  name           function  block     line   source, line  brief  an estimate    message
#ifndef LIN_TOOLS_RECORDS_H
#define LIN_TOOLS_RECORDS_H

#include "ptx/remark.h"

#include <stdbool.h>
#include <stdio.h>

#include <stdio.h>

// Writes one line.
void tool_record_write(FILE *file, const lin_ptx_remark *remark);

// Reads a line, which ends with NUL and loses its tabs: the remark's texts stay there. Returns
// false if it is no record. O(length of the line).
bool tool_record_read(char *line, lin_ptx_remark *remark);

#endif
