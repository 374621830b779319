/*
 * call_edges: arguments of a system call that begin in the last page of .data and end in an
 * untouched page of .bss. The argument names the call.
 */
#include "guest.h"

#include <grp.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>

/* The first of .bss: no larger alignment than what is before it. */
static char area[66 * PAGE];
extern char edata[];

static const char *way;

static int is(const char *name)
{
	return strcmp(way, name) == 0;
}

static void show(long result)
{
	printf("%s: %ld, error %d\n", way, result, result < 0 ? errno : 0);
}

static void messages(char *edge, int receive)
{
	struct {
		long type;
		char text[16];
	} message = {7, "a message"};
	int queue = msgget(IPC_PRIVATE, 0600);

	if (receive)
		msgsnd(queue, &message, 16, 0);
	else
		*(long *)(edge - 8) = 7;
	show(receive ? msgrcv(queue, edge - 8, 16, 0, IPC_NOWAIT) : msgsnd(queue, edge - 8, 16, 0));
	printf("'%s'\n", edge);
	msgctl(queue, IPC_RMID, NULL);
}

static void semaphores(char *edge, int set)
{
	int group = semget(IPC_PRIVATE, 16, 0600);

	show(semctl(group, 0, set ? SETALL : GETALL, edge - 8));
	semctl(group, 0, IPC_RMID);
}

static void interfaces(char *edge)
{
	struct ifconf list = {.ifc_len = 40, .ifc_buf = edge - 8};

	show(ioctl(socket(AF_INET, SOCK_DGRAM, 0), SIOCGIFCONF, &list));
}

/* execve begins this same program. */
static void arguments(char *edge, char *self)
{
	char *words[4] = {self, edge - 3, "3", NULL}, **vector = (char **)(edge - 16);

	if (is("execve_word")) {
		memcpy(edge - 3, "abc", 3);
		show(execve(self, words, words + 3));
	} else { /* the string's end is after the edge */
		vector[0] = self;
		vector[1] = "abc";
		show(execve(self, vector, words + 3));
	}
}

static void other_calls(char *edge)
{
	const gid_t groups[2] = {7, 8};
	struct timeval none = {0, 0};

	if (is("getgroups"))
		show(setgroups(2, groups) + syscall(SYS_getgroups, 1000, edge - 4));
	else if (is("select"))
		show(select(128, NULL, NULL, (fd_set *)(edge - 8), &none));
	else if (is("mincore"))
		show(mincore(edge + 32 * PAGE, 8 * PAGE, (unsigned char *)(edge - 4)));
	else if (is("prctl"))
		show(prctl(PR_GET_NAME, edge - 4));
	else if (is("setgroups"))
		show(setgroups(2, (gid_t *)(edge - 4)));
}

int main(int argc, char **argv)
{
	char *edge = (char *)(((uintptr_t)area + PAGE - 1) & ~(uintptr_t)(PAGE - 1));

	way = WORD(1, "getgroups", "setgroups", "select", "mincore", "prctl", "msgrcv", "msgsnd",
		   "semctl_get", "semctl_set", "ifconf", "execve_word", "execve_vector", "abc");
	if (is("abc")) {
		printf("begun with %d words\n", argc);
		return 0;
	}
	if (edge - area < 16 || (uintptr_t)(edata - 1) / PAGE != (uintptr_t)area / PAGE)
		skip(".bss does not begin in the last page of .data");
	if (is("msgrcv") || is("msgsnd"))
		messages(edge, is("msgrcv"));
	else if (is("semctl_get") || is("semctl_set"))
		semaphores(edge, is("semctl_set"));
	else if (is("ifconf"))
		interfaces(edge);
	else if (is("execve_word") || is("execve_vector"))
		arguments(edge, argv[0]);
	else
		other_calls(edge);
	mark();
}
