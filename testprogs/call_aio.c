/*
 * call_aio: asynchronous input and output, where the kernel writes to memory after the call: the
 * same contents, or the same errors. And numbers of system calls that do not exist.
 *
 * No mark: io_uring and io_setup end lazy paging; what the kernel writes afterwards is what it
 * tests.
 */
#include "guest.h"
#include "show.h"

#define OWN_io_uring_setup    425
#define OWN_io_uring_enter    426
#define OWN_io_uring_register 427

static char area[256 * PAGE] __attribute__((aligned(PAGE)));
static const char text[2 * PAGE] __attribute__((aligned(PAGE))) = {[PAGE - 2] = 't', 'e', 'x', 't'};

struct control {
	uint64_t data;
	uint32_t key, flags;
	uint16_t operation;
	int16_t priority;
	uint32_t file;
	uint64_t buffer, bytes;
	int64_t offset;
	uint64_t unused[2];
};

static void ring(void)
{
	uint32_t *parameters = (uint32_t *)(area + 10 * PAGE - 8);
	int file = (int)syscall(OWN_io_uring_setup, 4, parameters);
	uint64_t *vector = (uint64_t *)(area + 15 * PAGE - 8);

	show("io_uring_setup", file < 0 ? -1 : 0);
	vector[0] = (uintptr_t)area + 16 * PAGE - 5;
	vector[1] = 5000;
	show("register", syscall(OWN_io_uring_register, file, 0, vector, 1));
	show("enter", syscall(OWN_io_uring_enter, file, 0, 0, 0, NULL, 0L));
	if (file >= 0)
		close(file);
}

int main(void)
{
	int file = (int)syscall(SYS_memfd_create, "file", 0);
	unsigned long *context = (unsigned long *)(area + 20 * PAGE - 4);
	struct control *two = (struct control *)(area + 30 * PAGE - 40);
	void **list = (void **)(area + 40 * PAGE - 8);
	uint64_t *events = (uint64_t *)(area + 50 * PAGE - 16);

	ring();
	show("io_setup", syscall(SYS_io_setup, 4, context));
	two[0] = (struct control){.data = 1,
				  .operation = 1,
				  .file = (uint32_t)file,
				  .buffer = (uintptr_t)text + PAGE - 2,
				  .bytes = 4};
	list[0] = &two[0];
	show("write", syscall(SYS_io_submit, *context, 1, list));
	show("events", syscall(SYS_io_getevents, *context, 1, 4, events, NULL));
	two[1] = (struct control){.data = 2,
				  .file = (uint32_t)file,
				  .buffer = (uintptr_t)area + 60 * PAGE - 2,
				  .bytes = 100};
	list[1] = &two[1];
	show("read", syscall(SYS_io_submit, *context, 1, list + 1));
	show("events", syscall(SYS_io_getevents, *context, 1, 4, events, area + 70 * PAGE - 8));
	printf("%.4s, %lu: %ld\n", area + 60 * PAGE - 2, (unsigned long)events[0], (long)events[2]);
	show("io_destroy", syscall(SYS_io_destroy, *context));
	show("no such call", syscall(471 + 200, area + 80 * PAGE, area + 90 * PAGE));
	show("negative", syscall(-1L, 1, 2, 3));
	show("large", syscall(0x7fffffffL, area + 100 * PAGE));
	show("larger", syscall(0x123456789L, area + 100 * PAGE));
	show("of x32", syscall(0x40000000L + 999, 0));
	show("unused", syscall(400, area + 110 * PAGE));
	show("write still works", write(file, area + 120 * PAGE - 5, 10));
}
