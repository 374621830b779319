#include "loader/guest.h"

const struct object *guest_object_at(const struct guest *guest, uint64_t address)
{
	for (unsigned i = 1; i < guest->object_count; i++)
		if (load_plan_find(&guest->objects[i].plan, address) != NULL)
			return &guest->objects[i];
	return &guest->objects[PROGRAM];
}
