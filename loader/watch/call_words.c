#include "loader/watch/call_words.h"

#include "loader/watch/trace_words.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* asm/prctl.h, which musl lacks. */
#define ARCH_SET_GS 0x1001
#define ARCH_SET_FS 0x1002
#define ARCH_GET_FS 0x1003
#define ARCH_GET_GS 0x1004

/* Bytes shown of the data that a call writes, as many as strace shows. */
#define SHOWN_BYTES 32

static const char formats[TRACE_CALLS][8] = {
#define FORMAT(name, letters) [SYS_##name] = "_" letters,
#include "loader/watch/call_formats.def"
};

/* A row is a name or, if its letter is not 0, the start of a set of names. */
static const struct call_name {
	char letter;
	bool is_bits;
	uint32_t value;
	char name[28];
} names[] = {
#define NAMES(letter, is_bits) {letter, is_bits, 0, ""},
#define NAME(name)	       {0, false, (uint32_t)name, #name},
#include "loader/watch/call_names.def"
};

#define NAME_COUNT (sizeof(names) / sizeof(names[0]))

void call_choose_texts(uint8_t texts[TRACE_CALLS][TRACE_TEXTS])
{
	for (unsigned number = 0; number < TRACE_CALLS; number++) {
		unsigned count = 0;

		for (unsigned i = 1; formats[number][i] != '\0'; i++)
			if (formats[number][i] == 's')
				texts[number][count++] = (uint8_t)i;
			else if (formats[number][i] == 'b')
				texts[number][count++] = (uint8_t)(i | TRACE_TEXT_COUNTED);
	}
}

static void print_character(FILE *file, unsigned char byte, bool digit_follows)
{
	static const char special[] = "\"\\\n\t\r\v\f", letters[] = "\"\\ntrvf";
	const char *found = byte != '\0' ? strchr(special, byte) : NULL;

	if (found != NULL)
		fprintf(file, "\\%c", letters[found - special]);
	else if (byte < ' ' || byte > '~')
		fprintf(file, digit_follows ? "\\%03o" : "\\%o", byte);
	else
		fputc(byte, file);
}

static void print_text(FILE *file, const char *text, unsigned shown, bool more)
{
	fputc('"', file);
	for (unsigned i = 0; i < shown; i++)
		print_character(file, (unsigned char)text[i],
				i + 1 < shown && text[i + 1] >= '0' && text[i + 1] <= '9');
	fputs(more ? "\"..." : "\"", file);
}

static void print_address(FILE *file, uint64_t value)
{
	if (value == 0)
		fputs("NULL", file);
	else
		fprintf(file, "%#lx", value);
}

/*
 * Prints the string that an argument points to, or the address if the string could not be read.
 * `which` selects one of the event's texts, which are in the order of the letters.
 */
static void print_pointed(FILE *file, const struct trace_event *event, unsigned argument,
			  unsigned which, bool counted)
{
	unsigned bytes = event->text_bytes[which], shown = bytes;

	if (bytes == TRACE_UNREADABLE) {
		print_address(file, event->arguments[argument]);
		return;
	}
	if (counted && shown > SHOWN_BYTES)
		shown = SHOWN_BYTES;
	print_text(file, event->texts[which], shown,
		   counted ? event->arguments[argument + 1] > shown : bytes == TRACE_TEXT_BYTES);
}

/*
 * Prints the names, separated by |, of the set's bits that are in the value. Other bits are printed
 * in hexadecimal.
 */
static void print_names(FILE *file, char letter, uint64_t value)
{
	unsigned at = 0, first;
	const char *between = "";
	uint64_t rest = value;

	while (names[at].letter != letter)
		at++;
	first = at + 1;
	for (unsigned i = first; i < NAME_COUNT && names[i].letter == 0; i++) {
		bool fits = names[at].is_bits && names[i].value != 0
				? (rest & names[i].value) == names[i].value
				: value == names[i].value;

		/* O_RDONLY has no bit: it is printed if neither O_WRONLY nor O_RDWR is set. */
		if (letter == 'F' && names[i].value == O_RDONLY)
			fits = (value & O_ACCMODE) == O_RDONLY;
		if (!fits)
			continue;
		fprintf(file, "%s%s", between, names[i].name);
		between = "|";
		rest &= ~(uint64_t)names[i].value;
	}
	if (rest != 0 || *between == '\0')
		fprintf(file, "%s%#lx", between, rest);
}

static void print_argument(FILE *file, char letter, uint64_t value)
{
	if (letter == 'D' && (int)value == AT_FDCWD)
		fputs("AT_FDCWD", file);
	else if (letter == 'd' || letter == 'D')
		fprintf(file, "%d", (int)value);
	else if (letter == 'u')
		fprintf(file, "%lu", value);
	else if (letter == 'x')
		print_address(file, value);
	else if (letter == 'h')
		fprintf(file, "%#lx", value);
	else if (letter == 'o')
		fprintf(file, "%#03lo", value);
	else if (letter == 'S')
		fputs(value == 0 ? "0" : signal_word((int)value), file);
	else
		print_names(file, letter, value);
}

/*
 * Whether the flags of an open create a file: only then does the mode after them mean something.
 * O_TMPFILE includes O_DIRECTORY's bit.
 */
static bool makes_file(uint64_t flags)
{
	return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

void call_print(FILE *file, const struct trace_event *event)
{
	unsigned number = (unsigned)event->detail, text = 0;
	const char *letters =
	    number < TRACE_CALLS && formats[number][0] != '\0' ? formats[number] + 1 : "xxxxxx";

	fprintf(file, "%s(", system_call_word(event->detail));
	for (unsigned i = 0; letters[i] != '\0'; i++) {
		if (letters[i] == 'o' && i > 0 && letters[i - 1] == 'F' &&
		    !makes_file(event->arguments[i - 1]))
			break;
		if (i > 0)
			fputs(", ", file);
		if (letters[i] == 's' || letters[i] == 'b')
			print_pointed(file, event, i, text++, letters[i] == 'b');
		else
			print_argument(file, letters[i], event->arguments[i]);
	}
	fputc(')', file);
}

void call_print_result(FILE *file, const struct trace_event *event)
{
	int64_t result = (int64_t)event->address;

	if (result < 0 && result >= -4095) {
		fputs("-1 ", file);
		print_names(file, 'E', (uint64_t)-result);
	} else if (result > INT32_MAX || event->detail == SYS_brk || event->detail == SYS_mmap) {
		fprintf(file, "%#lx", (uint64_t)result);
	} else if (event->detail == SYS_umask) {
		fprintf(file, "%#03lo", (uint64_t)result);
	} else {
		fprintf(file, "%ld", result);
	}
}
