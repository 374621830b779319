#include "loader/watch/outputs.h"

#include "common/file_kind.h"
#include "loader/guest.h"
#include "loader/profile/profile_key.h"
#include "loader/profile/record.h"

#include <stdio.h>
#include <sys/stat.h>

/*
 * Refuses ELF files and scripts only. Any other file may be overwritten even if it is executable:
 * on some file systems every file is, an earlier output too.
 */
static bool may_write(const char *option, const char *path, struct error *error)
{
	switch (path != NULL ? file_kind_at(path) : FILE_KIND_NONE) {
	case FILE_KIND_ELF:
		return error_set(error, EXIT_OURS,
				 "--%s would overwrite %.256s, an ELF file; name another file, as "
				 "in --%s=FILE",
				 option, path, option);
	case FILE_KIND_SCRIPT:
		return error_set(error, EXIT_OURS,
				 "--%s would overwrite %.256s, a script; name another file, as in "
				 "--%s=FILE",
				 option, path, option);
	case FILE_KIND_UNREADABLE:
		return error_set(error, EXIT_OURS,
				 "--%s would overwrite %.256s, which may not be read to see if it "
				 "is a program; name another file",
				 option, path);
	default:
		return true;
	}
}

/* A profile is renamed to its name, which would replace a device such as /dev/null by a file. */
static bool may_replace(const char *path, struct error *error)
{
	struct stat status;

	if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
		return may_write("record", path, error);
	return error_set(
	    error, EXIT_OURS,
	    "--record would replace %.256s, which is no regular file; name another file", path);
}

/* A profile is first written to a file beside it: both names must be free to replace. */
static bool may_record(const struct guest *guest, struct error *error)
{
	char path[PROFILE_PATH_LENGTH], beside[PROFILE_BESIDE_LENGTH];

	if (guest->options.record == NULL)
		return true;
	if (!profile_path(guest, guest->options.record, false, path, error))
		return false;
	record_path_beside(path, beside);
	return may_replace(path, error) && may_replace(beside, error);
}

bool outputs_check(const struct guest *guest, struct error *error)
{
	return may_write("stats", guest->options.statistics_file, error) &&
	       may_write("trace", guest->options.trace, error) && may_record(guest, error);
}
