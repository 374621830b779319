/* --explain: the tables of the program's stack (argv, envp, auxv), word by word. */
#include "loader/watch/explain_stack.h"

#include "loader/resident/launch.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

/* See getauxval(3), and ARCH_DLINFO of the kernel. */
static const struct {
	uint64_t type;
	bool is_number;
	char name[24], about[52]; /* arrays, because pointers would be relocated at every start */
} auxv_names[] = {
    {AT_SYSINFO_EHDR, false, "AT_SYSINFO_EHDR",
     "the vDSO: system calls without entering the kernel"},
    {51, true, "AT_MINSIGSTKSZ", "bytes that a signal frame takes at least"},
    {AT_HWCAP, false, "AT_HWCAP", "what the processor can do (" MACHINE_HWCAP ")"},
    {AT_PAGESZ, true, "AT_PAGESZ", "bytes of a page"},
    {AT_CLKTCK, true, "AT_CLKTCK", "ticks of times(2) a second"},
    {AT_PHDR, false, "AT_PHDR", "its program headers, in its own memory"},
    {AT_PHENT, true, "AT_PHENT", "bytes of one of them"},
    {AT_PHNUM, true, "AT_PHNUM", "their number"},
    {AT_BASE, false, "AT_BASE", "the interpreter; 0: there is none"},
    {AT_FLAGS, false, "AT_FLAGS", "nothing"},
    {AT_ENTRY, false, "AT_ENTRY", "where it begins"},
    {AT_UID, true, "AT_UID", "the user"},
    {AT_EUID, true, "AT_EUID", "the effective user"},
    {AT_GID, true, "AT_GID", "the group"},
    {AT_EGID, true, "AT_EGID", "the effective group"},
    {AT_SECURE, true, "AT_SECURE", "1: exec gave it a privilege"},
    {AT_RANDOM, false, "AT_RANDOM", "16 random bytes: for the stack protector"},
    {AT_HWCAP2, false, "AT_HWCAP2", "more of what the processor can do"},
    {27, true, "AT_RSEQ_FEATURE_SIZE", "bytes of struct rseq that the kernel uses"},
    {28, true, "AT_RSEQ_ALIGN", "their alignment"},
    {AT_EXECFN, false, "AT_EXECFN", "the path given to exec"},
    {AT_PLATFORM, false, "AT_PLATFORM", "the kind of processor"},
    {AT_NULL, false, "AT_NULL", "the end"},
};

static bool is_within(uint64_t address, uint64_t start, uint64_t end)
{
	return address >= start && address < end;
}

/* The bytes that will be at an address of the program's stack. */
static const char *at(uint64_t address)
{
	const struct stack_image *stack = resident_launch.stack;
	const char *bytes = (const char *)resident_launch.stack_bytes;
	const char *arguments = bytes + stack->tables_length;

	if (is_within(address, stack->stack_pointer, stack->stack_pointer + stack->tables_length))
		return bytes + (address - stack->stack_pointer);
	if (is_within(address, stack->arg_start, stack->arg_end))
		return arguments + (address - stack->arg_start);
	if (is_within(address, stack->env_start, stack->env_end))
		return stack->environment + (address - stack->env_start);
	if (is_within(address, stack->env_end, stack->top))
		return arguments + (stack->arg_end - stack->arg_start) + (address - stack->env_end);
	return NULL;
}

static uint64_t word_at(uint64_t address)
{
	uint64_t word;

	memcpy(&word, at(address), sizeof(word));
	return word;
}

/* Passes on a table of pointers to strings, including its NULL. Returns the address after it. */
static uint64_t tell_table(uint64_t address, const char *name, bool is_environment,
			   stack_word_teller *tell)
{
	for (unsigned i = 0;; i++, address += 8) {
		struct stack_word word = {.address = address, .value = word_at(address)};

		snprintf(word.name, sizeof(word.name), "%s[%u]", name, i);
		word.text = at(word.value);
		word.about = word.value == 0 ? "the end" : NULL;
		word.variable = is_environment && word.value != 0 ? i + 1 : 0;
		tell(&word);
		if (word.value == 0)
			return address + 8;
	}
}

static void name_entry(struct stack_word *word)
{
	snprintf(word->name, sizeof(word->name), "type %lu", word->key);
	for (size_t i = 0; i < sizeof(auxv_names) / sizeof(auxv_names[0]); i++) {
		if (auxv_names[i].type != word->key)
			continue;
		snprintf(word->name, sizeof(word->name), "%s", auxv_names[i].name);
		word->about = auxv_names[i].about;
		word->is_number = auxv_names[i].is_number;
	}
	if (word->key == AT_EXECFN || word->key == AT_PLATFORM)
		word->text = at(word->value);
}

void explain_walk_stack(stack_word_teller *tell)
{
	uint64_t address = resident_launch.stack_pointer;
	struct stack_word word = {.address = address,
				  .value = word_at(address),
				  .name = "argc",
				  .is_number = true,
				  .about = "how many arguments there are"};

	tell(&word);
	address = tell_table(address + 8, "argv", false, tell);
	address = tell_table(address, "envp", true, tell);
	do {
		word = (struct stack_word){
		    .address = address,
		    .is_pair = true,
		    .key = word_at(address),
		    .value = word_at(address + 8),
		};
		name_entry(&word);
		tell(&word);
		address += 16;
	} while (word.key != AT_NULL);
}
