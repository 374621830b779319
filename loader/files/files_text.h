/* The files of a profile as text (docs/profiles.md), and back. Pure, whatever the bytes are. */
#pragma once

#include "loader/files/files.h"

#include <stdio.h>

/*
 * Reads the lines from "learned" on, and moves *text to the line after them. Cuts the text into
 * pieces, to which *files points; the caller frees its arrays. Returns false if the text is
 * damaged.
 */
bool files_parse(char **text, struct known_files *files);

void files_print(const struct known_files *files, FILE *out);
