/*
 * call_ioctl: ioctl with numbers and structures on untouched pages. One structure lies across two
 * pages and holds the address of a buffer, which lies below it in memory.
 */
#include "guest.h"
#include "show.h"

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define OWN_FS_IOC_GETFLAGS 0x80086601
#define OWN_FS_IOC_FIEMAP   0xc020660b
#define OWN_SIOCGIFCONF	    0x8912
#define OWN_SIOCGIFFLAGS    0x8913
#define OWN_SIOCGIFINDEX    0x8933
#define OWN_TUNSETIFF	    0x400454ca
#define OWN_TUNATTACHFILTER 0x401054d5
#define OWN_IFF_TAP	    2

static char area[256 * PAGE] __attribute__((aligned(PAGE)));
static char data[4 * PAGE] __attribute__((aligned(PAGE))) = {[2 * PAGE - 1] = 'l', 'o'};
static const int enabled __attribute__((aligned(PAGE))) = 1;

static void interfaces(const char *what, struct ifconf *configuration, char *buffer)
{
	int file = socket(AF_INET, SOCK_DGRAM, 0);

	configuration->ifc_len = 20 * sizeof(struct ifreq);
	configuration->ifc_buf = buffer;
	show(what, ioctl(file, OWN_SIOCGIFCONF, configuration));
	printf("%d: %.16s\n", configuration->ifc_len, configuration->ifc_req[0].ifr_name);
	close(file);
}

/* Of a device: a filter, which a struct holds the address of. */
static void tunnel(void)
{
	int file = open("/dev/net/tun", O_RDWR);
	struct ifreq *request = (struct ifreq *)(area + 100 * PAGE);
	struct {
		uint16_t count;
		void *filter;
	} *program = (void *)(area + 110 * PAGE);

	request->ifr_flags = OWN_IFF_TAP;
	show("TUNSETIFF", ioctl(file, OWN_TUNSETIFF, request));
	program->count = 1;
	program->filter = area + 6 * PAGE;
	show("TUNATTACHFILTER", ioctl(file, OWN_TUNATTACHFILTER, program));
	close(file);
}

int main(void)
{
	int ends[2], file = (int)syscall(SYS_memfd_create, "file", 0);
	int udp = socket(AF_INET, SOCK_DGRAM, 0);
	int *count = (int *)(area + 10 * PAGE - 2);
	struct ifreq *request = (struct ifreq *)(area + 40 * PAGE - 17);

	must(pipe(ends) == 0);
	/* From the end of the array to its start. */
	interfaces("interfaces", (struct ifconf *)(area + 250 * PAGE), area + 255 * PAGE - 20);
	interfaces("below", (struct ifconf *)(area + 240 * PAGE), area + 65 * PAGE - 20);
	interfaces("straddling", (struct ifconf *)(area + 230 * PAGE - 8), area + 60 * PAGE - 20);
	show("write", write(ends[1], area + 3 * PAGE, 1000));
	show("FIONREAD", ioctl(ends[0], FIONREAD, count));
	printf("%d\n", *count);
	show("FIONBIO", ioctl(ends[0], FIONBIO, &enabled));
	show("blocking", (fcntl(ends[0], F_GETFL) & O_NONBLOCK) != 0);
	show("TIOCGWINSZ", ioctl(ends[0], TIOCGWINSZ, area + 20 * PAGE - 2));
	show("FIONREAD of a file", ioctl(file, FIONREAD, area + 24 * PAGE - 2));
	show("FS_IOC_GETFLAGS", ioctl(file, OWN_FS_IOC_GETFLAGS, area + 28 * PAGE - 4));
	show("FS_IOC_FIEMAP", ioctl(file, OWN_FS_IOC_FIEMAP, area + 32 * PAGE - 8));
	memcpy(request->ifr_name, data + 2 * PAGE - 1, 3);
	show("SIOCGIFINDEX", ioctl(udp, OWN_SIOCGIFINDEX, request));
	show("SIOCGIFFLAGS", ioctl(udp, OWN_SIOCGIFFLAGS, request));
	printf("%x\n", request->ifr_flags);
	show("no interface", ioctl(udp, OWN_SIOCGIFFLAGS, area + 90 * PAGE - 17));
	show("nothing", ioctl(udp, OWN_SIOCGIFFLAGS, NULL));
	mark();
	tunnel();
	show("unknown", ioctl(file, 0x12345678, area + 95 * PAGE));
}
