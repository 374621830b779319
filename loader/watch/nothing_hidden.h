/* Why the pager of a lazy loader had nothing to do, as a sentence for --stats and --explain. */
#pragma once

#include "loader/guest/guest.h"

#include <stddef.h>

/*
 * Returns the sentence, which may be in `text`. NULL if pages were hidden, or if the loader is not
 * lazy.
 */
const char *nothing_hidden_words(const struct guest *guest, char *text, size_t bytes);
