/* Files written out byte by byte, and what the parser and the kernel's rules make of them. */
#include "common/arch/machine.h"
#include "common/elf_image.h"
#include "tests/unit/unit.h"

#include <elf.h>
#include <gelf.h>
#include <sys/mman.h>
#include <unistd.h>

/* The ways out that sentences end with. */
#define DAMAGED ": the file is damaged; build it or copy it again"
#define CUT_OFF ": the file is cut off; build it or copy it again"
#define LOWER	": link it lower (-Wl,-Ttext-segment=0x400000)"

/* USER_ADDRESS_END of x86-64, which sentences below have. */
#define END_IN_SENTENCES UINT64_C(0x7ffffffff000)

/* Where the kernel compares EI_CLASS, files of another class are refused; elsewhere accepted. */
#define OF_CLASS(class) (MACHINE_HAS_CLASS ? "has EI_CLASS " class ", not 2" DAMAGED : NULL)

/* MACHINE_ELF in a sentence. */
#define DIGITS(number)	 #number
#define DIGITS_OF(macro) DIGITS(macro)
#define OWN_NUMBER	 DIGITS_OF(MACHINE_ELF)

/*
 * Where the fields are, and how long things are, as the gABI draws them (ELF header, program
 * header). Not taken from elf.h, so that a slip there or in libelf would show.
 */
enum {
	EI_CLASS_AT = 4,
	EI_DATA_AT = 5,
	EI_VERSION_AT = 6,
	EI_OSABI_AT = 7,
	EI_PAD_AT = 9,
	E_TYPE = 16,
	E_MACHINE = 18,
	E_VERSION = 20,
	E_ENTRY = 24,
	E_PHOFF = 32,
	E_SHOFF = 40,
	E_FLAGS = 48,
	E_EHSIZE = 52,
	E_PHENTSIZE = 54,
	E_PHNUM = 56,
	E_SHENTSIZE = 58,
	E_SHNUM = 60,
	E_SHSTRNDX = 62,
	HEADER_BYTES = 64,

	P_TYPE = 0,
	P_FLAGS = 4,
	P_OFFSET = 8,
	P_VADDR = 16,
	P_PADDR = 24,
	P_FILESZ = 32,
	P_MEMSZ = 40,
	P_ALIGN = 48,
	PHDR_BYTES = 56,
};

/* The program headers of the good file. */
enum {
	TEXT = HEADER_BYTES,
	DATA = TEXT + PHDR_BYTES,
	STACK = DATA + PHDR_BYTES,
	HEADERS_END = STACK + PHDR_BYTES,
};

/* A program at a fixed address: text with the headers, data with .bss after it, a stack. */
static const char good_headers[HEADERS_END + 1] =
    "\x7f\x45\x4c\x46\x02\x01\x01\x00" /* e_ident: magic, ELFCLASS64, ELFDATA2LSB, EV_CURRENT */
    "\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x02\x00\x3e\x00\x01\x00\x00\x00" /* ET_EXEC, EM_X86_64, EV_CURRENT */
    "\xe8\x00\x40\x00\x00\x00\x00\x00" /* e_entry 0x4000e8 */
    "\x40\x00\x00\x00\x00\x00\x00\x00" /* e_phoff 64 */
    "\x00\x00\x00\x00\x00\x00\x00\x00" /* e_shoff */
    "\x00\x00\x00\x00\x40\x00\x38\x00" /* e_flags, e_ehsize 64, e_phentsize 56 */
    "\x03\x00\x40\x00\x00\x00\x00\x00" /* e_phnum 3, e_shentsize 64, e_shnum, e_shstrndx */

    "\x01\x00\x00\x00\x05\x00\x00\x00" /* PT_LOAD, PF_R | PF_X */
    "\x00\x00\x00\x00\x00\x00\x00\x00" /* p_offset 0 */
    "\x00\x00\x40\x00\x00\x00\x00\x00" /* p_vaddr 0x400000 */
    "\x00\x00\x40\x00\x00\x00\x00\x00" /* p_paddr */
    "\x00\x11\x00\x00\x00\x00\x00\x00" /* p_filesz 0x1100 */
    "\x00\x11\x00\x00\x00\x00\x00\x00" /* p_memsz 0x1100 */
    "\x00\x10\x00\x00\x00\x00\x00\x00" /* p_align 0x1000 */

    "\x01\x00\x00\x00\x06\x00\x00\x00" /* PT_LOAD, PF_R | PF_W */
    "\x00\x11\x00\x00\x00\x00\x00\x00" /* p_offset 0x1100 */
    "\x00\x21\x40\x00\x00\x00\x00\x00" /* p_vaddr 0x402100 */
    "\x00\x21\x40\x00\x00\x00\x00\x00" /* p_paddr */
    "\x80\x00\x00\x00\x00\x00\x00\x00" /* p_filesz 0x80 */
    "\x00\x30\x00\x00\x00\x00\x00\x00" /* p_memsz 0x3000 */
    "\x00\x10\x00\x00\x00\x00\x00\x00" /* p_align 0x1000 */

    "\x51\xe5\x74\x64\x06\x00\x00\x00" /* PT_GNU_STACK, PF_R | PF_W */
    "\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x10\x00\x00\x00\x00\x00\x00\x00"; /* p_align 16 */

