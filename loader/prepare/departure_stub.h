/* The code that unmaps the loader. Host code. */
#pragma once

#include "loader/guest/guest.h"
#include "loader/resident/launch.h"

/*
 * Puts the stub that unmaps launch->loader into unused space of the program's text. If there is no
 * such space, part of the loader stays, and a detail reports it. Fails if the text cannot be made
 * executable again.
 */
bool departure_stub_prepare(const struct guest *guest, struct launch *launch, struct error *error);
