// The grammar of LINEARIZE_OPTIONS: one for the plugin and for the tools that read PTX.
//
//     mode=paper,threshold=9      paper;O2      versions=plain,needed;remarks=passed
//
// Options stand between ',', ';' and blanks. Behind versions= a comma stands between versions, up
// to a ';' or a NAME=VALUE.
#ifndef LIN_VERSIONS_VARIABLE_H
#define LIN_VERSIONS_VARIABLE_H

#ifdef __cplusplus
extern "C" {
#endif

// Rewrites `list`, which ends with a 0, in its place: ';' between options, ':' between versions.
// O(length).
void lin_variable_normalize(char *list);

#ifdef __cplusplus
}
#endif

#endif
