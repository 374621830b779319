/*
 * memory_userfault: the program pages a part of its own arrays by userfaultfd, as migrating
 * emulators do. A thread provides the missing pages, which are dropped first.
 *
 * No mark: the test is that userfaultfd() ends lazy paging.
 */
#include "guest.h"

#include <sys/ioctl.h>

/* Where the kernel's pages may be larger than 4 KiB, the largest. */
#ifdef LARGEST_PAGE
#undef PAGE
#define PAGE LARGEST_PAGE
#endif

#define PAGES 64
/* The structures of <linux/userfaultfd.h>, which musl lacks. */
#define USER_MODE_ONLY 1
#define OWN_API                                                                                    \
	_IOWR(                                                                                     \
	    0xaa, 0x3f, struct { uint64_t words[3]; })
#define OWN_REGISTER                                                                               \
	_IOWR(                                                                                     \
	    0xaa, 0x00, struct { uint64_t words[4]; })
#define OWN_COPY                                                                                   \
	_IOWR(                                                                                     \
	    0xaa, 0x03, struct { uint64_t words[5]; })

static unsigned char area[4 * PAGES * PAGE] __attribute__((aligned(PAGE)));
static unsigned char source[PAGE] __attribute__((aligned(PAGE)));
static struct {
	uint8_t event, reserved[7];
	uint64_t flags, address, features;
} message;
static uint64_t arguments[5];
static int file, provided;

static void *provide(void *pointer)
{
	unsigned char *start = pointer;

	while (provided < PAGES && read(file, &message, sizeof(message)) == sizeof(message)) {
		uint64_t place = message.address & ~(uint64_t)(PAGE - 1);

		memset(source, (int)((place - (uintptr_t)start) / PAGE) + 1, PAGE);
		memcpy(arguments, (uint64_t[]){place, (uintptr_t)source, PAGE, 0, 0}, 40);
		if (ioctl(file, OWN_COPY, arguments) != 0)
			break;
		provided++;
	}
	return NULL;
}

int main(void)
{
	unsigned char *start = area + PAGES * PAGE;
	pthread_t thread;
	long sum = 0;

	check("dropped", madvise(start, PAGES * PAGE, MADV_DONTNEED) == 0);
	file = (int)syscall(SYS_userfaultfd, O_CLOEXEC | USER_MODE_ONLY);
	if (file < 0) {
		printf("%s\n", strerror(errno));
		return 0;
	}
	arguments[0] = 0xaa;
	check("agreed", ioctl(file, OWN_API, arguments) == 0);
	memcpy(arguments, (uint64_t[]){(uintptr_t)start, PAGES * PAGE, 1, 0}, 32);
	check("registered", ioctl(file, OWN_REGISTER, arguments) == 0);
	pthread_create(&thread, NULL, provide, start);
	for (int i = 0; i < PAGES; i++)
		sum += ((volatile unsigned char *)start)[(i * 37 % PAGES) * PAGE + i];
	pthread_join(thread, NULL);
	printf("provided %d, sum %ld\n", provided, sum);
	for (int i = 0; i < 4 * PAGES; i++)
		sum += area[i * PAGE + 1];
	printf("sum %ld\n", sum);
}
