/* Signal frames of arm64, as get_sigframe, setup_sigframe and setup_return in the kernel. */
#include "loader/resident/arch/frame.h"

#include "common/arch/bytes.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/fault.h"
#include "loader/resident/arch/gadget.h"

#include <stddef.h>

/* Every record starts so. The last one has magic 0. */
struct record {
	uint32_t magic, bytes;
	uint64_t data; /* EXTRA_MAGIC: the address of more records; VECTOR_MAGIC: length, flags */
	uint32_t data_bytes;
};

/* What the kernel puts above a frame: the caller's frame pointer and link register. */
struct frame_record {
	uint64_t x29, x30;
};

#define VECTOR_STREAMING (UINT64_C(1) << 16)
#define MATRIX_BYTES	 16 /* without the matrix itself */

uint64_t resident_launch_return;

static struct record *record_at(uint64_t records, uint64_t offset)
{
	return (struct record *)(records + offset);
}

/* The record that shows where more records are, or NULL. */
static struct record *find_extra(uint64_t records)
{
	for (uint64_t at = 0; at < RECORDS_BYTES && record_at(records, at)->magic != 0;
	     at += record_at(records, at)->bytes)
		if (record_at(records, at)->magic == EXTRA_MAGIC)
			return record_at(records, at);
	return NULL;
}

/*
 * A system call leaves streaming mode, and a handler or a new thread begins without the matrix. The
 * record of the vectors has the mode in its flags. That of the matrix is short if there is none.
 */
bool frame_needs_kernel(const struct kernel_context *context)
{
	const struct record *at = record_at((uint64_t)context, RECORDS_OFFSET);

	for (; at->magic != 0; at = at->magic == EXTRA_MAGIC ? record_at(at->data, 0)
							     : record_at((uint64_t)at, at->bytes))
		if ((at->magic == VECTOR_MAGIC && (at->data & VECTOR_STREAMING) != 0) ||
		    (at->magic == MATRIX_MAGIC && at->bytes > MATRIX_BYTES))
			return true;
	return false;
}

/* The length of a context with all its records, in the program's frame of the same form. */
static uint64_t context_bytes(const struct kernel_context *context)
{
	uint64_t records = (uint64_t)context + RECORDS_OFFSET;
	const struct record *extra = find_extra(records);

	return extra != NULL ? extra->data + extra->data_bytes - (uint64_t)context
			     : RECORDS_OFFSET + RECORDS_BYTES;
}

static uint64_t frame_bytes(const struct kernel_context *context)
{
	return (offsetof(struct signal_frame, context) + context_bytes(context) + 15) &
	       ~UINT64_C(15);
}

struct frame_places frame_places_below(uint64_t sp, const struct kernel_context *context)
{
	sp = (sp & ~UINT64_C(15)) - sizeof(struct frame_record);
	return (struct frame_places){.frame = sp - frame_bytes(context)};
}

/* The address in the new frame of more records, which always follow the others. */
static uint64_t moved(const struct record *extra, const struct kernel_context *from,
		      const struct signal_frame *to)
{
	return extra->data - (uint64_t)from + (uint64_t)&to->context;
}

bool frame_write(const struct frame_places *places, const struct kernel_context *context,
		 struct kernel_context *shown, const void *info,
		 const struct kernel_sigaction *action)
{
	struct signal_frame *frame = (struct signal_frame *)places->frame;
	uint64_t records = (uint64_t)context + RECORDS_OFFSET, data;
	struct record *extra = find_extra(records), *place;
	struct frame_record link = {shown->registers.x[29], shown->registers.x[30]};

	(void)action;
	if (gadget_copy(&frame->context, context, context_bytes(context)) != 0 ||
	    gadget_copy(&frame->context, shown, RECORDS_OFFSET) != 0 ||
	    (exception_is_known(&shown->registers) &&
	     gadget_copy(&frame->context.registers.exception, &shown->registers.exception,
			 sizeof(shown->registers.exception)) != 0))
		return false;
	if (extra != NULL) {
		place = (struct record *)((uint64_t)&frame->context + (uint64_t)extra -
					  (uint64_t)context);
		data = moved(extra, context, frame);
		if (gadget_copy(&place->data, &data, sizeof(data)) != 0)
			return false;
	}
	return (info == NULL || gadget_copy(frame->info, info, sizeof(frame->info)) == 0) &&
	       gadget_copy((void *)(places->frame + frame_bytes(context)), &link, sizeof(link)) ==
		   0;
}

