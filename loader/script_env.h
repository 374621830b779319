/* Scripts that begin with #!/usr/bin/env NAME. Host code. */
#pragma once

#include "common/program_file.h"
#include "common/script.h"

/*
 * Finds the program that env(1) would execute for a script. The loader loads that program instead
 * of env, which would leave the loader by execve. Returns false if env has to do more than look up
 * a name. Also returns false if execve can do more than a loader: grant a privilege, or run another
 * format. Then env is loaded, and reports what is wrong. The caller closes the file.
 */
bool script_env_open(const struct script *script, struct program_file *file);