#define GOOD_FILE_BYTES 0x1180

struct file {
	uint8_t bytes[80 * 1024];
	size_t length;
};

static struct file good_file(void)
{
	struct file file = {.length = GOOD_FILE_BYTES};

	memcpy(file.bytes, good_headers, HEADERS_END);
	file.bytes[E_MACHINE] = MACHINE_ELF;
	return file;
}

/* Writes a little-endian field. */
static void set(struct file *file, size_t at, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++)
		file->bytes[at + i] = (uint8_t)(value >> (8 * i));
}

/* Where program header `index` is in a file whose table is right after the ELF header. */
static size_t phdr_at(unsigned index)
{
	return HEADER_BYTES + (size_t)index * PHDR_BYTES;
}

static int memory_file(const struct file *file)
{
	int descriptor = memfd_create("image", MFD_CLOEXEC);

	assert_true(descriptor >= 0);
	assert_int_equal(write(descriptor, file->bytes, file->length), file->length);
	return descriptor;
}

/* The one that was read last. */
static struct elf_image image;
static struct error error;

static void forget_image(void)
{
	free(image.segments);
	free((char *)image.interpreter);
	image = (struct elf_image){0};
	error = (struct error){0};
}

/*
 * A small complete file for libelf: the ELF header, and right after it the program headers,
 * wherever the file has them. Fields that the kernel does not check get the values that libelf
 * expects.
 */
static Elf64_Ehdr *headers_for_libelf(int descriptor, size_t *length)
{
	Elf64_Ehdr ehdr, *headers;
	size_t table_bytes;

	assert_int_equal(pread(descriptor, &ehdr, sizeof(ehdr), 0), sizeof(ehdr));
	table_bytes = ehdr.e_phnum * sizeof(Elf64_Phdr);
	*length = sizeof(ehdr) + table_bytes;
	headers = malloc(*length);
	assert_non_null(headers);
	assert_int_equal(pread(descriptor, headers + 1, table_bytes, (off_t)ehdr.e_phoff),
			 table_bytes);
	ehdr.e_ident[EI_CLASS] = ELFCLASS64;
	ehdr.e_ident[EI_DATA] = ELFDATA2LSB;
	ehdr.e_ident[EI_VERSION] = EV_CURRENT;
	ehdr.e_version = EV_CURRENT;
	ehdr.e_ehsize = sizeof(ehdr);
	ehdr.e_phoff = sizeof(ehdr);
	ehdr.e_shoff = ehdr.e_shnum = ehdr.e_shstrndx = 0;
	*headers = ehdr;
	return headers;
}

/* libelf makes the same of the file. */
static void assert_libelf_agrees(int descriptor)
{
	size_t length;
	Elf64_Ehdr *headers = headers_for_libelf(descriptor, &length);
	GElf_Ehdr ehdr;
	Elf *elf;

	assert_int_not_equal(elf_version(EV_CURRENT), EV_NONE);
	elf = elf_memory((char *)headers, length);
	assert_non_null(gelf_getehdr(elf, &ehdr));
	assert_int_equal(ehdr.e_type, image.type);
	assert_int_equal(ehdr.e_entry, image.entry);
	assert_int_equal(ehdr.e_phnum, image.phnum);
	for (int i = 0; i < image.phnum; i++) {
		GElf_Phdr phdr;

		assert_non_null(gelf_getphdr(elf, i, &phdr));
		assert_memory_equal(&image.segments[i], &phdr, sizeof(phdr));
	}
	elf_end(elf);
	free(headers);
}

static bool read_image(int descriptor, uint64_t length)
{
	bool done;

	forget_image();
	done = elf_image_read(descriptor, length, &image, &error);
	if (done)
		assert_libelf_agrees(descriptor);
	return done;
}

static bool accept(int descriptor, uint64_t length)
{
	return read_image(descriptor, length) && elf_interpreter_read(descriptor, &image, &error) &&
	       elf_check(&image, &error);
}

static bool accept_file(const struct file *file)
{
	int descriptor = memory_file(file);
	bool accepted = accept(descriptor, file->length);

	close(descriptor);
	return accepted;
}

static void assert_accepted(const struct file *file)
{
	if (!accept_file(file))
		fail_msg("refused: %s", error.text);
}

static void assert_refused(const struct file *file, const char *sentence)
{
	if (accept_file(file))
		fail_msg("accepted, but: %s", sentence);
	assert_string_equal(error.text, sentence);
	assert_int_equal(error.status, EXIT_NOT_LOADABLE);
}

