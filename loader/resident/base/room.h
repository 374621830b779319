/* Zeroed pages of resident memory that host code lays out: see loader/prepare/room.c. */
#pragma once

#include "common/page.h"

#include <stdint.h>

/* A thread's block of 16 KiB on its boundary, a path, two staged pages, and a page of records. */
#define RESIDENT_ROOM_BYTES (12 * PAGE_BYTES_MAX)

extern uint8_t resident_room[RESIDENT_ROOM_BYTES];

/* The source of UFFDIO_COPY; these pages are never written. */
#define ZEROS_BYTES (8 * PAGE_BYTES_MAX)
extern uint8_t resident_zeros[ZEROS_BYTES];
