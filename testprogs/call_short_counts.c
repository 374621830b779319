/*
 * call_short_counts: buffers of untouched memory whose first part is accessible and whose rest is
 * not. Pipes, files and sockets return the same short counts and errors.
 */
#include "guest.h"

#include <sys/socket.h>
#include <sys/uio.h>

static char area[64 * PAGE] __attribute__((aligned(PAGE)));
static char read_only[64 * PAGE] __attribute__((aligned(PAGE)));
static const char constants[16 * PAGE]
    __attribute__((aligned(PAGE))) = {[0 ... 16 * PAGE - 1] = 'c'};
static char scratch[16 * PAGE];

static void show(long result)
{
	if (result < 0)
		printf(" %s,", errno == EFAULT ? "EFAULT" : strerror(errno));
	else
		printf(" %ld,", result);
}

/*
 * Transfers up to 10000 bytes, of which the `good` ones before `bad` are accessible, in many ways.
 */
static void all(const char *what, char *bad, size_t good)
{
	struct iovec vector[3] = {{scratch, 10}, {bad - good, 10000}, {scratch, 10}};
	int file = (int)syscall(SYS_memfd_create, "file", 0), pipes[2], ends[2];

	printf("%s:", what);
	if (pipe2(pipes, O_NONBLOCK) != 0 || file < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0)
		return;
	show(write(pipes[1], bad - good, 10000));
	show(read(pipes[0], scratch, 30000));
	/* On riscv64 with vector registers such a write to a file never returns (Linux 6.12). */
#ifndef __riscv
	show(write(file, bad - good, 10000));
	show(writev(file, vector, 3));
#endif
	show(lseek(file, 0, SEEK_END));
	show(send(ends[0], bad - good, 10000, 0));
	show(recv(ends[1], scratch, 30000, 0));
	ftruncate(file, 20000);
	show(pread(file, bad - good, 10000, 0));
	show(preadv(file, vector, 3, 0));
	show(write(pipes[1], scratch, 12000));
	show(read(pipes[0], bad - good, 10000));
	show(read(pipes[0], scratch, 12000));
	show(write(pipes[1], scratch, 12000));
	show(readv(pipes[0], vector, 3));
	show(read(pipes[0], scratch, 30000));
	show(send(ends[0], scratch, 12000, 0));
	show(recv(ends[1], bad - good, 10000, 0));
	show(recv(ends[1], scratch, 30000, 0));
	show(syscall(SYS_getrandom, bad - good, 10000, 0));
	show(syscall(SYS_vmsplice, pipes[1], vector, 3, 0));
	puts("");
	close(file);
	close(pipes[0]);
	close(pipes[1]);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	struct iovec bad_vector[2] = {{area, 100}, {NULL, 100}};
	int file = (int)syscall(SYS_memfd_create, "file", 0);

	mprotect(area + 10 * PAGE, PAGE, PROT_NONE);
	mprotect(area + 50 * PAGE, PAGE, PROT_NONE);
	munmap(area + 20 * PAGE, PAGE);
	munmap((char *)constants + 8 * PAGE, PAGE);
	mprotect(read_only + 30 * PAGE, 4 * PAGE, PROT_READ);
	all("none", area + 10 * PAGE, 5000);
	all("none again", area + 10 * PAGE, 100);
	all("unmapped", area + 20 * PAGE, 6000);
	all("read only", read_only + 30 * PAGE, 5000);
	all("constants", (char *)constants + 4 * PAGE, 5000);
	all("constants, unmapped", (char *)constants + 8 * PAGE, 5000);
	all("null", NULL, 0);
	all("kernel", (char *)0xffff888000000000, 0);
	show(writev(file, bad_vector, 2));
	show(writev(file, (struct iovec *)(area + 50 * PAGE) - 1, 2));
	show(writev(file, (struct iovec *)(area + 50 * PAGE) - 1, 1));
	show(syscall(SYS_write, file, area + 40 * PAGE, SIZE_MAX));
	puts("");
	mark();
}
