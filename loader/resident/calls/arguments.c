/*
 * Reveals the pages that a system call's arguments point to. The kernel's own accesses do not run
 * the loader's handler: on a hidden page the call would return EFAULT, or half a result.
 *
 * This file reads the program's memory with gadget_copy(). If a copy fails, nothing more is
 * revealed: the kernel will return EFAULT for the same address.
 */
#include "loader/resident/calls/arguments.h"

#include "common/arch/syscall.h"
#include "common/page.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/pager/pages.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define ELEMENT_BYTES 64   /* longest element of the arrays in system_calls.def */
#define VECTOR_MAX    1024 /* UIO_MAXIOV: the kernel refuses longer vectors */
#define WORDS_MAX     32   /* words of a struct that may hold addresses */
#define STRINGS_MAX   (1 << 20)

static void reveal(uint64_t start, uint64_t length)
{
	pages_reveal(&resident_pager, start, length);
}

static uint64_t multiply(uint64_t count, uint64_t bytes)
{
	return count > UINT64_MAX / bytes ? UINT64_MAX : count * bytes;
}

/* NULL and small numbers are no addresses, even if the program is linked close to address 0. */
static void reveal_unknown(uint64_t address)
{
	uint64_t end = pages_object_end(&resident_pager, address);

	if (end != 0 && address >= PAGE_BYTES)
		reveal(address, end - address);
}

/*
 * Reveals a struct, and each object whose address may be in a word of it. The length of the struct
 * is not known. So a word that cannot be read may lie beyond it, and ends the search.
 */
static void reveal_struct(uint64_t address)
{
	uint64_t word;

	reveal_unknown(address);
	for (unsigned i = 0; i < WORDS_MAX; i++) {
		if (gadget_copy(&word, (const uint64_t *)address + i, sizeof(word)) != 0)
			return;
		reveal_unknown(word);
	}
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

/* struct futex_waitv (linux/futex.h) has three words: value, address, flags. */
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

/* Reveals a string to its end, page by page. A string has up to 128 KiB (MAX_ARG_STRLEN). */
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
	case ARGUMENT_F:
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
 * A terminal request takes a number or a small struct without addresses (asm/ioctls.h). The same
 * holds for a request whose encoded length has no room for an address. Structs of requests for
 * files (linux/fs.h) and sockets (linux/sockios.h) may hold addresses, but not addresses of structs
 * that hold addresses.
 */
enum argument arguments_of(uint64_t request)
{
	switch (request >> 8 & 0xff) {
	case 'T': /* numbers from 0x80 on belong to network tunnels (linux/if_tun.h) */
		return (request & 0x80) == 0 ? ARGUMENT_P : ARGUMENT_V;
	case 'f':
	case 0x89:
		return ARGUMENT_S;
	default:
		/* 1 to 4 bytes; 0 means that the request encodes no length (asm/ioctl.h) */
		return (request >> 16 & 0x3fff) - 1 < sizeof(int) ? ARGUMENT_P : ARGUMENT_V;
	}
}

/*
 * Corrects table entries that name more memory than the call uses. Revealing too much costs no
 * memory, but the pages stop being lazy: all of .bss, when a program starts with mmap(NULL, 64
 * MiB).
 */
static void narrow(struct system_call *kind, const struct call *call)
{
	/*
	 * The address is a hint, often 0; the kernel does not touch memory that is already there.
	 */
	if (call->number == SYS_mmap && !(call->arguments[3] & MAP_FIXED))
		kind->a = ARGUMENT_V;
	if (call->number == SYS_ioctl)
		kind->c = arguments_of(call->arguments[1]);
	if (call->number == SYS_prctl && call->arguments[0] == PR_SET_NAME)
		kind->b = ARGUMENT_P;
}

void arguments_reveal(struct system_call kind, const struct call *call)
{
	narrow(&kind, call);
	reveal_argument(kind.a, call->arguments[0], call->arguments[1]);
	reveal_argument(kind.b, call->arguments[1], call->arguments[2]);
	reveal_argument(kind.c, call->arguments[2], call->arguments[3]);
	reveal_argument(kind.d, call->arguments[3], call->arguments[4]);
	reveal_argument(kind.e, call->arguments[4], call->arguments[5]);
	reveal_argument(kind.f, call->arguments[5], 0);
}
