/* --explain: the story for people. */
#include "loader/watch/explain.h"

#include "common/arch/machine.h"
#include "common/page.h"
#include "common/printable.h"
#include "common/report.h"
#include "common/segment_mapper.h"
#include "loader/resident/launch.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/pager/regions.h"
#include "loader/watch/explain_stack.h"
#include "loader/watch/nothing_hidden.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static void heading(unsigned number, const char *text)
{
	fprintf(stderr, "%s%u. %s%s\n", explain_style(BOLD), number, text, explain_style(PLAIN));
}

static void tell_header(const struct guest *guest, const struct object *object)
{
	const struct elf_image *image = &object->image;
	bool fixed = image->type == ET_EXEC;
	const struct elf_name *symbol = elf_names_find(&object->symbols.symbols, image->entry);
	char path[PATH_MAX];

	if (object == &guest->objects[PROGRAM])
		heading(1, "What the file says");
	else
		fprintf(stderr, "\n   Its interpreter, where the process begins:\n");
	fprintf(stderr, "   %s, %lu bytes\n", printable_line(object->file.path, path, sizeof(path)),
		object->file.size);
	fprintf(stderr, "   e_type   %-10s %s\n", fixed ? "ET_EXEC" : "ET_DYN",
		fixed ? "linked at fixed addresses: the load bias is 0"
		      : "position-independent: a load bias is added to every address");
	fprintf(stderr, "   e_entry  0x%-8lx where it begins: %s\n", image->entry,
		symbol != NULL ? symbol->name : "no symbol says what that is");
	fprintf(stderr, "   e_phoff  %-10lu %u program headers of 56 bytes\n\n", image->phoff,
		image->phnum);
	fprintf(stderr, "    #  %-15s %10s %14s %10s %10s\n", "p_type", "p_offset", "p_vaddr",
		"p_filesz", "p_memsz");
}

static void tell_segment(const Elf64_Phdr *segment, unsigned index)
{
	fprintf(stderr, "   %2u  %-15s %#10lx %#14lx %#10lx %#10lx  %s  %s\n", index,
		segment_type(segment->p_type)->name, segment->p_offset, segment->p_vaddr,
		segment->p_filesz, segment->p_memsz,
		protection_text(load_protection(segment->p_flags)),
		segment_type(segment->p_type)->use);
}

static void headers(const struct guest *guest)
{
	const struct object *object = &guest->objects[guest->object_count - 1];

	tell_header(guest, object);
	for (unsigned i = 0; i < object->image.phnum; i++)
		tell_segment(&object->image.segments[i], i);
}

static void tell_place(const struct guest *guest, const struct object *object)
{
	fputc('\n', stderr);
	if (object == &guest->objects[PROGRAM])
		heading(2, "What goes where");
	else
		fprintf(stderr, "   The interpreter:\n");
	if (guest->huge_pages == HUGE_ALWAYS && object == &guest->objects[PROGRAM])
		fprintf(stderr,
			"   The kernel fills 2 MiB of zeros at a touch: huge pages are always.\n");
	if (!object->plan.fixed_address)
		fprintf(stderr, "   The kernel has room for it at load bias 0x%lx.\n",
			object->plan.load_bias);
}

static void tell_mapping(const struct object *object, unsigned index)
{
	const struct plan_mapping *mapping = &object->plan.mappings[index];
	uint64_t start = object->image.segments[mapping->segment].p_vaddr + object->plan.load_bias;

	fprintf(stderr, "   mmap 0x%lx-0x%lx %s, ", mapping->address, mapping_end(mapping),
		protection_text(mapping->protection));
	if (mapping->from_file)
		fprintf(stderr, "the file from 0x%lx on", mapping->file_offset);
	else
		fprintf(stderr, "zeros");
	fprintf(stderr, ": program header %u, %lu page%s, %s\n", mapping->segment,
		mapping->length / PAGE_BYTES, mapping->length == PAGE_BYTES ? "" : "s",
		presence_text(mapping->presence));
	if (start > mapping->address && start < mapping->address + PAGE_BYTES)
		fprintf(stderr,
			"        the segment begins at 0x%lx: mapped from the start of that page\n",
			start);
	if (mapping->zero_from != 0)
		fprintf(stderr, "        cleared from 0x%lx to the end of its last page\n",
			mapping->zero_from);
}

