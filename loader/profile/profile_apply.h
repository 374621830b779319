/* Bringing in what a profile names, before entry. */
#ifndef LOADER_PROFILE_PROFILE_APPLY_H
#define LOADER_PROFILE_PROFILE_APPLY_H

#include "loader/guest.h"

/* Brings the profile's pages in, in as few calls as possible. What fails is left to the kernel. */
void profile_apply(const struct guest *guest);

#endif