/* The form that every error has, whatever it says. */
static void assert_sentence(void)
{
	size_t length = strlen(error.text);

	assert_int_equal(error.status, EXIT_NOT_LOADABLE);
	assert_true(length > 0);
	assert_null(strchr(error.text, '\n'));
	assert_int_not_equal(error.text[length - 1], '.');
}

/* One thing changed in the good file. */
struct change {
	size_t at;
	unsigned width; /* bytes */
	uint64_t value;
	const char *sentence; /* NULL: it is accepted */
};

static void assert_changes(const struct change *changes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct file file = good_file();

		if (changes[i].at == E_MACHINE && changes[i].value == MACHINE_ELF)
			continue; /* it changes nothing on this processor */
		if (USER_ADDRESS_END != END_IN_SENTENCES && changes[i].sentence != NULL &&
		    strstr(changes[i].sentence, "the end of user addresses") != NULL)
			continue; /* the sentence has another number on this processor */
		set(&file, changes[i].at, changes[i].width, changes[i].value);
		if (changes[i].sentence != NULL)
			assert_refused(&file, changes[i].sentence);
		else
			assert_accepted(&file);
	}
}

TEST(a_good_file_is_read_field_by_field)
{
	struct file file = good_file();
	const Elf64_Phdr *data;

	assert_accepted(&file);
	assert_int_equal(image.type, ET_EXEC);
	assert_int_equal(image.entry, 0x4000e8);
	assert_int_equal(image.phoff, 64);
	assert_int_equal(image.file_size, GOOD_FILE_BYTES);
	assert_int_equal(image.phnum, 3);
	assert_null(image.interpreter);
	data = &image.segments[1];
	assert_int_equal(data->p_type, PT_LOAD);
	assert_int_equal(data->p_flags, PF_R | PF_W);
	assert_int_equal(data->p_offset, 0x1100);
	assert_int_equal(data->p_vaddr, 0x402100);
	assert_int_equal(data->p_filesz, 0x80);
	assert_int_equal(data->p_memsz, 0x3000);
	assert_int_equal(data->p_align, 0x1000);
	assert_int_equal(image.segments[0].p_flags, PF_R | PF_X);
	assert_int_equal(image.segments[2].p_type, PT_GNU_STACK);
	assert_int_equal(image.segments[2].p_align, 16);
}

TEST(numbers_are_read_to_their_last_bit)
{
	struct file file = good_file();

	/* Not a PT_LOAD, so nothing in it is checked. */
	set(&file, STACK + P_FLAGS, 4, 0xfedcba98);
	set(&file, STACK + P_OFFSET, 8, 0x8123456789abcdef);
	set(&file, STACK + P_VADDR, 8, 0x9123456789abcdef);
	set(&file, STACK + P_FILESZ, 8, 0xa123456789abcdef);
	set(&file, STACK + P_MEMSZ, 8, 0xb123456789abcdef);
	set(&file, STACK + P_ALIGN, 8, 0xc123456789abcdef);
	set(&file, E_ENTRY, 8, 0xd123456789abcdef);
	assert_accepted(&file);
	assert_int_equal(image.segments[2].p_flags, 0xfedcba98);
	assert_int_equal(image.segments[2].p_offset, 0x8123456789abcdef);
	assert_int_equal(image.segments[2].p_vaddr, 0x9123456789abcdef);
	assert_int_equal(image.segments[2].p_filesz, 0xa123456789abcdef);
	assert_int_equal(image.segments[2].p_memsz, 0xb123456789abcdef);
	assert_int_equal(image.segments[2].p_align, 0xc123456789abcdef);
	assert_int_equal(image.entry, 0xd123456789abcdef);
}

TEST(the_descriptor_stays_where_it_was)
{
	struct file file = good_file();
	int descriptor = memory_file(&file);

	assert_int_equal(lseek(descriptor, 77, SEEK_SET), 77);
	assert_true(accept(descriptor, file.length));
	assert_int_equal(lseek(descriptor, 0, SEEK_CUR), 77);
	close(descriptor);
}

