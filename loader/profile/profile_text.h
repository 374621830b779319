/* The text of a profile: pure, whatever its bytes are. docs/profiles.md has the format. */
#ifndef LOADER_PROFILE_PROFILE_TEXT_H
#define LOADER_PROFILE_PROFILE_TEXT_H

#include "loader/profile/profile.h"

/* The runs come first in the file, so that a long trace after them is not read. */
#define PROFILE_TEXT_MAX (512 * 1024)

struct profile_text {
	const char *program, *key; /* in the text */
	struct profile profile;	   /* its runs are the caller's to free */
};

enum profile_text_kind {
	PROFILE_TEXT_OTHER,   /* no profile */
	PROFILE_TEXT_DAMAGED, /* one, but not whole, or with runs that --record cannot have written
			       */
	PROFILE_TEXT_WHOLE,
};

/* Cuts the text into pieces, of which the result has some. Only of a whole one there is a result.
 */
enum profile_text_kind profile_text_parse(char *text, struct profile_text *parsed);

#endif
