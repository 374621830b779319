/* The environment of a program that has an interpreter. Host code. */
#pragma once

#include "loader/guest/guest.h"
#include "loader/resident/launch.h"

/*
 * For --library-path: the interpreter finds the list in LD_LIBRARY_PATH. The program, and the
 * processes that it starts, find the environment without it. Fills in launch->words and the words
 * that the program will see. `bytes` is the written stack, launch->stack its layout.
 */
bool library_path_prepare(const struct guest *guest, struct launch *launch, uint8_t *bytes,
			  struct error *error);

/*
 * Words that --library-path adds on the stack, between the environment's table and the auxiliary
 * vector.
 */
#define LIBRARY_PATH_ROOM 2
