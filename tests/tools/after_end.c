/*
 * after_end COUNT FOLDER PROGRAM COMMAND [ARG]...
 *
 * Runs COMMAND so many times, and looks right after each end whether something of it is still
 * there: a pipe's end, a lock of a file that it inherited, a process of the session, a descriptor.
 * Then it writes to PROGRAM, the file that COMMAND ran. In FOLDER are the lock's file and a new
 * cache for each run. The first thing that is found makes a status of 1.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TRIES 10000 /* a millisecond each */

static char lock_name[4096];

static void fail(const char *what, const char *about)
{
	fprintf(stderr, "after_end: %s%s\n", what, about);
	exit(1);
}

static void expect(int holds, const char *what)
{
	if (!holds)
		fail(what, "");
}

/* A pipe whose write end only COMMAND inherits. */
struct pipe {
	int ends[2];
	char name[64];
};

static void make_pipe(struct pipe *made)
{
	struct stat status;

	expect(pipe2(made->ends, O_NONBLOCK) == 0 && fstat(made->ends[0], &status) == 0, "pipe");
	fcntl(made->ends[0], F_SETFD, FD_CLOEXEC);
	snprintf(made->name, sizeof(made->name), "pipe:[%lu]", (unsigned long)status.st_ino);
}

static int has_ended(const struct pipe *made)
{
	char bytes[4096];
	ssize_t got;

	while ((got = read(made->ends[0], bytes, sizeof(bytes))) > 0)
		;
	close(made->ends[0]);
	return got == 0;
}

/* A process of Pagewise must have open none of the descriptors that COMMAND inherited. */
static void check_descriptors(const char *process, const struct pipe pipes[2])
{
	char path[300], target[4096];
	DIR *folder;
	const struct dirent *entry;

	snprintf(path, sizeof(path), "/proc/%s/fd", process);
	folder = opendir(path);
	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		ssize_t length;

		snprintf(path, sizeof(path), "/proc/%s/fd/%.32s", process, entry->d_name);
		length = readlink(path, target, sizeof(target) - 1);
		target[length > 0 ? length : 0] = '\0';
		if (strcmp(target, pipes[0].name) == 0 || strcmp(target, pipes[1].name) == 0 ||
		    strcmp(target, lock_name) == 0)
			fail("a process has what the program inherited: ", target);
	}
	if (folder != NULL)
		closedir(folder);
}

static void check_processes(const struct pipe pipes[2])
{
	DIR *folder = opendir("/proc");
	const struct dirent *entry;

	while ((entry = readdir(folder)) != NULL) {
		char path[300], name[64];
		int process = atoi(entry->d_name), session;
		FILE *stat;

		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		if (process == 0 || process == getpid() || (stat = fopen(path, "re")) == NULL)
			continue;
		if (fscanf(stat, "%*d (%63[^)]) %*c %*d %*d %d", name, &session) == 2) {
			if (session == getsid(0))
				fail("a process of the session: ", name);
			if (strncmp(name, "pagewise-", 9) == 0)
				check_descriptors(entry->d_name, pipes);
		}
		fclose(stat);
	}
	closedir(folder);
}

/* The kernel permits no writing to what is still mapped. */
static void write_over(const char *program)
{
	static const struct timespec millisecond = {.tv_nsec = 1000000};
	int file = -1;
	char byte;

	for (int i = 0; file < 0 && i < TRIES; i++) {
		file = open(program, O_RDWR | O_CLOEXEC);
		expect(file >= 0 || errno == ETXTBSY, "the program cannot be opened");
		if (file < 0)
			nanosleep(&millisecond, NULL);
	}
	expect(file >= 0, "the program stays mapped");
	expect(pread(file, &byte, 1, 0) == 1 && pwrite(file, &byte, 1, 0) == 1, "write");
	close(file);
}

static void run(const char *folder, int number, char **command)
{
	struct pipe pipes[2];
	int lock = open(lock_name, O_RDWR | O_CREAT, 0600), status;
	char cache[4096];
	pid_t child;

	snprintf(cache, sizeof(cache), "%s/cache.%d", folder, number);
	expect(mkdir(cache, 0700) == 0 && setenv("XDG_CACHE_HOME", cache, 1) == 0, "cache");
	make_pipe(&pipes[0]);
	make_pipe(&pipes[1]);
	expect(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0, "the lock is held before");
	child = fork();
	if (child == 0) {
		dup2(pipes[0].ends[1], STDOUT_FILENO);
		close(pipes[0].ends[1]);
		execvp(command[0], command);
		_exit(127);
	}
	close(pipes[0].ends[1]);
	close(pipes[1].ends[1]);
	close(lock);
	expect(child > 0 && waitpid(child, &status, 0) == child && status == 0, "its status");
	expect(has_ended(&pipes[0]), "standard output has no end");
	expect(has_ended(&pipes[1]), "an inherited pipe has no end");
	lock = open(lock_name, O_RDWR | O_CLOEXEC);
	expect(flock(lock, LOCK_EX | LOCK_NB) == 0, "an inherited lock is held");
	close(lock);
	expect(waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD, "there is a child");
	check_processes(pipes);
}

int main(int argc, char **argv)
{
	if (argc < 5) {
		fprintf(stderr, "usage: after_end COUNT FOLDER PROGRAM COMMAND [ARG]...\n");
		return 2;
	}
	/* Its own session: fork, since a leader of a process group cannot have one. */
	if (setsid() < 0) {
		int status;
		pid_t child = fork();

		if (child != 0)
			return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
		setsid();
	}
	snprintf(lock_name, sizeof(lock_name), "%s/lock", argv[2]);
	for (int i = 0; i < atoi(argv[1]); i++) {
		run(argv[2], i, argv + 4);
		write_over(argv[3]);
	}
	return 0;
}
