/*
 * memory_huge_read: reads 8 MiB from a file, a pipe and a socket into untouched arrays, at an odd
 * address, and writes 8 MiB of untouched memory.
 */
#include "guest.h"

#include <sys/socket.h>

#define SIZE  (8 << 20)
#define GUARD 4099

static unsigned char from_file[SIZE + 2 * GUARD], from_pipe[SIZE + 2 * GUARD];
static unsigned char from_socket[SIZE + 2 * GUARD], from_nothing[SIZE + 2 * GUARD];
static unsigned char random_order[SIZE + 2 * GUARD];

static unsigned char pattern(uint32_t i)
{
	return (unsigned char)((i * 2654435761u) >> 24);
}

/* Bytes that are not what they should be, those before and after included. */
static int wrong(const unsigned char *array)
{
	int count = 0;

	for (int i = 0; i < GUARD; i++)
		count += array[i] != 0 || array[GUARD + SIZE + i] != 0;
	for (uint32_t i = 0; i < SIZE; i++)
		count += array[GUARD + i] != pattern(i);
	return count;
}

static size_t read_all(int file, unsigned char *place, size_t most)
{
	size_t done = 0;
	ssize_t length;

	while (done < most && (length = read(file, place + done, most - done)) > 0)
		done += (size_t)length;
	return done;
}

/* A child writes what another descriptor then reads. */
static size_t through(int ends[2], unsigned char *place)
{
	size_t done, length;

	if (fork() == 0) {
		for (done = 0; done < SIZE; done += length) {
			length = (size_t)write(ends[1], from_file + GUARD + done, SIZE - done);
			if ((ssize_t)length <= 0)
				break;
		}
		_exit(0);
	}
	close(ends[1]);
	done = read_all(ends[0], place + GUARD, SIZE);
	close(ends[0]);
	wait(NULL);
	return done;
}

int main(void)
{
	int file = (int)syscall(SYS_memfd_create, "file", 0), ends[2];
	unsigned char *mapped;

	must(file >= 0 && ftruncate(file, SIZE) == 0);
	mapped = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	for (uint32_t i = 0; i < SIZE; i++)
		mapped[i] = pattern(i);
	printf("file: %zd\n", read(file, from_file + GUARD, SIZE));
	printf("wrong: %d\n", wrong(from_file));
	must(pipe(ends) == 0);
	printf("pipe: %zu\n", through(ends, from_pipe));
	printf("wrong: %d\n", wrong(from_pipe));
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	printf("socket: %zu\n", through(ends, from_socket));
	printf("wrong: %d\n", wrong(from_socket));
	for (uint32_t i = 0, at = 0; i < 128; i++, at = (at + 37) % 128)
		if (pread(file, random_order + GUARD + at * 65536, 65536, at * 65536) != 65536)
			printf("%u\n", at);
	printf("wrong: %d\n", wrong(random_order));
	printf("write: %zd\n", pwrite(file, from_nothing + GUARD, SIZE, 0));
	check("zero", mapped[0] == 0 && memcmp(mapped, mapped + 1, SIZE - 1) == 0);
	mark();
}
