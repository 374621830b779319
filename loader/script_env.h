/* Scripts that begin with #!/usr/bin/env NAME. Host code. */
#ifndef LOADER_SCRIPT_ENV_H
#define LOADER_SCRIPT_ENV_H

#include "common/program_file.h"
#include "common/script.h"

/*
 * Opens the program that env(1) would execute for a script, so that this program is loaded, and not
 * env, which would leave the loader by execve. False where env has to do more than to look up a
 * name, or where its execve gives more than a loader can: a privilege, another format. Then env is
 * loaded, and reports what is wrong. The caller closes the file.
 */
bool script_env_open(const struct script *script, struct program_file *file);

#endif
