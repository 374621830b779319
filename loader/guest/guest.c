#include "loader/guest/guest.h"

#include "loader/cli/strategy.h"

#include <sys/mman.h>

const struct object *guest_object_at(const struct guest *guest, uint64_t address)
{
	for (unsigned i = 1; i < guest->object_count; i++)
		if (load_plan_find(&guest->objects[i].plan, address) != NULL)
			return &guest->objects[i];
	return &guest->objects[PROGRAM];
}

bool guest_next_mapping(const struct guest *guest, struct mapped *at)
{
	if (at->object == NULL)
		*at = (struct mapped){guest->objects, guest->objects->plan.mappings};
	else
		at->mapping++;
	while (at->mapping == at->object->plan.mappings + at->object->plan.count) {
		if (++at->object == guest->objects + guest->object_count)
			return false;
		at->mapping = at->object->plan.mappings;
	}
	return true;
}

bool guest_places(const struct guest *guest, const struct plan_mapping *mapping)
{
	return options_place(&guest->options) && mapping->protection == (PROT_READ | PROT_WRITE);
}

/* A mapping without a whole block of 2 MiB cannot get huge pages. */
uint64_t guest_least_bss(const struct guest *guest, const struct plan_mapping *mapping)
{
	return guest->huge_pages == HUGE_ALWAYS &&
		       huge_block_within(mapping->address, mapping_end(mapping))
		   ? guest->strategy->least_huge_bss_bytes
		   : guest->strategy->least_bss_bytes;
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
