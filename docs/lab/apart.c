/*
 * apart [OPTION]... COMMAND [ARG]...: runs COMMAND, and ends whatever COMMAND leaves running. The
 * exit status is COMMAND's; 128 and the signal's number if a signal ended it.
 *
 *   -w FOLDER  stays writable; every other file is read-only
 *   -h FOLDER  is empty
 *   -n         no namespaces: files stay as they are
 *
 * COMMAND has a network, processes and mounts of its own. It sees no process outside, has no
 * terminal, and inherits no file but the standard ones. Exit status 120: the kernel gives no
 * namespaces.
 *
 * With -n, apart is the subreaper (PR_SET_CHILD_SUBREAPER) of all that COMMAND starts. A process
 * whose parent has ended becomes a child of apart, in a session of its own too, and is killed at
 * the end.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_NAMESPACES 120
#define WRONG_USAGE   125
#define MOST_FOLDERS  8
#define NAMESPACES    (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNET)

static const char *writable[MOST_FOLDERS + 1], *hidden[MOST_FOLDERS + 1];
static char **command;
static volatile pid_t child;

/* ---- the command ------------------------------------------------------------------------------
 */

static void start_command(void)
{
	child = fork();
	if (child != 0)
		return;
	setsid();
	execvp(command[0], command);
	fprintf(stderr, "apart: %s: %s\n", command[0], strerror(errno));
	_exit(127);
}

static int status_of(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Waits for the command. Other children are orphans that this process has inherited. */
static int wait_for_command(void)
{
	int status = 0;
	pid_t ended;

	do
		ended = wait(&status);
	while (ended != child && (ended > 0 || errno == EINTR));
	return ended == child ? status_of(status) : NO_NAMESPACES;
}

/* ---- without namespaces -----------------------------------------------------------------------
 */

static pid_t parent_of(const char *process)
{
	char path[300], text[512] = "", *end;
	int parent = 0;
	int file;

	snprintf(path, sizeof(path), "/proc/%s/stat", process);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file >= 0 && read(file, text, sizeof(text) - 1) > 0 &&
	    (end = strrchr(text, ')')) != NULL)
		sscanf(end + 1, " %*c %d", &parent);
	close(file);
	return parent;
}

static void kill_children(void)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;

	while (processes != NULL && (entry = readdir(processes)) != NULL)
		if (atoi(entry->d_name) > 0 && parent_of(entry->d_name) == getpid())
			kill(atoi(entry->d_name), SIGKILL);
	if (processes != NULL)
		closedir(processes);
}

/* Children of a killed process become children of this one, so that the next round kills them. */
static void end_leftovers(void)
{
	do
		kill_children();
	while (wait(NULL) > 0 || errno == EINTR);
}

/* The command ends, and so do the processes that it leaves. */
static void on_signal(int number)
{
	(void)number;
	kill(child, SIGKILL);
}

static int run_here(void)
{
	int status;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	start_command();
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
	signal(SIGHUP, on_signal);
	status = wait_for_command();
	end_leftovers();
	return status;
}

/* ---- namespaces -------------------------------------------------------------------------------
 */

static bool write_file(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);
	bool written = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);

	close(file);
	return written;
}

/* In a user namespace this user is root, with rights over the namespaces of that one alone. */
static bool enter(bool with_user)
{
	char users[32], groups[32];

	snprintf(users, sizeof(users), "0 %u 1", geteuid());
	snprintf(groups, sizeof(groups), "0 %u 1", getegid());
	if (!with_user)
		return unshare(NAMESPACES) == 0;
	return unshare(CLONE_NEWUSER | NAMESPACES) == 0 &&
	       write_file("/proc/self/setgroups", "deny") &&
	       write_file("/proc/self/uid_map", users) && write_file("/proc/self/gid_map", groups);
}

static bool is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static bool stays(const char *place)
{
	for (const char **folder = writable; *folder != NULL; folder++)
		if (strcmp(place, *folder) == 0)
			return true;
	return is_below(place, "/proc");
}

/* The other flags stay: the kernel refuses to take one away from a mount of another user namespace.
 */
static void make_read_only(const char *place)
{
	static const unsigned long flags[][2] = {
	    {ST_NOSUID, MS_NOSUID},   {ST_NODEV, MS_NODEV},	      {ST_NOEXEC, MS_NOEXEC},
	    {ST_NOATIME, MS_NOATIME}, {ST_NODIRATIME, MS_NODIRATIME}, {ST_RELATIME, MS_RELATIME}};
	unsigned long kept = MS_REMOUNT | MS_BIND | MS_RDONLY;
	struct statvfs found;

	if (statvfs(place, &found) != 0)
		return;
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (found.f_flag & flags[i][0])
			kept |= flags[i][1];
	mount(NULL, place, NULL, kept, NULL);
}

