/*
 * process_shell: system and popen, with commands, buffers of streams and lines in pages that were
 * never touched.
 *
 * No mark on arm64: posix_spawn() ends lazy paging.
 */
#include "guest.h"

static char command[20][PAGE], line[20][PAGE], buffer[2][4 * PAGE];
static const char const_command[4][PAGE] = {[1] = "echo from a constant; exit 9", [3] = "exit 0"};
static char shared_text[3 * PAGE];

static void with_system(void)
{
	fflush(stdout);
	check("there is a shell", system(NULL) != 0);
	fflush(stdout);
	printf("exits: %#x\n", (unsigned)system("exit 3"));
	printf("killed: %#x\n", (unsigned)system("kill -KILL $$"));
	fflush(stdout);
	printf("constant: %#x\n", (unsigned)system(const_command[1]));
	for (int i = 0; i < 5; i++) {
		snprintf(command[i], PAGE, "test %d = \"$NAME\"", i);
		snprintf(shared_text + i * 17, 16, "%d", 3);
		setenv("NAME", shared_text + i * 17, 1);
		printf("%s: %#x\n", command[i], (unsigned)system(command[i]));
	}
	printf("no command: %#x\n", (unsigned)system("/nonexistent/program 2>/dev/null"));
	printf("untouched: %#x\n", (unsigned)system(command[10]));
}

static void read_from(void)
{
	snprintf(command[11], PAGE, "i=0; while [ $i -lt 300 ]; do echo line $i; i=$((i+1)); done");
	FILE *stream = popen(command[11], "r");
	int lines = 0, length = 0;

	if (stream == NULL)
		return;
	setvbuf(stream, buffer[0], _IOFBF, sizeof(buffer[0]));
	while (fgets(line[lines % 20], PAGE, stream) != NULL) {
		length += (int)strlen(line[lines % 20]);
		lines++;
	}
	printf("read %d lines, %d bytes, the last is %s", lines, length, line[(lines - 1) % 20]);
	printf("closed: %#x\n", (unsigned)pclose(stream));
}

static void write_to(const char *text, int count)
{
	fflush(stdout);
	FILE *stream = popen(text, "w");

	if (stream == NULL)
		return;
	setvbuf(stream, buffer[1], _IOFBF, sizeof(buffer[1]));
	for (int i = 0; i < count; i++)
		fprintf(stream, "%d %s\n", i, line[i % 20] + 3);
	printf("closed: %#x\n", (unsigned)pclose(stream));
}

int main(void)
{
	struct sigaction action;

	with_system();
	read_from();
	write_to("cat | md5sum; exit 17", 2000);
	signal(SIGPIPE, SIG_IGN);
	write_to("exit 4", 0);
	write_to("read line; echo \"$line\"", 1);
	sigaction(SIGINT, NULL, &action);
	check("SIGINT as before", action.sa_handler == SIG_DFL);
	check("nothing to wait for", wait(NULL) == -1);
	mark();
}
