/* --profile: reads a profile. */
#include "loader/profile/steps.h"

#include "common/report.h"
#include "common/similar.h"
#include "loader/cli/options_table.h"
#include "loader/files/read_ahead.h"
#include "loader/profile/profile_key.h"
#include "loader/profile/profile_place.h"
#include "loader/profile/profile_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_BETWEEN_NOTES (24 * 60 * 60)

/* A profile as it was read. */
struct text {
	const struct profile_place *place;
	const char *value;    /* the option's value */
	const char *recorder; /* name of the loader that can record a profile: this one, if it
				 can */
	bool from_cache;      /* --profile=auto */
	bool is_made;	      /* made if it does not exist: --profile=auto, --learn */
	bool is_foreign;      /* it is in the cache and belongs to another user: it is not read */
	char *bytes;	      /* a string; NULL: reading failed, with errno */
	struct stat status;
};

static bool is_missing(const struct text *text, struct error *error)
{
	const struct profile_place *place = text->place;

	if (text->is_foreign)
		report_detail(
		    "no profile is used: %s belongs to user %u, and the loader runs as user %u",
		    place->path, text->status.st_uid, geteuid());
	else if (text->is_made && errno == ENOENT)
		report_detail("there is no profile of it yet: %s", place->path);
	else if (text->from_cache)
		report_detail("the profile %s cannot be read: %s", place->path, strerror(errno));
	else if (errno == ENOENT && place->name != NULL)
		report_detail("there is no profile of it yet: %s; record it with --record=%s",
			      place->path, text->value);
	else if (errno == ENOENT &&
		 similar_distance(text->value, strlen(text->value), "auto") != SIMILAR_NOT)
		return error_set(error, EXIT_OURS,
				 "the profile %s cannot be read: %s; did you mean auto?",
				 place->path, strerror(errno));
	else if (errno == EMFILE)
		return error_set(error, EXIT_OURS, "the profile %s cannot be read: %s; %s",
				 place->path, strerror(errno), error_file_remedy(errno));
	else if (text->is_made)
		return error_set(error, EXIT_OURS,
				 "the profile %s cannot be read: %s; name another file",
				 place->path, strerror(errno));
	else
		return error_set(error, EXIT_OURS,
				 "the profile %s cannot be read: %s; record one with %s --record",
				 place->path, strerror(errno), text->recorder);
	return true;
}

/*
 * Sets a profile's time of access, once a day at most: profiles that are not used expire. This
 * system call needs no code of the vDSO, which a start would have to look up.
 */
static void note_use(int file, const struct stat *status)
{
	const struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};
	struct timespec now = {.tv_sec = 0};

	syscall(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &now);
	if (status->st_atim.tv_sec + SECONDS_BETWEEN_NOTES < now.tv_sec &&
	    status->st_mtim.tv_sec + SECONDS_BETWEEN_NOTES < now.tv_sec)
		futimens(file, times);
}