/* mountinfo writes a blank in a path as \040. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text != 0; text++, to++) {
		unsigned int byte;

		*to = *text;
		if (*text == '\\' && sscanf(text + 1, "%3o", &byte) == 1) {
			*to = (char)byte;
			text += 3;
		}
	}
	*to = 0;
}

static void make_all_read_only(void)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	char *line = NULL, *place;
	size_t size = 0;

	while (mounts != NULL && getline(&line, &size, mounts) > 0) {
		if (sscanf(line, "%*s %*s %*s %*s %ms", &place) != 1)
			continue;
		unescape(place);
		if (!stays(place))
			make_read_only(place);
		free(place);
	}
	free(line);
	if (mounts != NULL)
		fclose(mounts);
}

/* Root may write to these even where it has no other rights. */
static void protect_kernel(void)
{
	static const char *const places[] = {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq"};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (mount(places[i], places[i], NULL, MS_BIND, NULL) == 0)
			make_read_only(places[i]);
}

static bool is_read_only(const char *folder)
{
	struct statvfs found;

	return statvfs(folder, &found) == 0 && (found.f_flag & ST_RDONLY) != 0;
}

static bool set_up_mounts(void)
{
	char parent[4096];

	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
		return false;
	for (const char **folder = hidden; *folder != NULL; folder++)
		if (mount("tmpfs", *folder, "tmpfs", MS_NOSUID | MS_NODEV, "size=4k") != 0)
			return false;
	for (const char **folder = writable; *folder != NULL; folder++)
		if (mount(*folder, *folder, NULL, MS_BIND, NULL) != 0)
			return false;
	make_all_read_only();
	protect_kernel();
	for (const char **folder = writable; *folder != NULL; folder++) {
		snprintf(parent, sizeof(parent), "%s/..", *folder);
		if (!is_read_only(parent))
			return false;
	}
	return is_read_only("/");
}

/* Without these nothing of the above can be undone, by root either. */
static void drop_rights(void)
{
	static const unsigned long dropped[] = {CAP_SYS_ADMIN,	CAP_SYS_MODULE,	    CAP_SYS_RAWIO,
						CAP_SYS_BOOT,	CAP_SYS_PTRACE,	    CAP_MKNOD,
						CAP_SYS_CHROOT, CAP_DAC_READ_SEARCH};
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct rights[2] = {0};

	for (size_t i = 0; i < sizeof(dropped) / sizeof(*dropped); i++)
		prctl(PR_CAPBSET_DROP, dropped[i], 0, 0, 0);
	syscall(SYS_capget, &header, rights);
	rights[0].inheritable = rights[1].inheritable = 0;
	syscall(SYS_capset, &header, rights);
}

/* Process 1 of its namespace: when it ends, the kernel kills every other process there. */
static int run_first(int ready)
{
	char cwd[4096];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Until the chdir, the working directory is on the read-only mount below a writable one. */
	if (!set_up_mounts() || getcwd(cwd, sizeof(cwd)) == NULL || chdir(cwd) != 0 ||
	    write(ready, "", 1) != 1)
		return NO_NAMESPACES;
	close(ready);
	drop_rights();
	start_command();
	return wait_for_command();
}

/* Returns false if the command was not started. */
static bool run_apart(bool with_user, int *result)
{
	int ready[2], status = 0;
	char byte;
	bool started;

	if (pipe2(ready, O_CLOEXEC) != 0)
		return false;
	pid_t outer = fork();

	if (outer == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!enter(with_user))
			_exit(NO_NAMESPACES);
		pid_t first = fork();

		if (first == 0)
			_exit(run_first(ready[1]));
		close(ready[1]);
		_exit(waitpid(first, &status, 0) == first ? status_of(status) : NO_NAMESPACES);
	}
	close(ready[1]);
	started = read(ready[0], &byte, 1) == 1;
	close(ready[0]);
	waitpid(outer, &status, 0);
	*result = status_of(status);
	return started;
}

int main(int argc, char **argv)
{
	size_t writables = 0, hiddens = 0;
	bool here = false;
	int option, result = NO_NAMESPACES;

	while ((option = getopt(argc, argv, "+w:h:n")) != -1) {
		if (option == 'w' && writables < MOST_FOLDERS)
			writable[writables++] = realpath(optarg, NULL);
		else if (option == 'h' && hiddens < MOST_FOLDERS)
			hidden[hiddens++] = realpath(optarg, NULL);
		else if (option == 'n')
			here = true;
		else
			return WRONG_USAGE;
	}
	command = argv + optind;
	if (*command == NULL || (writables > 0 && writable[writables - 1] == NULL))
		return WRONG_USAGE;
	for (int file = 3; file < 1024; file++)
		close(file);
	if (here)
		return run_here();
	if (!run_apart(true, &result) && !run_apart(false, &result))
		return NO_NAMESPACES;
	return result;
}
