/* The machine on which samples were taken. Without it samples cannot be compared with others. */
#include "bench/shared/environment.h"

#include <glob.h>
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

/* The first line of a file, or "". */
static void read_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");

	if (file == NULL || fgets(line, (int)size, file) == NULL)
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (file != NULL)
		fclose(file);
}

#define VULNERABILITIES "/sys/devices/system/cpu/vulnerabilities/"

/* Each file there says "Mitigation: how", "Vulnerable" or "Not affected". */
static void read_mitigations(char *value, size_t size)
{
	glob_t found;

	value[0] = '\0';
	if (glob(VULNERABILITIES "*", 0, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		size_t used = strlen(value);
		char line[512];

		read_line(found.gl_pathv[i], line, sizeof(line));
		if (strncmp(line, "Mitigation", 10) == 0)
			snprintf(value + used, size - used, "%s%s", used > 0 ? " " : "",
				 found.gl_pathv[i] + strlen(VULNERABILITIES));
	}
	globfree(&found);
}

/* Ticks that all processors were busy since boot, with those that a host took away; -1: unknown. */
static long busy_ticks(void)
{
	char line[256];
	long user, nice, system, idle, wait, irq, softirq, steal;

	read_line("/proc/stat", line, sizeof(line));
	if (sscanf(line, "cpu %ld %ld %ld %ld %ld %ld %ld %ld", &user, &nice, &system, &idle, &wait,
		   &irq, &softirq, &steal) != 8)
		return -1;
	return user + nice + system + irq + softirq + steal;
}

/*
 * How many processors others keep busy while we sleep. The load average would count what we
 * ourselves have run in the last minute.
 */
static double read_load(void)
{
	const struct timespec pause = {.tv_nsec = 300000000};
	struct timespec begin, end;
	long before = busy_ticks(), after;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	nanosleep(&pause, NULL);
	clock_gettime(CLOCK_MONOTONIC, &end);
	after = busy_ticks();
	if (before < 0 || after < 0)
		return -1;
	return (double)(after - before) / (double)sysconf(_SC_CLK_TCK) /
	       ((double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9);
}

void environment_read(struct environment *environment)
{
	struct utsname system;
	time_t now = time(NULL);
	struct tm utc;
	char memory[64], kilohertz[64];

	memset(environment, 0, sizeof(*environment));
	read_value("/proc/cpuinfo", "model name", environment->cpu, sizeof(environment->cpu));
	read_value("/proc/meminfo", "MemTotal", memory, sizeof(memory));
	environment->memory_kb = memory[0] == '\0' ? -1 : strtol(memory, NULL, 10);
	read_thp(environment->thp, sizeof(environment->thp));
	read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", environment->governor,
		  sizeof(environment->governor));
	read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", kilohertz,
		  sizeof(kilohertz));
	environment->megahertz = kilohertz[0] == '\0' ? -1 : strtod(kilohertz, NULL) / 1000;
	read_mitigations(environment->mitigations, sizeof(environment->mitigations));
	environment->load = read_load();
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
	fprintf(out, "transparent huge pages: %s, frequency governor: %s, load: %.2f, %s\n",
		known(environment->thp), known(environment->governor), environment->load,
		environment->date);
	fprintf(out, "mitigations: %s\n", known(environment->mitigations));
}
