#include "loader/resident/base/room.h"

/*
 * Placed before all other data (resident.ld), so that pages that are moved away leave no hole in
 * the middle.
 */
uint8_t resident_room[RESIDENT_ROOM_BYTES]
    __attribute__((aligned(PAGE_BYTES_MAX), section(".bss.room,\"aw\",@nobits" ASSEMBLY_COMMENT)));

uint8_t resident_zeros[ZEROS_BYTES]
    __attribute__((aligned(PAGE_BYTES_MAX), section(".bss.zeros,\"aw\",@nobits" ASSEMBLY_COMMENT)));
