/* Why the pager of a lazy loader had nothing to do, in words for --stats and --explain. */
#ifndef LOADER_WATCH_NOTHING_HIDDEN_H
#define LOADER_WATCH_NOTHING_HIDDEN_H

#include "loader/guest.h"

#include <stddef.h>

/*
 * Returns the words, which may lie in `text`; NULL where pages were hidden, or the loader is not a
 * lazy one.
 */
const char *nothing_hidden_words(const struct guest *guest, char *text, size_t bytes);

#endif
