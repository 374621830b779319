/* --profile: reads a profile. */
#include "loader/profile/profile.h"

#include "common/report.h"
#include "loader/guest.h"
#include "loader/profile/profile_key.h"
#include "loader/profile/profile_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* all_at_once_loader reads profiles, but has nothing to record. */
#define RECORD_ONE "record one with on_demand_loader --record"

static bool is_missing(const char *value, const char *path, struct error *error)
{
	if (errno == ENOENT && strcmp(value, path) != 0) {
		report_detail("there is no profile of it yet: %s; record it with --record=%s", path,
			      value);
		return true;
	}
	return error_set(error, EXIT_OURS, "the profile %s cannot be read: %s; " RECORD_ONE, path,
			 strerror(errno));
}

/* The beginning of the file as a string; NULL when it cannot be read. In the cache it is ours. */
static char *read_start(const char *path, bool from_cache)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	ssize_t length = -1;
	char *text = NULL;

	if (file < 0)
		return NULL;
	if (fstat(file, &status) != 0 || (from_cache && status.st_uid != geteuid())) {
		errno = EPERM;
	} else {
		size_t wanted =
		    status.st_size < PROFILE_TEXT_MAX ? (size_t)status.st_size : PROFILE_TEXT_MAX;

		text = malloc(wanted + 1);
		if (text != NULL)
			length = read(file, text, wanted);
	}
	close(file);
	if (length < 0)
		return NULL;
	text[length] = '\0';
	return text;
}

bool profile_read(struct guest *guest, struct error *error)
{
	const char *value = guest->options.profile;
	char path[PROFILE_PATH_LENGTH], key[PROFILE_KEY_LENGTH];
	struct profile_text parsed;
	char *text;

	profile_key(guest, key);
	if (!profile_path(value, key, false, path, error))
		return false;
	text = read_start(path, strcmp(value, "auto") == 0);
	if (text == NULL)
		return is_missing(value, path, error);
	switch (profile_text_parse(text, &parsed)) {
	case PROFILE_TEXT_OTHER:
		return error_set(error, EXIT_OURS,
				 "%s is no profile that --record wrote; " RECORD_ONE, path);
	case PROFILE_TEXT_DAMAGED:
		return error_set(error, EXIT_OURS, "the profile %s is damaged; record it again",
				 path);
	case PROFILE_TEXT_WHOLE:
		break;
	}
	guest->profile = parsed.profile;
	if (strcmp(parsed.key, key) == 0) {
		guest->has_profile = true;
		return true;
	}
	report_detail(
	    "the profile %s is of %s with %s, not of this program with %s: ignored; record "
	    "it again",
	    path, parsed.program, parsed.key, key);
	return true;
}
