/*
 * call_places: calls that read memory only with some values of another argument: the node of a page
 * (get_mempolicy), and one of an epoll's files (kcmp).
 */
#include "guest.h"
#include "show.h"

#include <sys/epoll.h>

#define NODE_OF_PAGE 3 /* MPOL_F_NODE | MPOL_F_ADDR */
#define EPOLL_FILE   7 /* KCMP_EPOLL_TFD */

/* struct kcmp_epoll_slot: descriptors, and which of several registrations. */
struct slot {
	uint32_t epoll, file, offset;
};

static char area[64 * PAGE];
static struct {
	char before[8 * PAGE];
	struct slot slot;
	char after[8 * PAGE];
} data = {.before = {1}, .slot = {7, 6, 0}, .after = {1}};

int main(void)
{
	struct epoll_event event = {.events = EPOLLIN};
	int node = -1, ends[2];

	show("where a page lies",
	     syscall(SYS_get_mempolicy, &node, NULL, 0, area + 33 * PAGE, NODE_OF_PAGE));
	check("somewhere", node >= 0);
	check("pipe", pipe(ends) == 0 && dup2(ends[0], 6) == 6 && dup2(epoll_create1(0), 7) == 7);
	check("epoll", epoll_ctl(7, EPOLL_CTL_ADD, 6, &event) == 0);
	show("the same file", syscall(SYS_kcmp, getpid(), getpid(), EPOLL_FILE, 6, &data.slot));
	mark();
}
