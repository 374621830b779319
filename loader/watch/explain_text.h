/* --explain: the story for people. */
#ifndef LOADER_WATCH_EXPLAIN_TEXT_H
#define LOADER_WATCH_EXPLAIN_TEXT_H

#include "loader/watch/narrator.h"

extern const struct narrator explain_text;

#endif