static void mappings(const struct guest *guest)
{
	for (unsigned i = 0; i < guest->object_count; i++) {
		const struct object *object = &guest->objects[i];

		tell_place(guest, object);
		for (unsigned j = 0; j < object->plan.count; j++)
			tell_mapping(object, j);
	}
	explain_picture(guest);
}

/* How many variables of a long environment the story shows, from the first on. */
#define VARIABLES_SHOWN 3

/* Whether the story omits a word. The number of omitted words is printed before the next one. */
static bool leave_out(const struct stack_word *word)
{
	static unsigned left_out; /* static, because each call passes one word */

	if (word->variable > VARIABLES_SHOWN) {
		left_out++;
		return true;
	}
	if (left_out > 0)
		fprintf(stderr, "   %-33s %u more variables\n", "...", left_out);
	left_out = 0;
	return false;
}

static void value(uint64_t value, bool is_number)
{
	char text[24];

	snprintf(text, sizeof(text), is_number ? "%lu" : "0x%lx", value);
	fprintf(stderr, "%-18s", value == 0 ? "0" : text);
}

static void tell_word(const struct stack_word *word)
{
	char text[49];

	if (leave_out(word))
		return;
	fprintf(stderr, "   0x%-14lx ", word->address);
	if (word->is_pair) {
		value(word->key, true);
		fprintf(stderr, " %s\n   0x%-14lx ", word->name, word->address + 8);
	}
	value(word->value, word->is_number);
	fprintf(stderr, " %s", word->is_pair ? " " : word->name);
	if (word->text != NULL)
		fprintf(stderr, " -> \"%s\"%s", printable_line(word->text, text, sizeof(text)),
			strlen(word->text) >= sizeof(text) ? "..." : "");
	if (word->about != NULL)
		fprintf(stderr, "%s  %s%s", explain_style(DIM), word->about, explain_style(PLAIN));
	fputc('\n', stderr);
}

static void stack(const struct guest *guest)
{
	(void)guest;
	fputc('\n', stderr);
	heading(3, "The stack, as exec would leave it");
	fprintf(stderr, "   %-16s word\n", "address");
	explain_walk_stack(tell_word);
}

/* `userfaultfd, those of the file by guard`: some engines cannot hide pages of a file. */
static const char *engine_words(char *text, size_t bytes)
{
	const struct engine *engines = resident_pager.engines;
	bool has_file = false;

	for (unsigned i = 0; i < resident_pager.count; i++)
		has_file |= resident_pager.regions[i].from_file;
	if (has_file && strcmp(engines[0].name, engines[1].name) != 0)
		snprintf(text, bytes, "%s, those of the file by %s", engines[0].name,
			 engines[1].name);
	else
		snprintf(text, bytes, "%s", engines[0].name);
	return text;
}

static void tell_what_comes(const struct guest *guest)
{
	char engines[64], text[256];
	const char *nothing_hidden = nothing_hidden_words(guest, text, sizeof(text));

	heading(5, "What happens then");
	if (guest->strategy->default_policy == NULL)
		fprintf(stderr, "   Every page is in memory: the loader sees nothing of it.\n");
	else if (resident_pager.hidden == 0)
		fprintf(stderr, "   No page is hidden: the kernel does all the paging.\n");
	else
		fprintf(stderr,
			"   %lu page%s hidden, by %s.\n"
			"   What else a touch brings in, the policy says: %s.\n",
			resident_pager.hidden, resident_pager.hidden == 1 ? " is" : "s are",
			engine_words(engines, sizeof(engines)), guest->options.policy->name);
	if (nothing_hidden != NULL)
		fprintf(stderr, "   The reason: %s.\n", nothing_hidden);
}

static void jump(const struct guest *guest)
{
	char entry[PLACE_BYTES];

	fputc('\n', stderr);
	heading(4, "The jump");
	fprintf(stderr, MACHINE_ENTRY "   brk     0x%lx\n",
		explain_address(guest, guest_entry(guest), entry), resident_launch.stack_pointer,
		resident_launch.identity.brk);
	fputc('\n', stderr);
	tell_what_comes(guest);
}

const struct narrator explain_text = {
    .parts = {headers, mappings, stack, jump},
    .event = explain_text_event,
    .end = explain_text_end,
};
