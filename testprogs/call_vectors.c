/*
 * call_vectors: calls that take iovec[]. The vectors and the buffers lie on untouched pages. The
 * program also reads and writes its own memory by process_vm_readv, process_vm_writev and
 * /proc/self/mem.
 */
#include "guest.h"
#include "show.h"

#include <sys/uio.h>

static char area[512 * PAGE] __attribute__((aligned(PAGE)));
static struct iovec many[2048] __attribute__((aligned(PAGE)));
static char pieces[1024 * 3 * PAGE] __attribute__((aligned(PAGE)));
static char large[16 * PAGE] __attribute__((aligned(PAGE)));
static char sources[32 * PAGE]
    __attribute__((aligned(PAGE))) = {[9 * PAGE - 2] = 's', 't', 'u', 'v'};
static const char text[16 * PAGE]
    __attribute__((aligned(PAGE))) = {[7 * PAGE - 3] = 'a', 'b', 'c', 'd', 'e', 'f'};
static const struct iovec constant[3] = {
    {(char *)text + 7 * PAGE - 3, 6}, {sources + 9 * PAGE - 2, 4}, {area + 77 * PAGE, 2}};

int main(void)
{
	int file = (int)syscall(SYS_memfd_create, "file", 0), self;
	struct iovec *vector = (struct iovec *)(area + 3 * PAGE - 8);
	struct iovec remote = {area + 300 * PAGE - 2, 9};

	show("writev", writev(file, constant, 3));
	vector[0] = (struct iovec){area + 40 * PAGE - 2, 5};
	vector[1] = (struct iovec){area + 50 * PAGE, 0};
	vector[2] = (struct iovec){area + 60 * PAGE - 1, 7};
	show("preadv2", syscall(SYS_preadv2, file, vector, 3, 0, 0, 0));
	printf("%.5s, %.7s\n", area + 40 * PAGE - 2, area + 60 * PAGE - 1);
	show("pwritev", pwritev(file, (struct iovec *)(area + 90 * PAGE), 4, 0));
	for (int i = 0; i < 1024; i++)
		many[i] = (struct iovec){pieces + (i * 3 + 1) * PAGE - 1, 2};
	ftruncate(file, 4096);
	show("pwrite", pwrite(file, "0123456789", 10, 2040));
	lseek(file, 0, SEEK_SET);
	show("readv", readv(file, many, 1024));
	printf("%.2s%.2s, %d\n", (char *)many[1020].iov_base, (char *)many[1023].iov_base,
	       pieces[PAGE]);
	show("too many", readv(file, many, 1025));
	vector = (struct iovec *)(area + 120 * PAGE - 24);
	vector[0] = (struct iovec){area + 200 * PAGE - 1, 3};
	vector[1] = (struct iovec){area + 210 * PAGE - 3, 6};
	show("from ourselves", process_vm_readv(getpid(), vector, 2, &remote, 1, 0));
	remote.iov_base = (void *)(text + 7 * PAGE - 3);
	show("constants", process_vm_readv(getpid(), vector, 2, &remote, 1, 0));
	printf("%.3s, %.6s\n", area + 200 * PAGE - 1, area + 210 * PAGE - 3);
	remote.iov_base = area + 400 * PAGE - 4;
	show("to ourselves", process_vm_writev(getpid(), vector, 2, &remote, 1, 0));
	printf("%.9s\n", area + 400 * PAGE - 4);
	mprotect(area + 410 * PAGE, PAGE, PROT_NONE);
	remote = (struct iovec){area + 410 * PAGE - 4, 9};
	show("into none", process_vm_writev(getpid(), vector, 2, &remote, 1, 0));
	ftruncate(file, 8 * PAGE);
	show("pread", pread(file, large + 5, 7 * PAGE, 0));
	mark();
	self = open("/proc/self/mem", O_RDWR);
	show("through the file",
	     pread(self, area + 450 * PAGE - 3, 6, (off_t)(text + 7 * PAGE - 3)));
	show("into the file", pwrite(self, text + 7 * PAGE - 3, 6, (off_t)(area + 470 * PAGE - 3)));
	show("nothing there", pread(self, area + 480 * PAGE, 6, (off_t)(area + 490 * PAGE - 3)));
	printf("%.6s, %.6s\n", area + 450 * PAGE - 3, area + 470 * PAGE - 3);
}
