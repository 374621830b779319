/* The commands that are tools with names of their own, too. */
#include "common/file_kind.h"
#include "share/command/watch.h"

bool command_output_open(struct output_file *file, const char *what, const char *name,
			 struct error *error)
{
	return file_kind_may_replace(what, name, error) &&
	       output_file_open(file, what, name, error);
}

bool command_take_output(const char **output, const char *value, struct error *error)
{
	if (value[0] == '=')
		return error_set(error, EXIT_OURS, "-o takes its file without =; write -o %.256s",
				 value + 1);
	if (value[0] == '-')
		return error_set(error, EXIT_OURS,
				 "-o took %.256s as its file; write ./%.256s if that is meant, or "
				 "/dev/stdout",
				 value, value);
	if (*output != NULL)
		return error_set(error, EXIT_OURS, "-o names %.256s and %.256s; leave one out",
				 *output, value);
	*output = value;
	return true;
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