TEST(wrong_fields_of_the_elf_header_are_named)
{
	static const struct change changes[] = {
	    {0, 1, 0x7e, "is not an ELF file: name " MACHINE_PROGRAM},
	    {3, 1, 'f', "is not an ELF file: name " MACHINE_PROGRAM},
	    {0, 2, '#' | '!' << 8,
	     "is a script, which cannot interpret a program: name an ELF file"},
	    {E_MACHINE, 2, MACHINE_ELF_32, MACHINE_IS_32},
	    {E_MACHINE, 2, 183,
	     "is for another machine: AArch64 (e_machine 183); build it for " MACHINE_NAME},
	    {E_MACHINE, 2, 243,
	     "is for another machine: RISC-V (e_machine 243); build it for " MACHINE_NAME},
	    {E_MACHINE, 2, 8,
	     "is for another machine: MIPS (e_machine 8); build it for " MACHINE_NAME},
	    {E_MACHINE, 2, 0xffff,
	     "is for another machine: e_machine is 65535, not " OWN_NUMBER
	     "; build it for " MACHINE_NAME},
	    {E_TYPE, 2, 0,
	     "is not a program: e_type is 0, not 2 (ET_EXEC) or 3 (ET_DYN); "
	     "build it or copy it again"},
	    {E_TYPE, 2, 1, "is an object file, e_type 1: link it into a program"},
	    {E_TYPE, 2, 4, "is a core file, e_type 4: name the program that dumped it"},
	    {E_TYPE, 2, 0xfe03,
	     "is not a program: e_type is 65027, not 2 (ET_EXEC) or 3 (ET_DYN); "
	     "build it or copy it again"},
	    {E_PHENTSIZE, 2, 0, "has e_phentsize 0, not 56" DAMAGED},
	    {E_PHENTSIZE, 2, 55, "has e_phentsize 55, not 56" DAMAGED},
	    {E_PHENTSIZE, 2, 64, "has e_phentsize 64, not 56" DAMAGED},
	    {E_PHNUM, 2, 0, "has 0 program headers, and not 1 to 1170" DAMAGED},
	    {E_PHNUM, 2, 1171, "has 1171 program headers, and not 1 to 1170" DAMAGED},
	    {E_PHNUM, 2, 0xffff, "has 65535 program headers, and not 1 to 1170" DAMAGED},
	};

	assert_changes(changes, COUNT(changes));
}

TEST(program_headers_outside_the_file_are_named)
{
	static const struct change changes[] = {
	    {E_PHOFF, 8, 0x10d9, "ends inside its program headers (0x10d9 to 0x1181)" CUT_OFF},
	    {E_PHOFF, 8, 0x1180, "ends inside its program headers (0x1180 to 0x1228)" CUT_OFF},
	    {E_PHOFF, 8, 0x123456789a,
	     "ends inside its program headers (0x123456789a to 0x1234567942)" CUT_OFF},
	    {E_PHOFF, 8, 0x7fffffffffffff57,
	     "ends inside its program headers (0x7fffffffffffff57 to 0x7fffffffffffffff)" CUT_OFF},
	    {E_PHOFF, 8, 0x7fffffffffffff58,
	     "has its program headers at offset 0x7fffffffffffff58, beyond the end of any "
	     "file" DAMAGED},
	    {E_PHOFF, 8, 0xffffffffffffff57,
	     "has its program headers at offset 0xffffffffffffff57, beyond the end of any "
	     "file" DAMAGED},
	    {E_PHOFF, 8, 0xffffffffffffffff,
	     "has its program headers at offset 0xffffffffffffffff, beyond the end of any "
	     "file" DAMAGED},
	    /* The ELF header itself, read as program headers: none of them is a PT_LOAD. */
	    {E_PHOFF, 8, 0,
	     "has no PT_LOAD among its 3 program headers: exec starts it, and it dies of "
	     "SIGSEGV at once; "
	     "build it or copy it again"},
	};

	assert_changes(changes, COUNT(changes));
}

TEST(wrong_fields_of_a_segment_are_named)
{
	static const struct change changes[] = {
	    {TEXT + P_FILESZ, 8, 0x1101,
	     "has p_filesz 0x1101 above p_memsz 0x1100 in program header 0" DAMAGED},
	    {DATA + P_MEMSZ, 8, 0,
	     "has p_filesz 0x80 above p_memsz 0x0 in program header 1" DAMAGED},
	    {DATA + P_MEMSZ, 8, 0x7fffffbfcf01,
	     "has p_vaddr 0x402100 and p_memsz 0x7fffffbfcf01 in program header 1, beyond "
	     "0x7ffffffff000, the end of user addresses" LOWER},
	    {DATA + P_MEMSZ, 8, 0xffffffffffffffff,
	     "has p_vaddr 0x402100 and p_memsz 0xffffffffffffffff in program header 1, "
	     "beyond 0x7ffffffff000, the end of user addresses" LOWER},
	    {TEXT + P_VADDR, 8, 0x7fffffffe000,
	     "has p_vaddr 0x7fffffffe000 and p_memsz 0x1100 in program header 0, beyond "
	     "0x7ffffffff000, the end of user addresses" LOWER},
	    {TEXT + P_VADDR, 8, 0xffffffff80000000,
	     "has p_vaddr 0xffffffff80000000 and p_memsz 0x1100 in program header 0, beyond "
	     "0x7ffffffff000, the end of user addresses" LOWER},
	    {TEXT + P_VADDR, 8, 0xfffffffffffff000,
	     "has p_vaddr 0xfffffffffffff000 and p_memsz 0x1100 in program header 0, beyond "
	     "0x7ffffffff000, the end of user addresses" LOWER},
	    {TEXT + P_VADDR, 8, 0x400001,
	     "has p_offset 0x0 and p_vaddr 0x400001 in program header 0 at different places in "
	     "their pages" DAMAGED},
	    {DATA + P_OFFSET, 8, 0x10ff,
	     "has p_offset 0x10ff and p_vaddr 0x402100 in program header 1 at different places "
	     "in their pages" DAMAGED},
	    {TEXT + P_OFFSET, 8, 0x7ffffffffffff000,
	     "has p_offset 0x7ffffffffffff000 and p_filesz 0x1100 in program header 0, beyond "
	     "the end of any file" DAMAGED},
	    {TEXT + P_OFFSET, 8, 0xfffffffffffff000,
	     "has p_offset 0xfffffffffffff000 and p_filesz 0x1100 in program header 0, beyond "
	     "the end of any file" DAMAGED},
	};

	assert_changes(changes, COUNT(changes));
}

