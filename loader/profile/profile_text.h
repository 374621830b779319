/* The text of a profile. Pure, and safe for any bytes. docs/profiles.md describes the format. */
#pragma once

#include "loader/files/profile.h"

/* The runs come first in the file, so that a long trace after them need not be read. */
#define PROFILE_TEXT_MAX (512 * 1024)

struct profile_text {
	const char *program, *key; /* pointers into the text */
	struct profile profile;	   /* the caller frees its runs */
};

enum profile_text_kind {
	PROFILE_TEXT_OTHER,   /* not a profile */
	PROFILE_TEXT_DAMAGED, /* a profile, but incomplete, or with runs that --record cannot
				 have written */
	PROFILE_TEXT_WHOLE,
};

/*
 * Cuts the text into pieces, to which the result points. There is a result only for a complete
 * profile.
 */
enum profile_text_kind profile_text_parse(char *text, struct profile_text *parsed);
