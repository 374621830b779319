#include "loader/resident/threads/gadget_call.h"

#include "common/arch/bytes.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/threads/states.h"

#include <errno.h>
#include <stddef.h>

uint8_t gadget_has_keys;
struct gadget_upward gadget_upward;

bool gadget_is_ours(uint64_t instruction)
{
	return instruction >= (uint64_t)resident_text &&
	       instruction < (uint64_t)resident_text_end &&
	       (instruction < (uint64_t)gadget_start || instruction >= (uint64_t)gadget_end);
}

void gadget_news(struct thread *thread, struct kernel_context *context)
{
	uint64_t place = context->registers.rip;

	thread->news = true;
	if (place > (uint64_t)gadget_return_look && place < (uint64_t)gadget_return_done)
		context->registers.rip = (uint64_t)gadget_return_look;
}

void gadget_enter(struct thread *thread, struct kernel_context *context)
{
	thread->saved = context->registers;
	context->registers.rbx = (uint64_t)thread;
	context->registers.rip = (uint64_t)gadget_start;
}

/*
 * At the gadget's first instruction the call has not been made, or the kernel wants it made again
 * (SA_RESTART): the program's own instruction does so, with the number that is in rax, which is
 * another one where the kernel says so (restart_syscall(2)). After it rax is the call's result.
 */
uint64_t gadget_unwind(struct thread *thread, struct kernel_context *context)
{
	struct kernel_registers *registers = &context->registers;
	uint64_t place = registers->rip, rax = registers->rax;
	uint64_t mask = context->mask | thread->blocked;

	if (place < (uint64_t)gadget_start || place >= (uint64_t)gadget_end)
		return mask;
	bytes_copy(registers, &thread->saved, offsetof(struct kernel_registers, cs));
	registers->rax = rax;
	if (place == (uint64_t)gadget_start) {
		registers->rip -= SYSCALL_BYTES;
		thread->traced = false;
		return mask;
	}
	if (place < (uint64_t)gadget_made)
		thread->result = rax;
	registers->rax = thread->result;
	if (thread->has_temporary_mask && registers->rax == (uint64_t)-EINTR)
		mask = thread->temporary_mask;
	return mask;
}