TEST(a_file_without_segments_is_refused)
{
	struct file file = good_file();

	set(&file, TEXT + P_TYPE, 4, PT_NULL);
	set(&file, DATA + P_TYPE, 4, PT_NOTE);
	assert_refused(&file,
		       "has no PT_LOAD among its 3 program headers: exec starts it, and it dies of "
		       "SIGSEGV at once; "
		       "build it or copy it again");
}

TEST(a_first_segment_without_file_data_is_refused)
{
	struct file file = good_file();

	set(&file, TEXT + P_FILESZ, 8, 0);
	assert_accepted(&file);
	set(&file, E_TYPE, 2, ET_DYN);
	assert_refused(&file,
		       "has no file data in its first PT_LOAD, program header 0: exec would "
		       "put it at address 0, and kill it there; the file is damaged; build it "
		       "or copy it again");
	set(&file, TEXT + P_MEMSZ, 8, 0);
	assert_accepted(&file);
}

/*
 * Fields that the kernel does not look at, with values that make no sense. EI_CLASS is one on most
 * processors.
 */
TEST(what_the_kernel_ignores_is_ignored)
{
	static const struct change changes[] = {
	    {EI_CLASS_AT, 1, 0, OF_CLASS("0")},
	    {EI_CLASS_AT, 1, ELFCLASS32, OF_CLASS("1")},
	    {EI_CLASS_AT, 1, 0xff, OF_CLASS("255")},
	    {EI_DATA_AT, 1, 0, NULL},
	    {EI_DATA_AT, 1, ELFDATA2MSB, NULL},
	    {EI_DATA_AT, 1, 0xff, NULL},
	    {EI_VERSION_AT, 1, 0, NULL},
	    {EI_VERSION_AT, 1, 2, NULL},
	    {EI_OSABI_AT, 2, 0xffff, NULL},
	    {EI_PAD_AT, 7, UINT64_MAX, NULL},
	    {E_VERSION, 4, 0, NULL},
	    {E_VERSION, 4, UINT32_MAX, NULL},
	    {E_ENTRY, 8, 0, NULL},
	    {E_ENTRY, 8, UINT64_MAX, NULL},
	    {E_SHOFF, 8, 1, NULL},
	    {E_SHOFF, 8, UINT64_MAX, NULL},
	    {E_FLAGS, 4, UINT32_MAX, NULL},
	    {E_EHSIZE, 2, 0, NULL},
	    {E_EHSIZE, 2, 0xffff, NULL},
	    {E_SHENTSIZE, 2, 1, NULL},
	    {E_SHNUM, 2, 0xffff, NULL},
	    {E_SHSTRNDX, 2, 0xffff, NULL},
	    {TEXT + P_PADDR, 8, UINT64_MAX, NULL},
	    {TEXT + P_FLAGS, 4, 0, NULL},
	    {TEXT + P_FLAGS, 4, 0xfffffff5, NULL},
	    {TEXT + P_ALIGN, 8, 0, NULL},
	    {TEXT + P_ALIGN, 8, 1, NULL},
	    {TEXT + P_ALIGN, 8, 3, NULL},
	    {TEXT + P_ALIGN, 8, 0x1800, NULL},
	    {TEXT + P_ALIGN, 8, UINT64_C(1) << 63, NULL},
	    {STACK + P_TYPE, 4, 0x6fffffff, NULL},
	    {STACK + P_TYPE, 4, PT_DYNAMIC, NULL},
	    {STACK + P_TYPE, 4, PT_TLS, NULL},
	};

	for (size_t i = 0; i < COUNT(changes); i++) {
		struct file file = good_file();

		set(&file, changes[i].at, changes[i].width, changes[i].value);
		if (changes[i].sentence != NULL) {
			assert_refused(&file, changes[i].sentence);
			continue;
		}
		assert_accepted(&file);
		assert_int_equal(image.phnum, 3);
		assert_int_equal(image.segments[0].p_vaddr, 0x400000);
		assert_int_equal(image.segments[1].p_vaddr, 0x402100);
	}
}

