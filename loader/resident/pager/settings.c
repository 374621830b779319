#include "loader/resident/pager/settings.h"

#include "common/arch/x86_64/syscall.h"

#include <fcntl.h>

/* So few are allowed whatever the limit is: less than that leaves no room for any program. */
#define SPLITS_FEW 16

/* Where the limit cannot be read: vm.max_map_count is 65 530 unless somebody changed it. */
#define SPLITS_USUAL 16384

/* The file's text, cut to what fits. Length in bytes, or -errno. */
static long read_text(const char *path, char *text, uint64_t size)
{
	long file = raw_syscall3(SYS_open, (uint64_t)path, O_RDONLY | O_CLOEXEC, 0), length;

	if (file < 0)
		return file;
	length = raw_syscall3(SYS_read, (uint64_t)file, (uint64_t)text, size);
	raw_syscall1(SYS_close, (uint64_t)file);
	return length;
}

static unsigned read_splits_max(void)
{
	char text[16];
	long length = read_text("/proc/sys/vm/max_map_count", text, sizeof(text));
	unsigned mappings = 0;

	if (length <= 0)
		return SPLITS_USUAL;
	for (long i = 0; i < length && text[i] >= '0' && text[i] <= '9'; i++)
		mappings = mappings * 10 + (unsigned)(text[i] - '0');
	return mappings / 4 > SPLITS_FEW ? mappings / 4 : SPLITS_FEW;
}

bool settings_allow_splits(struct pager *pager, unsigned splits)
{
	if (splits <= SPLITS_FEW)
		return true;
	if (pager->splits_max == 0)
		pager->splits_max = read_splits_max();
	return splits <= pager->splits_max;
}
