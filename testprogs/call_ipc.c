/*
 * call_ipc: semaphores and message queues, System V and POSIX ones, with operations, messages and
 * attributes on untouched pages.
 */
#include "guest.h"
#include "show.h"
#include "straddling.h"

#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

static const struct sembuf operations[2] __attribute__((aligned(PAGE))) = {{0, 2, 0}, {1, 3, 0}};
static const unsigned short values[4] __attribute__((aligned(PAGE))) = {4, 5, 6, 7};
static const struct timespec soon __attribute__((aligned(PAGE))) = {0, 1000000};
static char message[4 * PAGE]
    __attribute__((aligned(PAGE))) = {[2 * PAGE - 8] = 3, [2 * PAGE] = 'm', 'e', 's', 's'};

static void semaphores(void)
{
	int set = semget(IPC_PRIVATE, 4, IPC_CREAT | 0600);
	unsigned short *all = (unsigned short *)((char *)straddling() + 4);
	struct semid_ds *status = straddling();
	struct sembuf *wait = (struct sembuf *)((char *)straddling() + 4);

	show("set", set >= 0);
	show("semop", semop(set, (struct sembuf *)operations, 2));
	show("GETALL", semctl(set, 0, GETALL, all));
	printf("%d %d %d\n", all[0], all[1], all[2]);
	show("SETALL", semctl(set, 0, SETALL, values));
	show("GETVAL", semctl(set, 3, GETVAL));
	show("IPC_STAT", semctl(set, 0, IPC_STAT, status));
	printf("%d\n", (int)status->sem_nsems);
	wait[2].sem_op = -100;
	show("semtimedop", semtimedop(set, wait + 2, 1, &soon));
	show("would wait",
	     semtimedop(set, (struct sembuf *)((char *)straddling() + 4), 2, straddling()));
	show("IPC_RMID", semctl(set, 0, IPC_RMID));
}

static void messages(void)
{
	int queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
	char *received = straddling();
	struct msqid_ds *status = straddling();

	show("queue", queue >= 0);
	show("msgsnd", msgsnd(queue, message + 2 * PAGE - 8, 4, 0));
	show("no type", msgsnd(queue, straddling(), 4, 0));
	show("IPC_STAT", msgctl(queue, IPC_STAT, status));
	printf("%d\n", (int)status->msg_qnum);
	show("msgrcv", msgrcv(queue, received, 5000, 0, 0));
	printf("type %ld: %.4s\n", *(long *)received, received + 8);
	show("none", msgrcv(queue, straddling(), 5000, 0, IPC_NOWAIT));
	show("IPC_RMID", msgctl(queue, IPC_RMID, NULL));
}

static void posix_messages(void)
{
	char *name = straddling(), *received = straddling();
	long *attributes = straddling(), *now = straddling();
	unsigned *priority = (unsigned *)((char *)straddling() + 6);
	int queue;

	snprintf(name, 64, "call_ipc_%d", (int)getpid());
	attributes[1] = 4;
	attributes[2] = 3000;
	queue = (int)syscall(SYS_mq_open, name, O_RDWR | O_CREAT | O_EXCL, 0600, attributes);
	show("queue", queue >= 0 ? 0 : queue);
	show("unlink", syscall(SYS_mq_unlink, name));
	show("send", syscall(SYS_mq_timedsend, queue, message + 2 * PAGE, 2500, 7, straddling()));
	show("attributes", syscall(SYS_mq_getsetattr, queue, NULL, now));
	printf("%ld %ld %ld\n", now[1], now[2], now[3]);
	show("too short", syscall(SYS_mq_timedreceive, queue, straddling(), 100, priority, NULL));
	show("receive",
	     syscall(SYS_mq_timedreceive, queue, received, 5000, priority, straddling()));
	printf("priority %u: %.4s\n", *priority, received);
	show("late", syscall(SYS_mq_timedreceive, queue, received, 5000, priority, straddling()));
	show("notify", syscall(SYS_mq_notify, queue, straddling()));
}

int main(void)
{
	semaphores();
	messages();
	posix_messages();
	mark();
}