/* Its headers are those of a 32-bit file, and what a 64-bit one has there is nonsense. */
TEST(an_x32_program_is_named)
{
	struct file file = good_file();

	file.bytes[EI_CLASS] = ELFCLASS32;
	set(&file, 42, 2, 32); /* its e_phentsize */
	set(&file, E_PHENTSIZE, 2, 0);
	assert_refused(&file, MACHINE_IS_ILP32);
}

/* A big-endian machine's number is big-endian, too; one without a name is what the kernel reads. */
TEST(big_endian_machines_are_named)
{
	static const struct {
		uint16_t machine;
		const char *sentence;
	} cases[] = {
	    {22 << 8, "is for another machine: s390 (e_machine 22); build it for " MACHINE_NAME},
	    {21 << 8,
	     "is for another machine: PowerPC 64-bit (e_machine 21); build it for " MACHINE_NAME},
	    {2 << 8, "is for another machine: SPARC (e_machine 2); build it for " MACHINE_NAME},
	    {77 << 8, "is for another machine: e_machine is 19712, not " OWN_NUMBER
		      "; build it for " MACHINE_NAME},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct file file = good_file();

		file.bytes[EI_DATA] = ELFDATA2MSB;
		set(&file, E_MACHINE, 2, cases[i].machine);
		assert_refused(&file, cases[i].sentence);
	}
}

/*
 * All of e_ident after its magic number is wrong at once: the file calls itself 32-bit and
 * big-endian.
 */
TEST(e_ident_decides_nothing_after_its_magic_number)
{
	struct file file = good_file();

	set(&file, EI_CLASS_AT, 4,
	    (MACHINE_HAS_CLASS ? ELFCLASS64 : ELFCLASS32) | ELFDATA2MSB << 8 | 0xffu << 16);
	set(&file, E_VERSION, 4, 0);
	assert_accepted(&file);
	assert_int_equal(image.type, ET_EXEC);
	assert_int_equal(image.entry, 0x4000e8);
	assert_int_equal(image.segments[1].p_memsz, 0x3000);
}

/* The last byte of each range that may still be used. */
TEST(segments_may_reach_the_very_ends)
{
	const struct change changes[] = {
	    {DATA + P_MEMSZ, 8, USER_ADDRESS_END - 0x402100, NULL},
	    {TEXT + P_VADDR, 8, USER_ADDRESS_END - 0x2000, NULL},
	    {TEXT + P_OFFSET, 8, 0x7fffffffffffe000, NULL},
	    {TEXT + P_VADDR, 8, 0, NULL},
	};

	assert_changes(changes, COUNT(changes));
}

/* A segment without file data maps nothing from the file, so its p_offset has no meaning. */
TEST(p_offset_of_a_bss_only_segment_is_not_looked_at)
{
	static const uint64_t offsets[] = {0, 1, 0x10ff, 0x7ffffffffffff000, UINT64_MAX};

	for (size_t i = 0; i < COUNT(offsets); i++) {
		struct file file = good_file();

		set(&file, DATA + P_FILESZ, 8, 0);
		set(&file, DATA + P_OFFSET, 8, offsets[i]);
		assert_accepted(&file);
	}
}

/* The end of the last file page is cleared: that page must exist. */
TEST(a_cleared_tail_must_be_in_the_file)
{
	struct file file = good_file();

	set(&file, DATA + P_OFFSET, 8, 0x3100);
	assert_refused(&file, "ends at 0x1180, but program header 1 has data up to 0x3180" CUT_OFF);
	file.length = 0x3000;
	assert_refused(&file, "ends at 0x3000, but program header 1 has data up to 0x3180" CUT_OFF);
	file.length = 0x3001;
	assert_accepted(&file);
}

/*
 * Without a tail to clear the file may end early: the program gets its own SIGBUS if it looks
 * there.
 */
TEST(other_data_may_lie_beyond_the_file)
{
	struct file file = good_file();

	set(&file, DATA + P_OFFSET, 8, 0x3100);
	set(&file, DATA + P_FLAGS, 4, PF_R);
	assert_accepted(&file);
	set(&file, DATA + P_FLAGS, 4, PF_R | PF_W);
	set(&file, DATA + P_MEMSZ, 8, 0x80);
	assert_accepted(&file);
	set(&file, DATA + P_FILESZ, 8, 0xf00);
	set(&file, DATA + P_MEMSZ, 8, 0x3000);
	assert_accepted(&file);
}

static struct file file_with_headers_at(size_t offset)
{
	struct file file = good_file();

	set(&file, E_PHOFF, 8, offset);
	memset(file.bytes + HEADER_BYTES, 0xee, HEADERS_END - HEADER_BYTES);
	memcpy(file.bytes + offset, good_headers + HEADER_BYTES, HEADERS_END - HEADER_BYTES);
	file.length = offset + HEADERS_END - HEADER_BYTES;
	if (file.length < GOOD_FILE_BYTES)
		file.length = GOOD_FILE_BYTES;
	return file;
}

