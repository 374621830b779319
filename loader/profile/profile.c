/* --profile: reads a profile. */
#include "loader/profile/profile.h"

#include "common/report.h"
#include "loader/guest.h"
#include "loader/profile/profile_key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The runs come first in the file, so that a long trace behind them is not read. */
#define READ_MAX (256 * 1024)

/* all_at_once_loader reads profiles, but has nothing to record. */
#define RECORD_ONE "record one with on_demand_loader --record"

#define MAGIC "page-profile 1\n"

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
		size_t wanted = status.st_size < READ_MAX ? (size_t)status.st_size : READ_MAX;

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

/* Moves behind "NAME value\n" and cuts the value out; NULL if that is not what comes next. */
static char *take_line(char **text, const char *name)
{
	size_t length = strlen(name);
	char *value = *text + length + 1, *end;

	if (strncmp(*text, name, length) != 0 || (*text)[length] != ' ')
		return NULL;
	end = strchr(value, '\n');
	if (end == NULL)
		return NULL;
	*end = '\0';
	*text = end + 1;
	return value;
}

static bool take_number(char **text, char end, uint64_t *number)
{
	char *behind;

	if (**text < '0' || **text > 'f')
		return false;
	*number = strtoul(*text, &behind, 16);
	if (behind == *text || *behind != end)
		return false;
	*text = behind + 1;
	return true;
}

/* "FIRST PAGES w\n", sorted and apart, so that nothing is done twice. */
static bool take_run(char **text, uint64_t least, struct profile_run *run)
{
	if (!take_number(text, ' ', &run->first) || !take_number(text, ' ', &run->pages) ||
	    (**text != 'w' && **text != 'r') || (*text)[1] != '\n' || run->first < least ||
	    run->pages == 0 || run->pages > UINT64_MAX / 4096 - run->first)
		return false;
	run->written = **text == 'w';
	*text += 2;
	return true;
}

static bool take_runs(char *text, struct profile *profile)
{
	char *count = take_line(&text, "runs");
	uint64_t least = 0;

	profile->count = count == NULL ? 0 : strtoul(count, NULL, 10);
	if (count == NULL || profile->count > READ_MAX / 6)
		return false;
	profile->runs = malloc((profile->count + 1) * sizeof(*profile->runs));
	if (profile->runs == NULL)
		return false;
	for (size_t i = 0; i < profile->count; i++) {
		if (!take_run(&text, least, &profile->runs[i]))
			return false;
		least = profile->runs[i].first + profile->runs[i].pages;
	}
	return true;
}

bool profile_read(struct guest *guest, struct error *error)
{
	const char *value = guest->options.profile;
	char path[PROFILE_PATH_LENGTH], key[PROFILE_KEY_LENGTH];
	char *text, *program, *own;

	if (value == NULL)
		return true;
	if (!profile_path(guest, value, false, path, error))
		return false;
	text = read_start(path, strcmp(value, "auto") == 0);
	if (text == NULL)
		return is_missing(value, path, error);
	if (strncmp(text, MAGIC, strlen(MAGIC)) != 0)
		return error_set(error, EXIT_OURS,
				 "%s is no profile that --record wrote; " RECORD_ONE, path);
	text += strlen(MAGIC);
	program = take_line(&text, "program");
	own = take_line(&text, "key");
	if (program == NULL || own == NULL || !take_runs(text, &guest->profile)) {
		guest->profile.count = 0;
		return error_set(error, EXIT_OURS, "the profile %s is damaged; record it again",
				 path);
	}
	profile_key(guest, key);
	if (strcmp(own, key) == 0) {
		guest->has_profile = true;
		return true;
	}
	report_detail(
	    "the profile %s is of %s with %s, not of this program with %s: ignored; record "
	    "it again",
	    path, program, own, key);
	return true;
}
