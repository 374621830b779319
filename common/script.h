/* How the kernel handles a script: it executes the interpreter of the first line instead. Pure. */
#pragma once

#include <stdbool.h>

/* The kernel reads this many bytes of a script (BINPRM_BUF_SIZE). */
#define SCRIPT_LINE_BYTES 256

/* Interpreters may be scripts, too; at most this many in a row (exec_binprm). */
#define SCRIPTS_MAX 5

struct script {
	char line[SCRIPT_LINE_BYTES]; /* start of the file, zero-filled */
	const char *interpreter;      /* pointer into `line` */
	const char *argument; /* pointer into `line`: everything after the interpreter is one
				 argument; NULL: none */
};

/*
 * Finds interpreter and argument in `line`, which starts with #!, and terminates both with NUL, as
 * load_script (fs/binfmt_script.c) does. Returns false if execve would return ENOEXEC: there is no
 * interpreter, or its name does not end within the line.
 */
bool script_parse(struct script *script);

/*
 * The arguments of the interpreter: its name, the line's argument, the path of the script, and the
 * script's arguments without argv[0]. NULL-terminated, from malloc; NULL if there is no memory.
 */
char **script_arguments(const struct script *script, const char *path, char **arguments);
