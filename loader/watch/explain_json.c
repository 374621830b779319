/* --explain=json: the story for programs, one object per line. */
#include "loader/watch/explain.h"

#include "common/arch/machine.h"
#include "common/segment_mapper.h"
#include "loader/resident/launch.h"
#include "loader/watch/explain_stack.h"
#include "loader/watch/json.h"
#include "loader/watch/trace_words.h"

#include <elf.h>
#include <sys/wait.h>

static struct json begin(const char *what)
{
	struct json json = {.file = stderr, .between = ", "};

	putc('{', stderr);
	json_add(&json, "what %s", what);
	return json;
}

static void end(void)
{
	fputs("}\n", stderr);
}

static void tell_header(const struct guest *guest, const struct object *object)
{
	const struct elf_image *image = &object->image;
	struct json json = begin("header");

	json_add(&json, "loader %s program %s path %s bytes %ld", guest->strategy->name,
		 guest->name, object->file.path, object->file.size);
	json_add(&json, "type %s entry %lx", image->type == ET_EXEC ? "ET_EXEC" : "ET_DYN",
		 image->entry);
	json_add(&json, "phoff %ld phnum %d", image->phoff, image->phnum);
	end();
}

static void tell_segment(const Elf64_Phdr *segment, unsigned index)
{
	const struct segment_type *type = segment_type(segment->p_type);
	struct json json = begin("segment");

	json_add(&json, "index %d type %s flags %d", index, type->name, segment->p_flags);
	json_add(&json, "offset %lx vaddr %lx filesz %lx memsz %lx align %lx", segment->p_offset,
		 segment->p_vaddr, segment->p_filesz, segment->p_memsz, segment->p_align);
	json_add(&json, "use %s", type->use);
	end();
}

static void headers(const struct guest *guest)
{
	const struct object *object = &guest->objects[guest->object_count - 1];

	tell_header(guest, object);
	for (unsigned i = 0; i < object->image.phnum; i++)
		tell_segment(&object->image.segments[i], i);
}

static void tell_plan(const struct guest *guest, const struct object *object)
{
	const struct load_plan *plan = &object->plan;
	struct json json = begin("plan");

	json_add(&json, "path %s huge_pages %s", object->file.path, guest_huge_pages_word(guest));
	json_add(&json, "load_bias %lx entry %lx mappings %d", plan->load_bias, plan->entry,
		 plan->count);
	end();
}

static void tell_mapping(const struct plan_mapping *mapping)
{
	struct json json = begin("mapping");

	json_add(&json, "start %lx end %lx protection %s", mapping->address, mapping_end(mapping),
		 protection_text(mapping->protection));
	json_add(&json, mapping->from_file ? "from_file true" : "from_file false");
	json_add(&json, "file_offset %lx zero_from %lx", mapping->file_offset, mapping->zero_from);
	json_add(&json, "segment %d presence %s", mapping->segment,
		 presence_text(mapping->presence));
	end();
}

static void mappings(const struct guest *guest)
{
	for (unsigned i = 0; i < guest->object_count; i++) {
		const struct load_plan *plan = &guest->objects[i].plan;

		tell_plan(guest, &guest->objects[i]);
		for (unsigned j = 0; j < plan->count; j++)
			tell_mapping(&plan->mappings[j]);
	}
}

static void tell_word(const struct stack_word *word)
{
	struct json json = begin("word");

	json_add(&json, "address %lx name %s value %lx", word->address, word->name, word->value);
	if (word->text != NULL)
		json_add(&json, "text %s", word->text);
	end();
}

static void stack(const struct guest *guest)
{
	const struct stack_image *stack = resident_launch.stack;
	struct json json = begin("stack");

	(void)guest;
	json_add(&json, "stack_pointer %lx tables_bytes %ld", stack->stack_pointer,
		 stack->tables_length);
	json_add(&json, "strings %lx strings_bytes %ld", stack->arg_start,
		 stack->top - stack->arg_start);
	end();
	explain_walk_stack(tell_word);
}

static void jump(const struct guest *guest)
{
	struct json json = begin("jump");
	char symbol[SYMBOL_BYTES];

	json_add(&json, MACHINE_PLACE " %lx symbol %s " MACHINE_STACK " %lx brk %lx",
		 guest_entry(guest), symbol_words(guest, guest_entry(guest), symbol),
		 resident_launch.stack_pointer, resident_launch.identity.brk);
	end();
}

/* Writes the address of an event, and the instruction that caused it. */
static void add_access(struct json *json, const struct guest *guest,
		       const struct trace_event *event)
{
	char symbol[SYMBOL_BYTES], by[SYMBOL_BYTES];

	json_add(json, "address %lx symbol %s section %s pages %ld", event->address,
		 symbol_words(guest, event->address, symbol), section_word(guest, event->address),
		 event->pages);
	json_add(json, "instruction %lx by %s detail %s", event->instruction,
		 symbol_words(guest, event->instruction, by), trace_detail_words(event));
}

static void event(const struct guest *guest, const struct trace_event *event, uint64_t number)
{
	struct json json = begin(trace_kind_word(event->kind));

	if (event->kind == TRACE_FAULT)
		json_add(&json, "number %ld", number);
	json_add(&json, "process %d thread %d", event->process, event->thread);
	add_access(&json, guest, event);
	end();
}

static void end_of_program(const struct guest *guest, int status, const struct trace_event *fatal)
{
	struct json json = begin("end");

	if (WIFEXITED(status))
		json_add(&json, "exit_status %d", WEXITSTATUS(status));
	else
		json_add(&json, "signal %s", signal_word(WTERMSIG(status)));
	if (fatal != NULL)
		add_access(&json, guest, fatal);
	end();
}

const struct narrator explain_json = {
    .parts = {headers, mappings, stack, jump},
    .event = event,
    .end = end_of_program,
};
