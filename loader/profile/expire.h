/* Profiles of the cache that are of no use any more. Host code. */
#ifndef LOADER_PROFILE_EXPIRE_H
#define LOADER_PROFILE_EXPIRE_H

/*
 * Removes profiles from an open cache that have not been used for 90 days, and for 7 days where the
 * program is gone or has another size; and files that a killed writer left. Does that once a day at
 * most, and looks at a bounded number of files.
 */
void profile_expire(int cache);

#endif
