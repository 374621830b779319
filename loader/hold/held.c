/* Reads and releases memory that is held. */
#include "loader/hold/hold.h"

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "common/page.h"

#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#define DESCRIPTORS_MAX 5

bool held_read(const struct held *held, uint64_t address, void *to, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t got =
		    pread(held->memory, (char *)to + done, bytes - done, (off_t)(address + done));

		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

bool held_is_zero(const struct held *held, uint64_t address)
{
	uint64_t words[PAGE_BYTES_MAX / sizeof(uint64_t)];

	/* No more than the page: a read would bring in those after it. */
	if (!held_read(held, address, words, PAGE_BYTES))
		return false;
	for (size_t i = 0; i < PAGE_BYTES / sizeof(words[0]); i++)
		if (words[i] != 0)
			return false;
	return true;
}

void held_close(const struct held *held)
{
	close(held->maps);
	close(held->pagemap);
	close(held->memory);
	close(held->caller_maps);
}

/*
 * One message: the holder's process ID, and its descriptors as ancillary data (unix(7),
 * SCM_RIGHTS).
 */
struct message {
	struct iovec content;
	struct msghdr header;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
};

static void message_begin(struct message *message, pid_t *holder)
{
	memset(message, 0, sizeof(*message));
	message->content = (struct iovec){holder, sizeof(*holder)};
	message->header = (struct msghdr){
	    .msg_iov = &message->content,
	    .msg_iovlen = 1,
	    .msg_control = message->control,
	    .msg_controllen = sizeof(message->control),
	};
}

bool held_send(int socket, const struct held *held, int more)
{
	int descriptors[DESCRIPTORS_MAX] = {held->maps, held->pagemap, held->memory,
					    held->caller_maps, more};
	socklen_t bytes = (more >= 0 ? 5 : 4) * sizeof(int);
	pid_t holder = held->holder;
	struct message message;
	struct cmsghdr *control;

	message_begin(&message, &holder);
	message.header.msg_controllen = holder != 0 ? (socklen_t)CMSG_SPACE(bytes) : 0;
	control = CMSG_FIRSTHDR(&message.header);
	if (control != NULL) {
		control->cmsg_level = SOL_SOCKET;
		control->cmsg_type = SCM_RIGHTS;
		control->cmsg_len = (socklen_t)CMSG_LEN(bytes);
		memcpy(CMSG_DATA(control), descriptors, bytes);
	}
	return sendmsg(socket, &message.header, MSG_NOSIGNAL) == sizeof(holder);
}

bool held_receive(int socket, struct held *held, int *more)
{
	int descriptors[DESCRIPTORS_MAX] = {-1, -1, -1, -1, -1};
	struct message message;
	struct cmsghdr *control;
	pid_t holder = 0;

	message_begin(&message, &holder);
	if (recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC) != sizeof(holder))
		return false;
	control = CMSG_FIRSTHDR(&message.header);
	if (control != NULL && control->cmsg_type == SCM_RIGHTS)
		memcpy(descriptors, CMSG_DATA(control), control->cmsg_len - CMSG_LEN(0));
	*held =
	    (struct held){holder, descriptors[0], descriptors[1], descriptors[2], descriptors[3]};
	*more = descriptors[4];
	return true;
}

void held_end(const struct held *held)
{
	/*
	 * The holder may not exist, because it could not be made. kill(-1) would signal every
	 * process.
	 */
	if (held->holder <= 0)
		return;
	kill(held->holder, SIGKILL);
	/* fails with ECHILD if the holder is an orphan */
	raw_syscall6(SYS_wait4, (uint64_t)held->holder, 0, KERNEL_WALL, 0, 0, 0);
}
