/*
 * Finds the file that an interpreter runs: scripts with the same interpreter have little else in
 * common.
 */
#pragma once

/*
 * The file that a known interpreter is given to run: the first of its arguments that names a
 * regular file, or the module after Python's -m. NULL if the program is not a known interpreter, or
 * if its code comes from an argument (-c, -e) or from standard input. The result is one of the
 * arguments. `path` is the program's path. The arguments start with argv[0] and end with NULL. Host
 * code.
 */
const char *interpreted(const char *path, char *const *arguments);
