/*
 * Makes present what a system call is given the address of. The kernel does not run our handler
 * for its own accesses: it would return EFAULT, or half a result.
 *
 * Memory of the program is read with gadget_copy() here. Where that fails nothing more is done:
 * the kernel is going to say EFAULT by itself.
 */
#include "loader/resident/calls/parts.h"

#include "common/arch/x86_64/syscall.h"
#include "common/page.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/pager/pages.h"

#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define ELEMENT_BYTES 64   /* no array of system_calls.def has longer elements */
#define VECTOR_MAX    1024 /* UIO_MAXIOV: the kernel takes no more */
#define WORDS_MAX     32   /* of a struct that may hold addresses */
#define STRINGS_MAX   (1 << 20)

static void reveal(uint64_t start, uint64_t length)
{
	pages_reveal(&resident_pager, start, length);
}

static uint64_t multiply(uint64_t count, uint64_t bytes)
{
	return count > UINT64_MAX / bytes ? UINT64_MAX : count * bytes;
}

static void reveal_unknown(uint64_t address)
{
	uint64_t end = pages_object_end(&resident_pager, address);

	if (end != 0)
		reveal(address, end - address);
}

/*
 * A struct, and what the words in it may be the addresses of. Nobody knows how long it is, so what
 * cannot be read may not belong to it.
 */
static void reveal_struct(uint64_t address)
{
	uint64_t words[WORDS_MAX];
	uint64_t count = WORDS_MAX;

	reveal_unknown(address);
	if (gadget_copy(words, (const void *)address, sizeof(words)) != 0) {
		count = (PAGE_BYTES - page_offset(address)) / sizeof(words[0]);
		if (count > WORDS_MAX ||
		    gadget_copy(words, (const void *)address, count * sizeof(words[0])) != 0)
			return;
	}
	for (uint64_t i = 0; i < count; i++)
		reveal_unknown(words[i]);
}

static void reveal_vector(uint64_t address, uint64_t count)
{
	struct iovec element;

	reveal(address, multiply(count, sizeof(element)));
	for (uint64_t i = 0; i < count && i < VECTOR_MAX; i++) {
		if (gadget_copy(&element, (const struct iovec *)address + i, sizeof(element)) != 0)
			return;
		reveal((uint64_t)element.iov_base, element.iov_len);
	}
}

static void reveal_message(uint64_t address)
{
	struct msghdr message;

	if (gadget_copy(&message, (const void *)address, sizeof(message)) != 0)
		return;
	reveal((uint64_t)message.msg_name, PAGE_BYTES);
	reveal((uint64_t)message.msg_control, message.msg_controllen);
	reveal_vector((uint64_t)message.msg_iov, (uint64_t)message.msg_iovlen);
}

static void reveal_messages(uint64_t address, uint64_t count)
{
	reveal(address, multiply(count, sizeof(struct mmsghdr)));
	for (uint64_t i = 0; i < count && i < VECTOR_MAX; i++)
		reveal_message((uint64_t)((const struct mmsghdr *)address + i));
}

/* struct futex_waitv (linux/futex.h): value, address, flags. */
static void reveal_futexes(uint64_t address, uint64_t count)
{
	uint64_t element[3];

	for (uint64_t i = 0; i < count && i < VECTOR_MAX; i++) {
		if (gadget_copy(element, (const void *)(address + i * sizeof(element)),
				sizeof(element)) != 0)
			return;
		reveal(element[1], sizeof(uint64_t));
	}
}

/* Strings of up to 128 KiB each (MAX_ARG_STRLEN); each is read to its end, page by page. */
static void reveal_string(uint64_t address)
{
	char last;

	do {
		uint64_t end = page_floor(address) + PAGE_BYTES;

		if (pages_object_end(&resident_pager, address) == 0 ||
		    gadget_copy(&last, (const void *)(end - 1), 1) != 0)
			return;
		address = end;
	} while (last != '\0');
}

static void reveal_strings(uint64_t address)
{
	uint64_t string;

	for (unsigned i = 0; i < STRINGS_MAX; i++) {
		if (gadget_copy(&string, (const uint64_t *)address + i, sizeof(string)) != 0 ||
		    string == 0)
			return;
		reveal_string(string);
	}
}

static void reveal_argument(enum argument kind, uint64_t address, uint64_t next)
{
	switch (kind) {
	case ARGUMENT_V:
		break;
	case ARGUMENT_P:
		reveal(address, PAGE_BYTES);
		break;
	case ARGUMENT_B:
		reveal(address, next);
		break;
	case ARGUMENT_A:
		reveal(address, multiply(next, ELEMENT_BYTES));
		break;
	case ARGUMENT_U:
		reveal_unknown(address);
		break;
	case ARGUMENT_S:
		reveal_struct(address);
		break;
	case ARGUMENT_I:
		reveal_vector(address, next);
		break;
	case ARGUMENT_M:
		reveal_message(address);
		break;
	case ARGUMENT_N:
		reveal_messages(address, next);
		break;
	case ARGUMENT_W:
		reveal_futexes(address, next);
		break;
	case ARGUMENT_X:
		reveal_strings(address);
		break;
	}
}

/*
 * A terminal's request is about a number or a small struct without addresses (asm/ioctls.h). Newer
 * ones, as glibc's isatty() makes since 2.42, have size and direction in front of the same two
 * bytes. Requests of network devices have the same letter and numbers from 192 on (linux/if_tun.h);
 * a filter's holds an address.
 */
static bool is_about_terminal(uint64_t request)
{
	return (request & 0xff80) == 'T' << 8 && request != TIOCLINUX;
}

/*
 * Calls of which the table says too much. It would cost no memory, but the pages would be out of
 * our hands: all of .bss when a program begins with mmap(NULL, 64 MiB).
 */
static void narrow(struct system_call *call, const struct kernel_registers *registers)
{
	/* A hint, often 0; what is there stays as it is. */
	if (registers->rax == SYS_mmap && !(registers->r10 & MAP_FIXED))
		call->a = ARGUMENT_V;
	if (registers->rax == SYS_ioctl && is_about_terminal(registers->rsi))
		call->c = ARGUMENT_P;
	if (registers->rax == SYS_prctl && registers->rdi == PR_SET_NAME)
		call->b = ARGUMENT_P;
}

void arguments_reveal(struct system_call call, const struct kernel_registers *registers)
{
	narrow(&call, registers);
	reveal_argument(call.a, registers->rdi, registers->rsi);
	reveal_argument(call.b, registers->rsi, registers->rdx);
	reveal_argument(call.c, registers->rdx, registers->r10);
	reveal_argument(call.d, registers->r10, registers->r8);
	reveal_argument(call.e, registers->r8, registers->r9);
	reveal_argument(call.f, registers->r9, 0);
}