/* Odd ones, ones around the first kilobyte and the first page, and the end of the file. */
TEST(headers_may_be_anywhere)
{
	static const size_t offsets[] = {65,   67,   255,  855,	 856,  857,  1023, 1024,
					 1025, 3929, 4095, 4096, 4097, 4312, 5001, 65537};

	for (size_t i = 0; i < COUNT(offsets); i++) {
		struct file file = file_with_headers_at(offsets[i]);

		assert_accepted(&file);
		assert_int_equal(image.phoff, offsets[i]);
		assert_int_equal(image.entry, 0x4000e8);
		assert_int_equal(image.segments[0].p_filesz, 0x1100);
		assert_int_equal(image.segments[1].p_vaddr, 0x402100);
		assert_int_equal(image.segments[2].p_align, 16);
	}
}

/* The table begins inside the ELF header, whose last bytes are the first header's p_type. */
TEST(headers_may_overlap_the_elf_header)
{
	struct file file = good_file();

	/* e_shnum and e_shstrndx, which are not looked at, spell PT_LOAD and no flags. */
	memmove(file.bytes + 60, file.bytes + HEADER_BYTES, 3 * PHDR_BYTES);
	set(&file, E_PHOFF, 8, 60);
	assert_accepted(&file);
	assert_int_equal(image.segments[0].p_type, PT_LOAD);
	assert_int_equal(image.segments[0].p_filesz, 0x1100);
	assert_int_equal(image.segments[2].p_type, PT_GNU_STACK);
}

/* Two PT_LOADs, the last of them the last header of all; the rest are PT_NULL. */
static struct file file_with_many_headers(unsigned count)
{
	struct file file = good_file();

	set(&file, E_PHNUM, 2, count);
	memset(file.bytes + STACK, 0, PHDR_BYTES);
	file.length = phdr_at(count);
	memcpy(file.bytes + phdr_at(count - 1), good_headers + TEXT, PHDR_BYTES);
	set(&file, phdr_at(count - 1) + P_VADDR, 8, 0x600000);
	return file;
}

TEST(a_table_of_64_kib_is_the_longest)
{
	struct file file = file_with_many_headers(1170);

	assert_accepted(&file);
	assert_int_equal(image.phnum, 1170);
	assert_int_equal(image.segments[1].p_vaddr, 0x402100);
	assert_int_equal(image.segments[1168].p_type, PT_NULL);
	assert_int_equal(image.segments[1169].p_vaddr, 0x600000);
	file = file_with_many_headers(1171);
	assert_refused(&file, "has 1171 program headers, and not 1 to 1170" DAMAGED);
}

/* Cuts a file at every length up to `end`: always a sentence, and success only at the end. */
static void assert_refused_if_cut(const struct file *file, size_t end)
{
	int descriptor = memory_file(file);

	for (size_t length = end; length-- > 0;) {
		assert_int_equal(ftruncate(descriptor, (off_t)length), 0);
		/* The given length may be older than the file. */
		assert_false(accept(descriptor, length % 2 ? length : file->length));
		assert_sentence();
	}
	close(descriptor);
}

TEST(a_file_cut_anywhere_in_its_headers_is_refused)
{
	struct file file = good_file(), late = file_with_headers_at(1500);

	assert_refused_if_cut(&file, HEADERS_END);
	assert_refused_if_cut(&late, 1500 + HEADERS_END - HEADER_BYTES);
}

TEST(what_is_cut_off_is_named)
{
	struct file file = good_file();

	file.length = 0;
	assert_refused(&file, "is not an ELF file: name " MACHINE_PROGRAM);
	file.length = 3;
	assert_refused(&file, "is not an ELF file: name " MACHINE_PROGRAM);
	file.length = 4;
	assert_refused(&file, "ends after 4 bytes, inside its ELF header of 64" CUT_OFF);
	file.length = 63;
	assert_refused(&file, "ends after 63 bytes, inside its ELF header of 64" CUT_OFF);
	file.length = 64;
	assert_refused(&file, "ends inside its program headers (0x40 to 0xe8)" CUT_OFF);
	file.length = HEADERS_END - 1;
	assert_refused(&file, "ends inside its program headers (0x40 to 0xe8)" CUT_OFF);
}

TEST(two_bytes_make_a_script)
{
	struct file file = {.bytes = "#!", .length = 2};

	assert_refused(&file, "is a script, which cannot interpret a program: name an ELF file");
	file.length = 1;
	assert_refused(&file,
		       "is text, not an ELF file: a script needs a first line such as #!/bin/sh");
}

/* One byte of the headers at a time, everywhere: accepted, or refused with a sentence. */
TEST(any_byte_may_be_anything)
{
	static const uint8_t values[] = {0x00, 0x01, 0x03, 0x7f, 0x80, 0xff};
	struct file file = good_file();
	int descriptor = memory_file(&file);

	for (size_t i = 0; i < COUNT(values) * HEADERS_END; i++) {
		off_t at = (off_t)(i / COUNT(values));

		assert_int_equal(pwrite(descriptor, &values[i % COUNT(values)], 1, at), 1);
		if (!accept(descriptor, file.length))
			assert_sentence();
		assert_int_equal(pwrite(descriptor, &file.bytes[at], 1, at), 1);
	}
	close(descriptor);
}

