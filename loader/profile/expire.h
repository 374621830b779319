/* Removes profiles from the cache that are no longer useful. Host code. */
#pragma once

/*
 * Removes profiles from an open cache that have not been used for 90 days, or for 7 days if the
 * program is gone or has another size. Also removes files that a killed writer left. Runs once a
 * day at most, and checks a bounded number of files.
 */
void profile_expire(int cache);
