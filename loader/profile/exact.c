#include "loader/profile/exact.h"

#include "common/kernel_abi.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Write protection that the kernel itself takes away on a write is the mode that any mapping may
 * have, and in which nobody is ever waited for. No page is protected: all that is wanted is that
 * the kernel maps no page around a fault (uffd_disable_fault_around).
 */
int exact_open(void)
{
	struct kernel_uffd_api api = {.api = KERNEL_UFFD_API,
				      .features = KERNEL_UFFD_FEATURE_WP_ASYNC};
	int descriptor = (int)syscall(SYS_userfaultfd, O_CLOEXEC | KERNEL_UFFD_USER_MODE_ONLY);

	if (descriptor >= 0 && syscall(SYS_ioctl, descriptor, KERNEL_UFFDIO_API, &api) != 0) {
		close(descriptor);
		return -1;
	}
	return descriptor;
}

void exact_begin(const struct guest *guest, int descriptor)
{
	struct mapped at = {.object = NULL};

	while (guest_next_mapping(guest, &at)) {
		struct kernel_uffd_register range = {
		    .range = {.start = at.mapping->address, .length = at.mapping->length},
		    .mode = KERNEL_UFFD_REGISTER_MODE_WP,
		};

		if (at.mapping->from_file)
			syscall(SYS_ioctl, descriptor, KERNEL_UFFDIO_REGISTER, &range);
	}
	close(descriptor);
}
