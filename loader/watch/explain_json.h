/* --explain=json: the story for programs, an object a line. */
#ifndef LOADER_WATCH_EXPLAIN_JSON_H
#define LOADER_WATCH_EXPLAIN_JSON_H

#include "loader/watch/narrator.h"

extern const struct narrator explain_json;

#endif