/* Reads the start of the file. In the cache it must belong to the user. */
static void read_start(struct text *text)
{
	int file = profile_place_open(text->place);
	ssize_t length = -1;

	if (file < 0)
		return;
	if (fstat(file, &text->status) == 0)
		text->is_foreign = text->from_cache && text->status.st_uid != text->place->owner;
	if (!text->is_foreign && text->from_cache)
		note_use(file, &text->status);
	if (!text->is_foreign) {
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

/* Handles a damaged profile: it is replaced if the loader writes it. */
static bool is_damaged(const struct text *text, enum profile_text_kind kind, struct error *error)
{
	if (text->from_cache || (text->is_made && kind != PROFILE_TEXT_OTHER)) {
		report_detail("the profile %s is damaged", text->place->path);
		return true;
	}
	/* mktemp(1) makes an empty file. */
	if (text->is_made && text->bytes[0] == '\0')
		return true;
	if (kind == PROFILE_TEXT_OTHER && text->is_made)
		return error_set(error, EXIT_OURS,
				 "%s is no profile, and is not overwritten; name another file",
				 text->place->path);
	if (kind == PROFILE_TEXT_OTHER)
		return error_set(error, EXIT_OURS,
				 "%s is no profile that --record wrote; record one with %s "
				 "--record",
				 text->place->path, text->recorder);
	return error_set(error, EXIT_OURS, "the profile %s is damaged; record it again",
			 text->place->path);
}

/*
 * A user who may write to a profile could make its owner's loader read files that only the owner
 * may read. That user would not learn the files' contents, but it takes time and memory.
 */
static bool is_trusted(const struct text *text)
{
	const struct stat *status = &text->status;

	if ((status->st_mode & 022) != 0) {
		report_detail("no file is read ahead: other users may write to the profile %s",
			      text->place->path);
		return false;
	}
	if (status->st_uid == geteuid() || status->st_uid == 0)
		return true;
	report_detail("no file is read ahead: the profile %s belongs to user %u, and the loader "
		      "runs as user %u",
		      text->place->path, status->st_uid, geteuid());
	return false;
}

static void take(struct guest *guest, const struct text *text, const struct profile *profile)
{
	guest->profile = *profile;
	guest->profile.written = text->status.st_mtim.tv_sec;
	guest->has_profile = profile->count > 0 || profile->files.learned == 0;
	/* Only the user can write to the cache. */
	if (profile->files.count > 0 && !text->from_cache && !is_trusted(text))
		guest->profile.files.count = 0;
}

static bool read_profile(struct guest *guest, struct text *text, struct error *error)
{
	struct profile_text parsed;
	enum profile_text_kind kind;

	read_start(text);
	if (text->bytes == NULL)
		return is_missing(text, error);
	kind = profile_text_parse(text->bytes, &parsed);
	if (kind != PROFILE_TEXT_WHOLE)
		return is_damaged(text, kind, error);
	/*
	 * In a folder the name includes the whole key. A named file may belong to another script.
	 */
	if (profile_key_is_of_program(parsed.key, guest->profile_key))
		take(guest, text, &parsed.profile);
	else
		report_detail("the profile %s is of %s with %s, not of this program with %s: "
			      "ignored; record it again",
			      text->place->path, parsed.program, parsed.key, guest->profile_key);
	return true;
}

/* all_at_once_loader reads profiles, but has no --record. */
static const char *recorder(const struct strategy *strategy)
{
	if (strategy->uses_cache)
		return "pagewise run";
	return option_is_for(OPTION_record, strategy->default_policy != NULL)
		   ? strategy->name
		   : "on_demand_loader or hybrid_loader";
}

/* The profile that --profile or --learn names. */
static struct text begin(const struct guest *guest, const struct profile_place *place)
{
	const char *learn = guest->options.learn;
	const char *value = learn != NULL ? learn : guest->options.profile;
	bool is_auto = learn == NULL && strcmp(value, "auto") == 0;

	return (struct text){
	    .place = place,
	    .value = value,
	    .recorder = recorder(guest->strategy),
	    .from_cache = is_auto,
	    .is_made = is_auto || learn != NULL,
	};
}

bool profile_read(struct guest *guest, struct error *error)
{
	struct options *options = &guest->options;
	struct profile_place *place = calloc(1, sizeof(*place));
	struct text text;

	if (place == NULL)
		return error_no_memory(error, "for the name of a profile");
	text = begin(guest, place);
	if (options->learn != NULL && options->profile != NULL)
		return error_set(error, EXIT_OURS,
				 "--learn reads the profile that it writes: leave out --profile");
	if (!profile_key_find(guest, error))
		return false;
	if (profile_place_find(text.value, guest->profile_key, place, error)) {
		guest->profile_place = text.from_cache ? place : NULL;
		if (options->learn != NULL)
			options->learn = place->path;
		return read_profile(guest, &text, error);
	}
	/* The program starts without a cache, too. The cache may be one that can be repaired. */
	if (text.from_cache) {
		report_detail("no profile is used: %s", error->text);
		guest->profile_place = place->name != NULL ? place : NULL;
	}
	return text.from_cache;
}
