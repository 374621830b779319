#include "loader/watch/nothing_hidden.h"

#include "common/arch/machine.h"
#include "loader/cli/strategy.h"
#include "loader/prepare/rewrite_prepare.h"

#include <inttypes.h>
#include <stdio.h>

/* The longest mapping of the program without bytes of its file: .bss, if there is one. */
static const struct plan_mapping *longest_bss(const struct guest *guest)
{
	const struct load_plan *plan = &guest->objects[PROGRAM].plan;
	const struct plan_mapping *longest = NULL;

	for (unsigned i = 0; i < plan->count; i++)
		if (!plan->mappings[i].from_file &&
		    (longest == NULL || plan->mappings[i].length > longest->length))
			longest = &plan->mappings[i];
	return longest;
}

const char *nothing_hidden_words(const struct guest *guest, char *text, size_t bytes)
{
	const struct plan_mapping *longest = longest_bss(guest);
	uint64_t bss = longest != NULL ? longest->length : 0;
	uint64_t usual = guest->strategy->least_bss_bytes;
	uint64_t least = longest != NULL ? guest_least_bss(guest, longest) : usual;

	if (guest->strategy->default_policy == NULL || guest->hides_pages)
		return NULL;
	if (guest->has_profile)
		return "the profile's pages came before entry, the others by the kernel's paging";
	if (!ARCH_INTERCEPTS)
		return "on " MACHINE_NAME " system calls cannot be intercepted yet";
	if (guest->rewrites && guest_has_interpreter(guest))
		return REWRITE_NEEDS_STATIC;
	if (least == 0 || bss >= least)
		return "system calls cannot be intercepted here, as a warning has said";
	if (bss == 0)
		return "the program has no whole page of .bss; --profile=auto helps its cold "
		       "starts";
	snprintf(text, bytes,
		 "its .bss has %" PRIu64 " KiB, and below %" PRIu64
		 " KiB it is left to the kernel%s; --engine=guard hides it all the same, "
		 "--profile=auto helps cold starts",
		 bss / 1024, least / 1024, least != usual ? " where huge pages always come" : "");
	return text;
}
