/* --explain: a picture of the address space. */
#ifndef LOADER_WATCH_EXPLAIN_PICTURE_H
#define LOADER_WATCH_EXPLAIN_PICTURE_H

#include "loader/guest.h"

/* Draws where the program, its stack and this loader are. */
void explain_picture(const struct guest *guest);

#endif
