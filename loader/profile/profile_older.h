/*
 * Profiles from a version before the name Pagewise, in the folder elf-profiles next to the cache.
 * They are moved into the cache, by descriptors, under the rules of the cache: the folder belongs
 * to the user, is closed to others, and is not a link. Host code.
 */
#pragma once

#define PROFILE_CACHE_NAME "pagewise"

/*
 * Used if there is no cache yet: renames the older folder to the cache's name. `around` is the open
 * parent folder. Returns the renamed folder, open. If it cannot be renamed, as on a read-only file
 * system, returns the older folder unchanged. -1 with errno: no folder may be used, or another
 * start was faster (EEXIST).
 */
int profile_older_take_folder(int around);

/*
 * Used if the cache has no profile of this name: moves it there from the older folder and opens it.
 * A profile that cannot be moved is opened where it is. Returns -1 with errno on failure.
 */
int profile_older_take_profile(int cache, const char *name);
