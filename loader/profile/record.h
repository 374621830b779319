/* --record: writing down which pages the program touched. */
#ifndef LOADER_PROFILE_RECORD_H
#define LOADER_PROFILE_RECORD_H

#include "loader/guest.h"
#include "loader/profile/profile_key.h"

/* Finds out where --record writes, and to which program the profile will belong. */
bool record_prepare(struct guest *guest, struct error *error);

/* Writes guest->record; the program is over, and its memory still there. Trouble is reported. */
void record_write(const struct guest *guest);

#endif