TEST(a_file_that_cannot_be_read_is_refused)
{
	assert_false(accept(-1, 4096));
	assert_string_equal(error.text,
			    "cannot be read: Bad file descriptor; copy it to another disk");
	assert_int_equal(error.status, EXIT_NOT_LOADABLE);
}

/* The stack's header becomes a PT_INTERP of some bytes, at some offset of the file. */
static struct file file_with_interpreter(uint64_t offset, uint64_t bytes)
{
	struct file file = good_file();

	set(&file, STACK + P_TYPE, 4, PT_INTERP);
	set(&file, STACK + P_OFFSET, 8, offset);
	set(&file, STACK + P_FILESZ, 8, bytes);
	return file;
}

TEST(a_dynamic_program_says_which_interpreter_it_wants)
{
	struct file file = file_with_interpreter(0x200, 28);

	memcpy(file.bytes + 0x200, "/lib64/ld-linux-x86-64.so.2", 28);
	assert_accepted(&file);
	assert_string_equal(image.interpreter, "/lib64/ld-linux-x86-64.so.2");
}

TEST(an_interpreter_has_2_to_4096_bytes)
{
	struct file file = file_with_interpreter(0x200, 0);

	assert_refused(&file,
		       "has a PT_INTERP of 0 bytes at 0x200; a path has from 2 to 4096" DAMAGED);
	set(&file, STACK + P_FILESZ, 8, 1);
	assert_refused(&file,
		       "has a PT_INTERP of 1 bytes at 0x200; a path has from 2 to 4096" DAMAGED);
	set(&file, STACK + P_FILESZ, 8, 4097);
	assert_refused(&file,
		       "has a PT_INTERP of 4097 bytes at 0x200; a path has from 2 to 4096" DAMAGED);
	set(&file, STACK + P_FILESZ, 8, UINT64_MAX);
	assert_refused(&file, "has a PT_INTERP of 18446744073709551615 bytes at 0x200; a path has "
			      "from 2 to 4096" DAMAGED);
	memcpy(file.bytes + 0x200, "i", 2);
	set(&file, STACK + P_FILESZ, 8, 2);
	assert_accepted(&file);
	assert_string_equal(image.interpreter, "i");
}

TEST(the_longest_interpreter_is_read_in_full)
{
	struct file file = file_with_interpreter(0x1180, 4096);

	file.length = 0x1180 + 4096;
	memset(file.bytes + 0x1180, 'x', 4095);
	file.bytes[file.length - 1] = '\0';
	assert_accepted(&file);
	assert_int_equal(strlen(image.interpreter), 4095);
}

TEST(an_interpreter_that_is_cut_off_is_refused)
{
	struct file file = file_with_interpreter(0x200, 8);

	memcpy(file.bytes + 0x200, "/lib/ld.", 8); /* its NUL is after its p_filesz */
	assert_refused(&file, "has a PT_INTERP that is cut off" DAMAGED);
	set(&file, STACK + P_OFFSET, 8, GOOD_FILE_BYTES - 7);
	assert_refused(&file, "has a PT_INTERP that is cut off" DAMAGED);
	set(&file, STACK + P_OFFSET, 8, UINT64_C(1) << 40);
	assert_refused(&file, "has a PT_INTERP that is cut off" DAMAGED);
	set(&file, STACK + P_OFFSET, 8, INT64_MAX);
	assert_refused(&file, "has a PT_INTERP of 8 bytes at 0x7fffffffffffffff; a path has from "
			      "2 to 4096" DAMAGED);
	set(&file, STACK + P_OFFSET, 8, UINT64_MAX);
	assert_refused(&file, "has a PT_INTERP of 8 bytes at 0xffffffffffffffff; a path has from "
			      "2 to 4096" DAMAGED);
}

/* Like the kernel, this ignores a second one. */
TEST(the_first_interpreter_counts)
{
	struct file file = file_with_interpreter(0x208, 0);

	set(&file, DATA + P_TYPE, 4, PT_INTERP);
	set(&file, DATA + P_OFFSET, 8, 0x200);
	set(&file, DATA + P_FILESZ, 8, 7);
	memcpy(file.bytes + 0x200, "/first", 7);
	assert_accepted(&file);
	assert_string_equal(image.interpreter, "/first");
}

/* The kernel passes over what an interpreter has of the kind, so nothing is read unasked. */
TEST(headers_are_read_without_the_interpreter)
{
	struct file file = file_with_interpreter(0x200, 1);
	int descriptor = memory_file(&file);

	assert_true(read_image(descriptor, file.length));
	assert_null(image.interpreter);
	assert_true(elf_check(&image, &error));
	close(descriptor);
}
