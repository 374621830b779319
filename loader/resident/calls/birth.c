#include "loader/resident/calls/birth.h"

#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "common/page.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/old_calls.h"
#include "loader/resident/pager/pages.h"

#include <errno.h>
#include <signal.h>

static void reveal_words(uint64_t address)
{
	pages_reveal(&resident_pager, address, 64);
}

/* As copy_struct_from_user in the kernel: bytes beyond the known fields must be zero. */
static long check_zeros(uint64_t address, uint64_t length)
{
	uint8_t byte;

	for (; length > 0; address++, length--) {
		if (gadget_copy(&byte, (const void *)address, 1) != 0)
			return -EFAULT;
		if (byte != 0)
			return -E2BIG;
	}
	return 0;
}

/* Returns 0 or -errno, as copy_clone_args_from_user and clone3_args_valid in the kernel. */
static long read_clone3(const struct call *call, struct birth *birth)
{
	struct clone3_arguments *arguments = &birth->arguments;
	uint64_t length = call->arguments[1], more = 0;
	long result;

	if (length > PAGE_BYTES)
		return -E2BIG;
	if (length < 64)
		return -EINVAL;
	if (length > sizeof(*arguments)) {
		more = length - sizeof(*arguments);
		length = sizeof(*arguments);
	}
	result = check_zeros(call->arguments[0] + length, more);
	if (result != 0)
		return result;
	if (gadget_copy(arguments, (const void *)call->arguments[0], length) != 0)
		return -EFAULT;
	if ((arguments->stack == 0) != (arguments->stack_bytes == 0))
		return -EINVAL;
	birth->is_clone3 = true;
	birth->length = length;
	birth->stack = arguments->stack + arguments->stack_bytes;
	arguments->stack = arguments->stack_bytes = 0;
	reveal_words(arguments->pidfd);
	reveal_words(arguments->child_id);
	reveal_words(arguments->parent_id);
	pages_reveal(&resident_pager, arguments->ids, PAGE_BYTES);
	return 0;
}

/*
 * If clone3 is not available, it returns ENOSYS whatever its arguments. Every kernel refuses the
 * empty arguments that are passed here.
 */
static long refuse_clone3(long error)
{
	return raw_syscall2(SYS_clone3, 0, 0) == -ENOSYS ? -ENOSYS : error;
}

uint64_t birth_flags(const struct call *call)
{
	uint64_t flags = call->number == SYS_vfork ? CLONE_VFORK : 0;

	if (call->number == SYS_clone)
		flags = call->arguments[0];
	if (call->number == SYS_clone3)
		gadget_copy(&flags, (const void *)call->arguments[0], sizeof(flags));
	return flags;
}

long birth_read(const struct call *call, struct birth *birth)
{
	struct clone3_arguments *arguments = &birth->arguments;
	long result;

	bytes_clear(birth, sizeof(*birth));
	switch (call->number) {
	case SYS_fork:
		arguments->flags = SIGCHLD;
		return 0;
	case SYS_vfork:
		arguments->flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
		return 0;
	case SYS_clone:
		birth->stack = call->arguments[1];
		arguments->flags = call->arguments[0];
		arguments->parent_id = call->arguments[2];
		arguments->child_id = call->arguments[CALL_CLONE_CHILD_ID];
		arguments->tls = call->arguments[CALL_CLONE_TLS];
		reveal_words(arguments->parent_id);
		reveal_words(arguments->child_id);
		return 0;
	default:
		result = read_clone3(call, birth);
		return result == 0 ? 0 : refuse_clone3(result);
	}
}
