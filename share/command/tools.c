/* The commands that are tools with names of their own, too. */
#include "common/file_kind.h"
#include "share/command/watch.h"

bool command_output_open(struct output_file *file, const char *what, const char *name,
			 struct error *error)
{
	const char *kept = file_kind_kept(file_kind_at(name));

	if (kept != NULL)
		return error_set(error, EXIT_OURS,
				 "%s would overwrite %.256s, %s; name another file", what, name,
				 kept);
	return output_file_open(file, what, name, error);
}

int command_profile(int argc, char **argv)
{
	return page_profile_main("pagewise profile", argc, argv);
}

/* page-profile reads `learn` as its first word. */
int command_learn(int argc, char **argv)
{
	return page_profile_main("pagewise learn", argc + 1, argv - 1);
}

int command_layout(int argc, char **argv)
{
	return page_layout_main("pagewise layout", argc, argv);
}
