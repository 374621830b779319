/* System calls whose arguments are on any page, also on pages that may not be read or written. */
#include "../guest.h"

#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>

#include "pages.h"
#include "steps.h"

#define MIDDLE 1024 /* what is there is no part of the model */

static int ends[2], sockets[2];

static void open_once(void)
{
	if (ends[1] == 0 && (pipe(ends) != 0 || socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets) != 0))
		expect("opened", false, true);
}

static long call(long number, long one, const void *two, long three)
{
	long result = syscall(number, one, two, three, 0, 0, 0);

	return result < 0 ? -errno : result;
}

/* Two descriptors, and no time to wait. The call has only its later form on arm64 and riscv64. */
static long poll_two(struct pollfd *descriptors)
{
#ifdef SYS_poll
	return call(SYS_poll, (long)descriptors, (void *)2, 0);
#else
	static const struct timespec no_time;

	return call(SYS_ppoll, (long)descriptors, (void *)2, (long)&no_time);
#endif
}

/* The first and the last byte of a page. The vector lies on another page. */
static struct iovec *ends_of(unsigned number)
{
	struct iovec *vector = pages_spare();

	vector[0] = (struct iovec){pages_address(number), 1};
	vector[1] = (struct iovec){pages_address(number) + PAGE - 1, 1};
	return vector;
}

static void pipe_out(unsigned number)
{
	uint8_t *got = pages_spare(), stamp = pages_model(number)->stamp;

	if (!pages_readable(number)) {
		expect("writev", call(SYS_writev, ends[1], ends_of(number), 2), -EFAULT);
		return;
	}
	expect("writev", call(SYS_writev, ends[1], ends_of(number), 2), 2);
	expect("read", call(SYS_read, ends[0], got, 2), 2);
	expect("bytes", got[0] * 256 + got[1], stamp * 256 + stamp);
}

static void pipe_in(unsigned number)
{
	uint8_t *given = pages_spare();

	given[0] = given[1] = (uint8_t)(1 + random_below(255));
	expect("write", call(SYS_write, ends[1], given, 2), 2);
	if (pages_writable(number)) {
		expect("readv", call(SYS_readv, ends[0], ends_of(number), 2), 2);
		pages_stamp(number, given[0]);
		pages_use(number, false);
	} else {
		expect("readv", call(SYS_readv, ends[0], ends_of(number), 2), -EFAULT);
		expect("read", call(SYS_read, ends[0], given, 2), 2);
	}
}

/* From one page into the next. */
static void pipe_across(unsigned number)
{
	uint8_t *got = pages_spare();
	char *end = pages_address(number) + PAGE;

	if (number + 1 == 768 || pages_address(number + 1) != end || !pages_readable(number) ||
	    !pages_readable(number + 1))
		return;
	expect("write", call(SYS_write, ends[1], end - 1, 2), 2);
	expect("read", call(SYS_read, ends[0], got, 2), 2);
	expect("bytes", got[0] * 256 + got[1],
	       pages_model(number)->stamp * 256 + pages_model(number + 1)->stamp);
}

void step_pipe(void)
{
	open_once();
	switch (random_below(3)) {
	case 0:
		pipe_out(pages_any());
		break;
	case 1:
		pipe_in(pages_any());
		break;
	default:
		pipe_across(pages_any());
	}
}

/* Calls that write to a page, all of which must end with 0 or EFAULT. */
static void call_out(unsigned number)
{
	char *place = pages_address(number) + MIDDLE;
	long expected = pages_writable(number) ? 0 : -EFAULT;

	switch (random_below(6)) {
	case 0:
		expect("uname", call(SYS_uname, (long)place, NULL, 0), expected);
		break;
	case 1:
		expect("clock_gettime", call(SYS_clock_gettime, CLOCK_MONOTONIC, place, 0),
		       expected);
		break;
	case 2:
		expect("fstat", call(SYS_fstat, ends[0], place, 0), expected);
		break;
	case 3:
		expect("getrlimit", call(SYS_getrlimit, 7, place, 0), expected);
		break;
	case 4:
		expect("ioctl", call(SYS_ioctl, ends[0], (void *)FIONREAD, (long)place), expected);
		break;
	default:
		expect("getresuid", call(SYS_getresuid, (long)place, place + 8, (long)(place + 16)),
		       expected);
	}
}

/* Calls that read from a page and write to it, with what is there at first. */
static void call_in_out(unsigned number)
{
	char *place = pages_address(number) + MIDDLE;
	struct pollfd *poll_for = (struct pollfd *)(place + 64);

	if (!pages_writable(number)) {
		if (!pages_readable(number))
			expect("poll", poll_two(poll_for), -EFAULT);
		return;
	}
	poll_for[1] = (struct pollfd){.fd = ends[1], .events = POLLOUT};
	/* Not of the pipe: Linux 6.12 leaves an empty buffer there when a write fails. */
	poll_for[0] = (struct pollfd){.fd = sockets[0], .events = POLLIN};
	expect("poll", poll_two(poll_for), 1);
	expect("writable", poll_for[1].revents, POLLOUT);
	memset(place + 256, 0, sizeof(fd_set));
	FD_SET(ends[1], (fd_set *)(place + 256));
	expect("select",
	       select(ends[1] + 1, NULL, (fd_set *)(place + 256), NULL,
		      &(struct timeval){.tv_sec = 1}),
	       1);
}

void step_arguments(void)
{
	open_once();
	if (random_one_in(3))
		call_in_out(pages_any());
	else
		call_out(pages_any());
}

/* A datagram of a page's two ends, received into another page's. */
void step_message(void)
{
	unsigned from = pages_any(), to = pages_writable_one();
	struct msghdr *out = pages_spare();
	struct mmsghdr *in = pages_spare();
	long expected = pages_readable(from) ? 2 : -EFAULT;
	struct iovec *given = ends_of(from), *taken;

	open_once();
	/* There may be only 8 bytes until the page ends. */
	*out = (struct msghdr){.msg_iov = given, .msg_iovlen = 2};
	expect("sendmsg", call(SYS_sendmsg, sockets[0], out, 0), expected);
	if (expected != 2)
		return;
	taken = ends_of(to);
	memset(in, 0, sizeof(*in));
	in->msg_hdr = (struct msghdr){.msg_iov = taken, .msg_iovlen = 2};
	expect("recvmmsg", call(SYS_recvmmsg, sockets[1], in, 1), 1);
	expect("length", in->msg_len, 2);
	pages_stamp(to, pages_model(from)->stamp);
	pages_use(to, false);
}
