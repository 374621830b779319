/* --explain: a picture of the address space, the highest address first. */
#include "loader/watch/explain.h"

#include "common/page.h"
#include "common/segment_mapper.h"

#include <stdio.h>
#include <sys/resource.h>

#define BOX "+--------------------------------------+"

static void draw_box(uint64_t end, uint64_t *drawn, const char *text, const char *beside)
{
	if (*drawn != end) {
		if (*drawn != 0)
			fprintf(stderr, "%15lx %s\n%15s %-40s\n", *drawn, BOX, "", ":");
		*drawn = end;
	}
	fprintf(stderr, "%15lx %s\n%15s | %-36.36s | %s\n", end, BOX, "", text, beside);
}

/* The names of the sections in a mapping. */
static const char *sections_in(const struct object *object, const struct plan_mapping *mapping,
			       char *text, size_t bytes)
{
	size_t used = (size_t)snprintf(text, bytes, "%s", protection_text(mapping->protection));

	for (size_t i = 0; i < object->symbols.sections.count && used < bytes; i++) {
		const struct elf_name *section = &object->symbols.sections.names[i];
		uint64_t start = section->start + object->plan.load_bias;
		uint64_t end = section->end + object->plan.load_bias;

		if (start < mapping_end(mapping) && end > mapping->address)
			used += (size_t)snprintf(text + used, bytes - used, " %s", section->name);
	}
	return text;
}

static void draw_mapping(const struct object *object, const struct plan_mapping *mapping,
			 uint64_t *drawn)
{
	char text[128], beside[64];

	snprintf(beside, sizeof(beside), "%lu KiB, %s", mapping->length / 1024,
		 presence_text(mapping->presence));
	draw_box(mapping_end(mapping), drawn, sections_in(object, mapping, text, sizeof(text)),
		 beside);
	*drawn = mapping->address;
}

static void draw_loader(const struct guest *guest, uint64_t *drawn)
{
	const char *fate = "goes, but for its resident code";

	if (guest->strategy->leaves_nothing)
		fate = "goes before the program starts";
	draw_box(guest->start.image_end, drawn, "this loader", fate);
	*drawn = guest->start.image;
}

static const char *stack_limit(char *text, size_t bytes)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return "grows downwards";
	snprintf(text, bytes, "grows downwards, to %lu KiB at most",
		 (uint64_t)limit.rlim_cur / 1024);
	return text;
}

/* The highest mapping of any object that starts below an address, or NULL. */
static struct mapped next_below(const struct guest *guest, uint64_t address)
{
	struct mapped found = {.object = NULL}, at = {.object = NULL};

	while (guest_next_mapping(guest, &at))
		if (at.mapping->address < address &&
		    (found.mapping == NULL || at.mapping->address > found.mapping->address))
			found = at;
	return found;
}

void explain_picture(const struct guest *guest)
{
	uint64_t drawn = 0, below = USER_ADDRESS_END;
	struct mapped at;
	bool loader_drawn = false;
	char limit[64];

	fputc('\n', stderr);
	draw_box(guest->start.stack_top, &drawn, "stack", stack_limit(limit, sizeof(limit)));
	drawn = page_floor((uint64_t)__builtin_frame_address(0));
	while ((at = next_below(guest, below)).mapping != NULL) {
		below = at.mapping->address;
		if (!loader_drawn && guest->start.image > below) {
			draw_loader(guest, &drawn);
			loader_drawn = true;
		}
		draw_mapping(at.object, at.mapping, &drawn);
	}
	if (!loader_drawn)
		draw_loader(guest, &drawn);
	fprintf(stderr, "%15lx %s\n", drawn, BOX);
}
