/* --profile: reads a profile. */
#include "loader/profile/steps.h"

#include "common/report.h"
#include "loader/profile/files/read_ahead.h"
#include "loader/profile/profile_key.h"
#include "loader/profile/profile_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* all_at_once_loader reads profiles, but has nothing to record. */
#define RECORD_ONE "record one with on_demand_loader --record"

/* A profile as it was read. */
struct text {
	char path[PROFILE_PATH_LENGTH];
	bool from_cache; /* --profile=auto: it is made where there is none */
	char *bytes;	 /* a string; NULL: errno says why there is none */
	struct stat status;
};

static bool is_missing(const char *value, const struct text *text, struct error *error)
{
	if (errno == ENOENT && text->from_cache) {
		report_detail("there is no profile of it yet: %s", text->path);
		return true;
	}
	if (errno == ENOENT && strcmp(value, text->path) != 0) {
		report_detail("there is no profile of it yet: %s; record it with --record=%s",
			      text->path, value);
		return true;
	}
	if (text->from_cache) {
		report_detail("the profile %s cannot be read: %s", text->path, strerror(errno));
		return true;
	}
	return error_set(error, EXIT_OURS, "the profile %s cannot be read: %s; %s", text->path,
			 strerror(errno), errno == EMFILE ? error_file_remedy(errno) : RECORD_ONE);
}

/* The beginning of the file. In the cache it is ours. */
static void read_start(struct text *text)
{
	int file = file_open_unnoticed(text->path);
	ssize_t length = -1;

	if (file < 0)
		return;
	if (fstat(file, &text->status) != 0 ||
	    (text->from_cache && text->status.st_uid != geteuid())) {
		errno = EPERM;
	} else {
		size_t wanted = text->status.st_size < PROFILE_TEXT_MAX
				    ? (size_t)text->status.st_size
				    : PROFILE_TEXT_MAX;

		text->bytes = malloc(wanted + 1);
		if (text->bytes != NULL)
			length = read(file, text->bytes, wanted);
	}
	close(file);
	if (length < 0)
		text->bytes = NULL;
	else
		text->bytes[length] = '\0';
}

/* A damaged one is made anew, where that is the loader's affair. */
static bool is_damaged(const struct text *text, enum profile_text_kind kind, struct error *error)
{
	if (text->from_cache) {
		report_detail("the profile %s is damaged", text->path);
		return true;
	}
	if (kind == PROFILE_TEXT_OTHER)
		return error_set(error, EXIT_OURS,
				 "%s is no profile that --record wrote; " RECORD_ONE, text->path);
	return error_set(error, EXIT_OURS, "the profile %s is damaged; record it again",
			 text->path);
}

/*
 * Somebody who may write to a profile could have its user's loader read files that only this user
 * may read. Nobody learns from that what the files hold, but it takes time and memory.
 */
static bool is_trusted(const struct stat *status)
{
	return (status->st_mode & 022) == 0 && (status->st_uid == geteuid() || status->st_uid == 0);
}

static void take(struct guest *guest, const struct text *text, const struct profile *profile)
{
	guest->profile = *profile;
	guest->profile.written = text->status.st_mtim.tv_sec;
	guest->has_profile = profile->count > 0 || profile->files.learned == 0;
	/* The cache is the user's alone. */
	if (profile->files.count > 0 && !text->from_cache && !is_trusted(&text->status)) {
		report_detail("no file is read ahead: others may write to the profile %s",
			      text->path);
		guest->profile.files.count = 0;
	}
}

bool profile_read(struct guest *guest, struct error *error)
{
	const char *value = guest->options.profile;
	char key[PROFILE_KEY_LENGTH];
	struct text text = {.from_cache = strcmp(value, "auto") == 0};
	struct profile_text parsed;
	enum profile_text_kind kind;

	profile_key(guest, key);
	if (!profile_path(value, key, false, text.path, error)) {
		/* A cache is no reason not to start. */
		if (text.from_cache)
			report_detail("no profile is used: %s", error->text);
		return text.from_cache;
	}
	read_start(&text);
	if (text.bytes == NULL)
		return is_missing(value, &text, error);
	kind = profile_text_parse(text.bytes, &parsed);
	if (kind != PROFILE_TEXT_WHOLE)
		return is_damaged(&text, kind, error);
	if (strcmp(parsed.key, key) == 0)
		take(guest, &text, &parsed.profile);
	else
		report_detail("the profile %s is of %s with %s, not of this program with %s: "
			      "ignored; record it again",
			      text.path, parsed.program, parsed.key, key);
	return true;
}
