/* The machine on which samples were taken: without it nobody can compare them with others. */
#include "bench/environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Finds "key : value" in a file of such lines; value is "" when there is none. */
static void read_value(const char *path, const char *key, char *value, size_t size)
{
	FILE *file = fopen(path, "re");
	char line[512];

	value[0] = '\0';
	if (file == NULL)
		return;
	while (fgets(line, sizeof(line), file) != NULL) {
		char *colon = strchr(line, ':');

		if (strncmp(line, key, strlen(key)) != 0 || colon == NULL)
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
		break;
	}
	fclose(file);
}

/* The file lists every choice with the one in force in brackets: always [madvise] never. */
static void read_thp(char *value, size_t size)
{
	FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
	char line[128] = "";
	const char *open;

	value[0] = '\0';
	if (file == NULL)
		return;
	if (fgets(line, sizeof(line), file) != NULL && (open = strchr(line, '[')) != NULL)
		snprintf(value, size, "%.*s", (int)strcspn(open + 1, "]"), open + 1);
	fclose(file);
}

void environment_read(struct environment *environment)
{
	struct utsname system;
	time_t now = time(NULL);
	struct tm utc;
	char memory[64];

	memset(environment, 0, sizeof(*environment));
	read_value("/proc/cpuinfo", "model name", environment->cpu, sizeof(environment->cpu));
	read_value("/proc/meminfo", "MemTotal", memory, sizeof(memory));
	environment->memory_kb = memory[0] == '\0' ? -1 : strtol(memory, NULL, 10);
	read_thp(environment->thp, sizeof(environment->thp));
	environment->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (uname(&system) == 0)
		snprintf(environment->kernel, sizeof(environment->kernel), "%s %s", system.sysname,
			 system.release);
	strftime(environment->date, sizeof(environment->date), "%Y-%m-%dT%H:%M:%SZ",
		 gmtime_r(&now, &utc));
}

static const char *known(const char *text)
{
	return text[0] == '\0' ? "unknown" : text;
}

void environment_print(FILE *out, const struct environment *environment)
{
	fprintf(out, "%s, %ld CPUs, %ld MB, %s,\n", known(environment->cpu), environment->cpus,
		environment->memory_kb / 1024, known(environment->kernel));
	fprintf(out, "transparent huge pages: %s, %s\n", known(environment->thp),
		environment->date);
}
