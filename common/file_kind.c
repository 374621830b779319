#include "common/file_kind.h"
#include "common/arch/machine.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of a file that are checked: as many as in an ELF header are enough to recognize text. */
#define BYTES_LOOKED_AT sizeof(Elf64_Ehdr)

/* Text in any encoding that extends ASCII: it contains no other control characters. */
static bool is_text(const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (((unsigned char)bytes[i] < ' ' && strchr("\t\n\r\f", bytes[i]) == NULL) ||
		    bytes[i] == '\0' || bytes[i] == 0x7f)
			return false;
	return length > 0;
}

enum file_kind file_kind_of(const char *bytes, size_t length)
{
	if (length >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0)
		return FILE_KIND_ELF;
	if (length >= 2 && memcmp(bytes, "#!", 2) == 0)
		return FILE_KIND_SCRIPT;
	return is_text(bytes, length) ? FILE_KIND_TEXT : FILE_KIND_OTHER;
}

/* Calls stat(2) before it opens the file: opening a device can have effects. */
enum file_kind file_kind_at(const char *path)
{
	char bytes[BYTES_LOOKED_AT];
	struct stat status;
	ssize_t length;
	int file;

	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return FILE_KIND_NONE;
	file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (file < 0)
		return FILE_KIND_UNREADABLE;
	length = pread(file, bytes, sizeof(bytes), 0);
	close(file);
	return length < 0 ? FILE_KIND_UNREADABLE : file_kind_of(bytes, (size_t)length);
}

bool file_kind_may_replace(const char *what, const char *path, struct error *error)
{
	enum file_kind kind = file_kind_at(path);

	if (kind == FILE_KIND_UNREADABLE)
		return error_set(error, EXIT_OURS,
				 "%s would overwrite %.256s, which cannot be read and may be a "
				 "program; %s",
				 what, path, error_file_remedy(errno));
	return (kind != FILE_KIND_ELF && kind != FILE_KIND_SCRIPT) ||
	       error_set(error, EXIT_OURS, "%s would overwrite %.256s, %s; name another file", what,
			 path, kind == FILE_KIND_ELF ? "an ELF file" : "a script");
}

bool file_kind_refuse(enum file_kind kind, struct error *error)
{
	if (kind == FILE_KIND_SCRIPT)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "is a script, which cannot interpret a program: name an ELF file");
	if (kind == FILE_KIND_TEXT)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "is text, not an ELF file: a script needs a first line such as "
				 "#!/bin/sh");
	return error_set(error, EXIT_NOT_LOADABLE, "is not an ELF file: name " MACHINE_PROGRAM);
}
