/*
 * What a version before the name Pagewise has left: profiles in the folder elf-profiles, beside the
 * cache. They are moved into the cache, by descriptors, under the rules of the cache: the folder is
 * the user's, closed to others, and no link. Host code.
 */
#ifndef LOADER_PROFILE_PROFILE_OLDER_H
#define LOADER_PROFILE_PROFILE_OLDER_H

#define PROFILE_CACHE_NAME "pagewise"

/*
 * Where the cache is not there yet: renames the older folder to the cache's name. `around` is an
 * open folder. Returns the renamed folder, open; where it cannot be renamed, as on a read-only file
 * system, the older folder as it is. -1 with errno: there is none that may be used, or another
 * start was quicker (EEXIST).
 */
int profile_older_take_folder(int around);

/*
 * Where the cache has no profile of this name: moves it there from the older folder and opens it.
 * One that cannot be moved is opened where it is. -1 with errno.
 */
int profile_older_take_profile(int cache, const char *name);

#endif
