/* auxv: checks the values of the auxiliary vector that describe this program or its user. */
#include <elf.h>
#include <stdio.h>
#include <sys/auxv.h>

extern const Elf64_Ehdr __ehdr_start;
extern void _start(void);

static void say(const char *name, int right)
{
	printf("%s %s\n", name, right ? "right" : "wrong");
}

int main(void)
{
	unsigned long headers = (unsigned long)&__ehdr_start + __ehdr_start.e_phoff;
	const char *name = (const char *)getauxval(AT_EXECFN);

	say("AT_PHDR", getauxval(AT_PHDR) == headers);
	say("AT_PHENT", getauxval(AT_PHENT) == sizeof(Elf64_Phdr));
	say("AT_PHNUM", getauxval(AT_PHNUM) == __ehdr_start.e_phnum);
	say("AT_ENTRY", getauxval(AT_ENTRY) == (unsigned long)_start);
	say("AT_PAGESZ", getauxval(AT_PAGESZ) == PAGE);
	say("AT_BASE", getauxval(AT_BASE) == 0);
	say("AT_RANDOM", getauxval(AT_RANDOM) != 0);
	printf("AT_UID %lu, AT_EUID %lu, AT_GID %lu, AT_EGID %lu, AT_SECURE %lu\n",
	       getauxval(AT_UID), getauxval(AT_EUID), getauxval(AT_GID), getauxval(AT_EGID),
	       getauxval(AT_SECURE));
	printf("AT_EXECFN %s\n", name != NULL ? name : "missing");
	return 0;
}
