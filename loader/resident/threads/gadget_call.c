#include "loader/resident/threads/gadget_call.h"

#include "loader/resident/arch/gadget.h"
#include "loader/resident/threads/states.h"

#include <errno.h>
#include <stddef.h>

uint8_t gadget_has_keys;

enum place gadget_place(uint64_t instruction)
{
	if (instruction < (uint64_t)resident_text || instruction >= (uint64_t)resident_text_end)
		return PLACE_PROGRAM;
#define PLACE(name, start, end, meaning)                                                           \
	if (instruction >= (uint64_t)(start) && instruction < (uint64_t)(end))                     \
		return PLACE_##name;
#include "loader/resident/arch/places.def"
	return PLACE_PROGRAM;
}

void gadget_news(struct thread *thread, struct kernel_context *context)
{
	thread->news = true;
	if (gadget_place(registers_place(&context->registers)) == PLACE_RETURN)
		registers_set_place(&context->registers, (uint64_t)gadget_return_look);
}

void gadget_enter(struct thread *thread, const struct call *call, struct kernel_context *context)
{
	thread->saved = context->registers;
	call_set(&context->registers, call, (uint64_t)gadget_start);
	gadget_give_thread(&context->registers, thread);
}

/*
 * At PLACE_CALL the call has not been made, or the kernel wants it made again (SA_RESTART). Then
 * the program's own instruction makes the call, with the number that is in the register. The kernel
 * may have changed that number (restart_syscall(2)).
 */
uint64_t gadget_unwind(struct thread *thread, struct kernel_context *context)
{
	struct kernel_registers *registers = &context->registers;
	enum place place = gadget_place(registers_place(registers));
	long result = call_result(registers);
	uint64_t mask = context->mask | thread->blocked;

	if (place == PLACE_PROGRAM || place_is_ours(place))
		return mask;
	call_put_back(registers, &thread->saved, place != PLACE_CALL);
	if (place == PLACE_CALL) {
		call_back_up(registers);
		thread->traced.open = false;
		return mask;
	}
	if (place == PLACE_RESULT)
		thread->result = (uint64_t)result;
	call_set_result(registers, (long)thread->result);
	if (thread->has_temporary_mask && call_result(registers) == -EINTR)
		mask = thread->temporary_mask;
	return mask;
}
