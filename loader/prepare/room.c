#include "loader/prepare/room.h"

#include "common/memory_map.h"
#include "common/page.h"
#include "loader/resident/base/room.h"

/*
 * Bytes taken from the room: pages that will be moved away from its start, all others from its end.
 */
static uint64_t pages_end, others_taken;

static bool has_room(uint64_t length)
{
	return length <= RESIDENT_ROOM_BYTES - pages_end - others_taken;
}

void *room_take(uint64_t length)
{
	length = page_ceil(length);
	if (!has_room(length))
		return memory_map(length, 0);
	others_taken += length;
	return resident_room + RESIDENT_ROOM_BYTES - others_taken;
}

void *room_take_page(void)
{
	if (!has_room(PAGE_BYTES))
		return memory_map(PAGE_BYTES, 0);
	pages_end += PAGE_BYTES;
	return resident_room + pages_end - PAGE_BYTES;
}

bool room_has(const void *memory)
{
	return (const uint8_t *)memory >= resident_room &&
	       (const uint8_t *)memory < resident_room + RESIDENT_ROOM_BYTES;
}
