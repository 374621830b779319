/*
 * call_mq_notify: a message queue that notifies by SIGEV_THREAD, as C libraries implement it. The
 * kernel reads a cookie of 32 bytes when the notification is requested, and sends it to a netlink
 * socket.
 */
#include "guest.h"

#include <sys/socket.h>

#define COOKIE_BYTES 32
#define THREAD	     2 /* SIGEV_THREAD */

static char area[240 * PAGE] __attribute__((aligned(PAGE)));

int main(void)
{
	struct sigevent event = {.sigev_notify = THREAD};
	char name[40], got[2 * COOKIE_BYTES];
	long queue, length;

	snprintf(name, sizeof(name), "guest-%d", (int)getpid());
	queue = syscall(SYS_mq_open, name, O_CREAT | O_EXCL | O_RDWR, 0600, NULL);
	event.sigev_signo = socket(AF_NETLINK, SOCK_RAW, 0);
	if (queue < 0 || event.sigev_signo < 0)
		skip("no message queues or no netlink here");
	syscall(SYS_mq_unlink, name);
	event.sigev_value.sival_ptr = area + 50 * PAGE - 16;
	printf("mq_notify %ld\n", syscall(SYS_mq_notify, queue, &event));
	printf("send %ld\n", syscall(SYS_mq_timedsend, queue, "x", 1, 0, NULL));
	length = recv(event.sigev_signo, got, sizeof(got), MSG_DONTWAIT);
	printf("notified: %ld bytes, the last one %d\n", length, length > 0 ? got[length - 1] : -1);
	mark();
	return area[100 * PAGE];
}
