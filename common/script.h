/* What the kernel makes of a script: the first line's interpreter is executed in its place. Pure.
 */
#ifndef COMMON_SCRIPT_H
#define COMMON_SCRIPT_H

#include <stdbool.h>

/* The kernel looks at so many bytes of a file, and no more (BINPRM_BUF_SIZE). */
#define SCRIPT_LINE_BYTES 256

/* Interpreters may be scripts, too: so many, one interpreting the other (exec_binprm). */
#define SCRIPTS_MAX 5

struct script {
	char line[SCRIPT_LINE_BYTES]; /* how the file begins, and zeros after its end */
	const char *interpreter;      /* in line */
	const char
	    *argument; /* in line; all that follows the interpreter is one argument; NULL: none */
};

/*
 * Finds interpreter and argument in line, which begins with #!, and ends both with NUL, as
 * load_script (fs/binfmt_script.c) does. False where execve answers ENOEXEC: there is no
 * interpreter, or none that ends within the line.
 */
bool script_parse(struct script *script);

/*
 * The arguments of the interpreter: itself, the line's argument, the path of the script, and the
 * script's arguments without its own name. NULL-terminated, from malloc; NULL if there is no
 * memory.
 */
char **script_arguments(const struct script *script, const char *path, char **arguments);

#endif
