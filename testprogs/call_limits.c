/*
 * call_limits: facts about the process and the machine that the kernel stores on untouched pages.
 * Only what stays the same from run to run is printed.
 */
#include "guest.h"
#include "show.h"
#include "straddling.h"

#include <grp.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

static const struct rlimit limit __attribute__((aligned(PAGE))) = {1000, 1500};
static const gid_t groups[4] __attribute__((aligned(PAGE))) = {1, 2, 3, 4};
static const char name[] __attribute__((aligned(PAGE))) = "a new name";

static void limits(void)
{
	struct rlimit *old = straddling(), *now = straddling();

	for (int i = 0; i <= 16; i++) {
		memset(now, 1, sizeof(*now));
		show("getrlimit", syscall(SYS_getrlimit, i, now));
		printf("%d: %lx %lx\n", i, (long)now->rlim_cur, (long)now->rlim_max);
	}
	show("prlimit64", syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, old));
	now = straddling();
	show("prlimit64", syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, now));
	printf("%d, %ld %ld\n", old->rlim_cur >= now->rlim_cur, (long)now->rlim_cur,
	       (long)now->rlim_max);
	show("setrlimit", syscall(SYS_setrlimit, RLIMIT_CORE, straddling()));
}

static void identities(void)
{
	uint32_t *header = straddling(), *data = straddling();
	int *first = (int *)((char *)straddling() + 6), *second = (int *)((char *)straddling() + 6);
	int *list;

	header[0] = 0x20080522;
	show("capget", syscall(SYS_capget, header, data));
	printf("%x %x %x %x\n", data[0], data[1], data[2], data[3]);
	show("version", syscall(SYS_capget, straddling(), NULL));
	show("getresuid", syscall(SYS_getresuid, first, second, straddling()));
	printf("%d %d\n", *first == (int)getuid(), *second == (int)geteuid());
	show("groups", getgroups(0, NULL));
	show("setgroups", setgroups(4, groups));
	list = (int *)((char *)straddling() + 6);
	show("getgroups", getgroups(1000, (gid_t *)list));
	printf("%d\n", list[3]);
}

int main(void)
{
	struct sysinfo *info = straddling();
	struct utsname *system = (struct utsname *)((char *)straddling() - 190),
		       *own = straddling();
	unsigned *processor = straddling(), *node = straddling();
	char *text = straddling();
	struct sched_param *parameter = (struct sched_param *)((char *)straddling() + 6);

	limits();
	identities();
	show("affinity", syscall(SYS_sched_getaffinity, 0, 4000, straddling()));
	show("glibc's", sched_getaffinity(0, 128, straddling()));
	show("set to none", syscall(SYS_sched_setaffinity, 0, 4000, straddling()));
	show("sysinfo", syscall(SYS_sysinfo, info));
	printf("%d, %d\n", info->totalram > 0, info->procs > 0);
	show("uname", syscall(SYS_uname, system));
	show("uname", uname(own));
	printf("%s %s %s, %d\n", system->sysname, system->release, system->machine,
	       memcmp(system, own, sizeof(*own)));
	show("getcpu", syscall(SYS_getcpu, processor, node, NULL));
	printf("%d\n", *processor < 4096 && *node < 4096);
	show("vdso getcpu", sched_getcpu() >= 0);
	show("name", prctl(PR_SET_NAME, name));
	show("name", prctl(PR_GET_NAME, text));
	printf("%s\n", text);
	show("parameters", syscall(SYS_sched_getparam, 0, parameter));
	show("parameters", syscall(SYS_sched_setparam, 0, straddling()));
	show("interval", syscall(SYS_sched_rr_get_interval, 0, straddling()));
	show("random", syscall(SYS_getrandom, straddling(), 200, 0));
	show("signal of parent", prctl(PR_GET_PDEATHSIG, (char *)straddling() + 6));
	show("robust list", syscall(SYS_get_robust_list, 0, straddling(), straddling()));
	mark();
}
