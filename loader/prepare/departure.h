/* Between departure.c and departure_stub.c. */
#ifndef LOADER_DEPARTURE_H
#define LOADER_DEPARTURE_H

#include "common/error.h"
#include "loader/resident/launch.h"

#include <stdbool.h>

struct guest;

/* Where this loader's executable is mapped. */
struct address_range departure_own_image(void);

/*
 * Puts the departure stub where the program's text has room for it. Without such room part of the
 * loader stays, and a detail says so. Fails when the text cannot be made executable again.
 */
bool departure_stub_prepare(const struct guest *guest, struct error *error);

#endif
