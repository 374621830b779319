/* --explain=json: the story for programs, an object a line. */
#include "loader/watch/narrator.h"

#include "common/segment_mapper.h"
#include "loader/resident/launch.h"
#include "loader/watch/explain_words.h"
#include "loader/watch/explain_stack.h"
#include "loader/watch/json.h"
#include "loader/watch/trace_words.h"

#include <elf.h>
#include <sys/wait.h>

static struct json begin(const char *what)
{
	struct json json = {.file = stderr, .between = ", "};

	putc('{', stderr);
	json_text(&json, "what", what);
	return json;
}

static void end(void)
{
	fputs("}\n", stderr);
}

static void tell_header(const struct guest *guest, const struct object *object)
{
	struct json json = begin("header");

	json_text(&json, "loader", guest->strategy->name);
	json_text(&json, "program", guest->name);
	json_text(&json, "path", object->file.path);
	json_number(&json, "bytes", (int64_t)object->file.size);
	json_text(&json, "type", object->image.type == ET_EXEC ? "ET_EXEC" : "ET_DYN");
	json_address(&json, "entry", object->image.entry);
	json_number(&json, "phoff", (int64_t)object->image.phoff);
	json_number(&json, "phnum", object->image.phnum);
	end();
}

static void tell_segment(const struct elf_segment *segment, unsigned index)
{
	struct json json = begin("segment");

	json_number(&json, "index", index);
	json_text(&json, "type", segment_type(segment->type)->name);
	json_number(&json, "flags", segment->flags);
	json_address(&json, "offset", segment->offset);
	json_address(&json, "vaddr", segment->vaddr);
	json_address(&json, "filesz", segment->filesz);
	json_address(&json, "memsz", segment->memsz);
	json_address(&json, "align", segment->align);
	json_text(&json, "use", segment_type(segment->type)->use);
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
	struct json json = begin("plan");

	json_text(&json, "path", object->file.path);
	json_text(&json, "huge_pages", guest_huge_pages_word(guest));
	json_address(&json, "load_bias", object->plan.load_bias);
	json_address(&json, "entry", object->plan.entry);
	json_number(&json, "mappings", object->plan.count);
	end();
}

static void tell_mapping(const struct plan_mapping *mapping)
{
	struct json json = begin("mapping");

	json_address(&json, "start", mapping->address);
	json_address(&json, "end", mapping_end(mapping));
	json_text(&json, "protection", protection_text(mapping->protection));
	json_boolean(&json, "from_file", mapping->from_file);
	json_address(&json, "file_offset", mapping->file_offset);
	json_address(&json, "zero_from", mapping->zero_from);
	json_number(&json, "segment", mapping->segment);
	json_text(&json, "presence", presence_text(mapping->presence));
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

	json_address(&json, "address", word->address);
	json_text(&json, "name", word->name);
	json_address(&json, "value", word->value);
	if (word->text != NULL)
		json_text(&json, "text", word->text);
	end();
}

static void stack(const struct guest *guest)
{
	const struct stack_image *stack = resident_launch.stack;
	struct json json = begin("stack");

	(void)guest;
	json_address(&json, "stack_pointer", stack->stack_pointer);
	json_number(&json, "tables_bytes", (int64_t)stack->tables_length);
	json_address(&json, "strings", stack->arg_start);
	json_number(&json, "strings_bytes", (int64_t)(stack->top - stack->arg_start));
	end();
	explain_walk_stack(tell_word);
}

static void jump(const struct guest *guest)
{
	struct json json = begin("jump");
	char symbol[SYMBOL_BYTES];

	json_address(&json, "rip", guest_entry(guest));
	json_text(&json, "symbol", symbol_words(guest, guest_entry(guest), symbol));
	json_address(&json, "rsp", resident_launch.stack_pointer);
	json_address(&json, "brk", resident_launch.identity.brk);
	end();
}

/* Writes what an event is about, and what did it. */
static void access_members(struct json *json, const struct guest *guest,
			   const struct trace_event *event)
{
	char text[SYMBOL_BYTES];

	json_address(json, "address", event->address);
	json_text(json, "symbol", symbol_words(guest, event->address, text));
	json_text(json, "section", section_word(guest, event->address));
	json_number(json, "pages", (int64_t)event->pages);
	json_address(json, "instruction", event->instruction);
	json_text(json, "by", symbol_words(guest, event->instruction, text));
	json_text(json, "detail", trace_detail_words(event));
}

static void event(const struct guest *guest, const struct trace_event *event, uint64_t number)
{
	struct json json = begin(trace_kind_word(event->kind));

	if (event->kind == TRACE_FAULT)
		json_number(&json, "number", (int64_t)number);
	json_number(&json, "process", event->process);
	json_number(&json, "thread", event->thread);
	access_members(&json, guest, event);
	end();
}

static void end_of_program(const struct guest *guest, int status, const struct trace_event *fatal)
{
	struct json json = begin("end");

	if (WIFEXITED(status))
		json_number(&json, "exit_status", WEXITSTATUS(status));
	else
		json_text(&json, "signal", signal_word(WTERMSIG(status)));
	if (fatal != NULL)
		access_members(&json, guest, fatal);
	end();
}

const struct narrator explain_json = {
    .parts = {headers, mappings, stack, jump},
    .event = event,
    .end = end_of_program,
};
