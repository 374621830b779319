#include "share/profile/page_profile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool may_be_followed(const char *name, const struct stat *status, struct error *error)
{
	if ((status->st_mode & 022) == 0 && status->st_uid != geteuid() && status->st_uid != 0)
		return error_set(error, EXIT_OURS,
				 "%.256s is user %u's, so its files are not read ahead; copy it",
				 name, status->st_uid);
	if ((status->st_mode & 022) == 0)
		return true;
	return error_set(
	    error, EXIT_OURS,
	    "%.256s: other users may write to it, so its files are not read ahead; take "
	    "it over, chmod 600",
	    name);
}

static char *read_text(const char *name, bool trusted, struct error *error)
{
	int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	char *text = NULL;
	ssize_t length = -1;

	if (file >= 0 && fstat(file, &status) == 0) {
		if (trusted && !may_be_followed(name, &status, error))
			return NULL;
		text = malloc(PROFILE_TEXT_MAX + 1);
		if (text != NULL)
			length = read(file, text, PROFILE_TEXT_MAX);
	}
	if (length < 0) {
		error_set(error, EXIT_OURS,
			  "%.256s cannot be read: %s; name a file, or a folder such as "
			  "~/.cache/pagewise",
			  name, strerror(errno));
		return NULL;
	}
	close(file);
	text[length] = '\0';
	return text;
}

bool profile_file_read(const char *name, bool trusted, struct profile_file *file,
		       struct error *error)
{
	char *text = read_text(name, trusted, error);

	file->name = name;
	if (text == NULL)
		return false;
	switch (profile_text_parse(text, &file->text)) {
	case PROFILE_TEXT_WHOLE:
		return true;
	case PROFILE_TEXT_DAMAGED:
		return error_set(error, EXIT_OURS, "%.256s is damaged; learn again", name);
	default:
		return error_set(error, EXIT_OURS, "%.256s is no profile; pagewise learn makes one",
				 name);
	}
}

uint64_t all_bytes(const struct known_files *files)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < files->count; i++)
		bytes += file_range_bytes(&files->files[i]);
	return bytes;
}
