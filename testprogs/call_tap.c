/*
 * call_tap: a filter for a network device, whose instructions are on a page of .data that nobody
 * touched. The request has the letter of those of terminals, and the address of an address.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mark.h"
#include "show.h"

#define PAGE		    4096
#define OWN_CLONE_NEWUSER   0x10000000
#define OWN_CLONE_NEWNET    0x40000000
#define OWN_TUNSETIFF	    0x400454ca
#define OWN_TUNATTACHFILTER 0x401054d5
#define OWN_IFF_TAP	    0x0002

/* struct sock_filter and struct sock_fprog (linux/filter.h). */
struct instruction {
	uint16_t code;
	uint8_t if_true, if_false;
	uint32_t operand;
};

struct program {
	uint16_t count;
	const struct instruction *instructions;
};

/* Far from what is touched: pages of files come with their neighbours. */
static struct {
	char before[64 * PAGE];
	struct instruction accept_all[1];
	char after[64 * PAGE];
} data = {.accept_all = {{.code = 6, .operand = 0xffff}}};

int main(void)
{
	struct program program = {1, data.accept_all};
	struct ifreq request = {.ifr_flags = OWN_IFF_TAP};
	int device;

	/* In a network of its own, the device is nobody else's, and an ordinary user may make it.
	 */
	show("network", syscall(SYS_unshare, OWN_CLONE_NEWUSER | OWN_CLONE_NEWNET));
	device = open("/dev/net/tun", O_RDWR);
	show("open", device < 0 ? device : 0);
	show("TUNSETIFF", ioctl(device, OWN_TUNSETIFF, &request));
	show("TUNATTACHFILTER", ioctl(device, OWN_TUNATTACHFILTER, &program));
	mark();
	return 0;
}
