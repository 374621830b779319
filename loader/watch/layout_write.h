/* --layout: the frames of the program, written when it is over and its memory is still there. */
#ifndef LOADER_LAYOUT_WRITE_H
#define LOADER_LAYOUT_WRITE_H

#include "loader/guest.h"

/*
 * Writes the frames of the program's own mappings, beginning with its first page, as page-layout
 * does.
 */
void layout_write(const struct guest *guest);

#endif
