/* --record: writing down which pages the program touched. */
#ifndef LOADER_PROFILE_RECORD_H
#define LOADER_PROFILE_RECORD_H

#include "loader/guest.h"
#include "loader/profile/profile_key.h"

#define PROFILE_BESIDE_LENGTH (PROFILE_PATH_LENGTH + 8)

/* Makes sure that --record's file can be written when the program is over. */
bool record_prepare(struct guest *guest, struct error *error);

/* Where the profile is written before it takes the place of an older one. */
void record_path_beside(const char *path, char beside[PROFILE_BESIDE_LENGTH]);

/* Writes it; the program is over, and its memory still there. Trouble is reported. */
void record_write(const struct guest *guest);

#endif
