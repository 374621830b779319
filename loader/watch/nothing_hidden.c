#include "loader/watch/nothing_hidden.h"

#include "loader/cli/strategy.h"

#include <inttypes.h>
#include <stdio.h>

/* The longest mapping of the program that has no bytes of its file: .bss, if there is any. */
static uint64_t longest_bss(const struct guest *guest)
{
	const struct load_plan *plan = &guest->objects[PROGRAM].plan;
	uint64_t longest = 0;

	for (unsigned i = 0; i < plan->count; i++)
		if (!plan->mappings[i].from_file && plan->mappings[i].length > longest)
			longest = plan->mappings[i].length;
	return longest;
}

const char *nothing_hidden_words(const struct guest *guest, char *text, size_t bytes)
{
	uint64_t bss = longest_bss(guest), least = guest->strategy->least_bss_bytes;
	const char *where = "";

	if (guest->strategy->default_policy == NULL || guest->hides_pages)
		return NULL;
	if (guest->has_profile)
		return "the profile's pages came before entry, the others by the kernel's paging";
	if (guest->huge_pages == HUGE_ALWAYS && bss >= least) {
		least = guest->strategy->least_huge_bss_bytes;
		where = " where huge pages always come";
	}
	if (least == 0 || bss >= least)
		return "system calls cannot be intercepted here, as a warning has said";
	if (bss == 0)
		return "the program has no whole page of .bss; --profile=auto helps its cold "
		       "starts";
	snprintf(text, bytes,
		 "its .bss has %" PRIu64 " KiB, and below %" PRIu64
		 " KiB it is left to the kernel%s; --engine=guard hides it all the same, "
		 "--profile=auto helps cold starts",
		 bss / 1024, least / 1024, where);
	return text;
}
