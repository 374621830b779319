#include "loader/guest.h"

#include <sys/mman.h>

const struct object *guest_object_at(const struct guest *guest, uint64_t address)
{
	for (unsigned i = 1; i < guest->object_count; i++)
		if (load_plan_find(&guest->objects[i].plan, address) != NULL)
			return &guest->objects[i];
	return &guest->objects[PROGRAM];
}

bool guest_places(const struct guest *guest, const struct plan_mapping *mapping)
{
	return options_place(&guest->options) && mapping->protection == (PROT_READ | PROT_WRITE);
}

const char *guest_huge_pages_word(const struct guest *guest)
{
	static const char words[][10] = {
	    [HUGE_NEVER] = "no",
	    [HUGE_ON_ADVICE] = "on advice",
	    [HUGE_ALWAYS] = "always",
	};

	return words[guest->huge_pages];
}