struct signal_frame *frame_copy(const struct frame_places *places,
				const struct kernel_context *context)
{
	struct signal_frame *frame = (struct signal_frame *)places->frame;
	struct record *extra;

	bytes_copy(&frame->context, context, context_bytes(context));
	extra = find_extra((uint64_t)&frame->context + RECORDS_OFFSET);
	if (extra != NULL)
		extra->data = moved(extra, context, frame);
	return frame;
}

/*
 * Linux 6.12 has protection keys on some arm64 processors. Their rights are in a record of the
 * frame.
 */
bool frame_has_keys(const struct kernel_context *context)
{
	(void)context;
	return false;
}

/*
 * Whether a restorer has the instructions of the C library's, of which the second one has been
 * replaced. Code that unwinds a stack recognizes a frame by them.
 */
static bool is_rewritten(const struct kernel_sigaction *action)
{
	uint32_t code[2];

	return gadget_copy(code, (const void *)action->restorer, sizeof(code)) == 0 &&
	       code[0] == CALL_RETURN_NUMBER && code[1] == CALL_REWRITTEN;
}

void frame_begin_handler(struct kernel_context *context, const struct frame_places *places,
			 int number, const struct kernel_sigaction *action)
{
	struct kernel_registers *registers = &context->registers;

	registers->x[0] = (uint64_t)number;
	if ((action->flags & SA_SIGINFO) != 0) {
		registers->x[1] = places->frame + offsetof(struct signal_frame, info);
		registers->x[2] = places->frame + offsetof(struct signal_frame, context);
	}
	registers->x[29] = places->frame + frame_bytes(context);
	registers->x[30] = (action->flags & KERNEL_SA_RESTORER) == 0 || is_rewritten(action)
			       ? resident_launch_return
			       : (uint64_t)action->restorer;
	registers->sp = places->frame;
	registers->pc = (uint64_t)action->handler;
	registers->pstate &= ~(PSTATE_BRANCH | PSTATE_TAGS);
}

/*
 * The length of the records in a frame of the program, with the one that ends them, as
 * parse_user_sigframe in the kernel. 0: the kernel would refuse them.
 */
static uint64_t records_bytes(const struct kernel_context *context, bool *is_long)
{
	uint64_t records = (uint64_t)context + RECORDS_OFFSET, at = 0;
	bool has_floating = false;
	struct {
		uint32_t magic, bytes;
	} head;

	for (*is_long = false; at + sizeof(head) <= RECORDS_BYTES; at += head.bytes) {
		if (gadget_copy(&head, record_at(records, at), sizeof(head)) != 0)
			return 0;
		*is_long |= head.magic == EXTRA_MAGIC;
		if (head.magic == 0)
			return head.bytes == 0 && has_floating ? at + sizeof(head) : 0;
		if (head.bytes < sizeof(head) || head.bytes % 16 != 0)
			return 0;
		has_floating |= head.magic == FLOATING_MAGIC &&
				head.bytes == sizeof(context->registers.floating_point);
	}
	return 0;
}

/* Long vectors or matrices (SVE, SME) have more records than fit into every frame. */
bool frame_is_long(uint64_t stack)
{
	bool is_long;

	records_bytes(frame_returned(stack), &is_long);
	return is_long;
}

/*
 * Both frames have the same room. What the kernel would refuse is found here: it would end the
 * program when the loader's own handler returns.
 */
bool frame_take_state(struct kernel_context *context, const struct kernel_context *from)
{
	uint64_t to = (uint64_t)context + RECORDS_OFFSET, state;
	bool is_long;
	uint64_t bytes = records_bytes(from, &is_long);

	return bytes != 0 && !is_long && (uint64_t)from % 16 == 0 &&
	       gadget_copy(&state, &from->registers.pstate, sizeof(state)) == 0 &&
	       (state & PSTATE_REFUSED) == 0 &&
	       gadget_copy((void *)to, (const void *)((uint64_t)from + RECORDS_OFFSET), bytes) == 0;
}

/* With its records a context is always longer than the shortest page, and stays where it is. */
struct kernel_context *frame_last(uint64_t page, const struct kernel_context *context)
{
	bytes_fill((void *)page, 0, sizeof(uint64_t));
	return (struct kernel_context *)context;
}
