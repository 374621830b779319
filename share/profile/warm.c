/* page-profile warm: reads ahead for many programs at once. */
#include "common/printable.h"
#include "common/report.h"
#include "loader/files/read_ahead.h"
#include "share/profile/page_profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BAR_WIDTH 30

/*
 * The number of bytes that this process has made the kernel read from devices so far
 * (proc_pid_io(5)).
 */
static uint64_t bytes_read(void)
{
	FILE *io = fopen("/proc/self/io", "re");
	char line[128];
	uint64_t bytes = 0;

	while (io != NULL && fgets(line, sizeof(line), io) != NULL)
		if (strncmp(line, "read_bytes: ", 12) == 0)
			bytes = strtoul(line + 12, NULL, 10);
	if (io != NULL)
		fclose(io);
	return bytes;
}

static void show_progress(size_t done, size_t count)
{
	size_t filled = done * BAR_WIDTH / count;

	fprintf(stderr, "\r[%.*s%*s] %zu of %zu", (int)filled, "##############################",
		(int)(BAR_WIDTH - filled), "", done, count);
	if (done == count)
		fputs("\n", stderr);
}

void warm_all(const struct profile_file *profiles, size_t count)
{
	static const struct opened_files none = {-1, -1};
	bool on_terminal = isatty(STDERR_FILENO) == 1 && count > 1;
	uint64_t all = bytes_read();

	for (size_t i = 0; i < count; i++) {
		uint64_t before = bytes_read();
		struct read_ahead result = read_ahead(&profiles[i].text.profile.files, &none, true);
		char name[256];

		printf("%s: %zu file%s, %" PRIu64 " KiB wanted, %" PRIu64
		       " KiB read from the device",
		       printable_line(profiles[i].text.program, name, sizeof(name)), result.used,
		       plural(result.used), result.bytes >> 10, (bytes_read() - before) >> 10);
		if (result.skipped > 0)
			printf("; %zu file%s skipped", result.skipped, plural(result.skipped));
		puts("");
		if (on_terminal)
			show_progress(i + 1, count);
	}
	if (count > 1)
		printf("%zu profiles: %" PRIu64 " KiB read from the device\n", count,
		       (bytes_read() - all) >> 10);
}
