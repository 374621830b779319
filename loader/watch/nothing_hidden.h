/* Why the pager of a lazy loader had nothing to do, in words for --stats and --explain. */
#ifndef LOADER_WATCH_NOTHING_HIDDEN_H
#define LOADER_WATCH_NOTHING_HIDDEN_H

#include "loader/guest.h"

#include <stddef.h>

/* The words, in `text` perhaps; NULL where pages were hidden, or no lazy loader was asked. */
const char *nothing_hidden_words(const struct guest *guest, char *text, size_t bytes);

#endif
