/* Which file an interpreter runs: scripts share their interpreter, and have little else in common.
 */
#ifndef LOADER_PROFILE_INTERPRETED_H
#define LOADER_PROFILE_INTERPRETED_H

/*
 * What a program that is known as an interpreter is given to run: the first of its arguments that
 * names a regular file, or the module after Python's -m. NULL: the program is no such interpreter,
 * or it gets its code from an argument (-c, -e) or from standard input. The result is one of the
 * arguments. `path` is the program's; the arguments begin with argv[0] and end with NULL. Host
 * code.
 */
const char *interpreted(const char *path, char *const *arguments);

#endif
