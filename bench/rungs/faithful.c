/*
 * faithful PROGRAM [ARG]...: like bare, and also everything that a program could miss. It checks
 * that the file may be executed. All pages are present before the start. The stack is as exec makes
 * it; name, brk and arguments are the program's; nothing of the loader stays. This is the lower
 * bound for all_at_once_loader.
 */
#include "bench/rungs/rung.h"
#include "common/arch/bytes.h"
#include "common/kernel_abi.h"
#include "common/process_stack.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of the stack: enough for the ladder's arguments and environment. */
#define IMAGE_BYTES (64 * 1024)
#define USED_BYTES  (16 * 1024)

extern const char __ehdr_start[], _end[];
extern const char leave[], leave_end[];

static uint8_t image[IMAGE_BYTES];

/* Copied to the end of the program's text. rdi, rsi: the loader; rsp: the stack; r8: the entry. */
__asm__("leave:\n"
	"	mov	$11, %eax\n" /* SYS_munmap */
	"	syscall\n"
	"	xor	%edx, %edx\n"
	"	jmp	*%r8\n"
	"leave_end:\n");

static uint64_t call(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	long result = raw_syscall6(number, a, b, c, d, 0, 0);

	if (result < 0)
		rung_fail(125);
	return (uint64_t)result;
}

static void check(const struct rung_program *program)
{
	struct stat status;

	call(SYS_fstat, (uint64_t)program->descriptor, (uint64_t)&status, 0, 0);
	if (!S_ISREG(status.st_mode))
		rung_fail(126);
	call(KERNEL_SYS_FACCESSAT2, (uint64_t)program->descriptor, (uint64_t) "", X_OK,
	     AT_EACCESS | AT_EMPTY_PATH);
}

/* Fills the pages of all segments, and puts the last instructions after the text. */
static uint64_t prepare_segments(const struct rung_program *program)
{
	uint64_t stub = 0, length = (uint64_t)(leave_end - leave);

	for (unsigned i = 0; i < program->elf->e_phnum; i++) {
		const Elf64_Phdr *segment = &program->segments[i];
		uint64_t start = page_floor(segment->p_vaddr);
		uint64_t end = page_ceil(segment->p_vaddr + segment->p_memsz);

		if (segment->p_type != PT_LOAD)
			continue;
		call(SYS_madvise, start, end - start,
		     (segment->p_flags & PF_W) ? KERNEL_MADV_POPULATE_WRITE
					       : KERNEL_MADV_POPULATE_READ,
		     0);
		if ((segment->p_flags & PF_X) == 0)
			continue;
		stub = end - length;
		if (segment->p_vaddr + segment->p_memsz > stub)
			rung_fail(126);
		call(SYS_mprotect, start, end - start, PROT_READ | PROT_WRITE, 0);
		bytes_copy((void *)stub, leave, length);
		call(SYS_mprotect, start, end - start, PROT_READ | PROT_EXEC, 0);
	}
	return stub;
}

static struct stack_image make_stack(uint64_t *stack, const struct rung_program *program)
{
	static uint8_t random[16];
	const char *own = (const char *)*rung_auxv(stack, AT_EXECFN);
	const struct auxv_entry *last;
	struct stack_request request = {
	    .argv = (char **)stack + 2,
	    .envp = (char **)stack + stack[0] + 2,
	    .path = (const char *)stack[2],
	    .platform = (const char *)*rung_auxv(stack, AT_PLATFORM),
	    .random = random,
	    .top = page_ceil((uint64_t)own),
	    .entry = program->elf->e_entry,
	    .phdr_address = program->segments[0].p_vaddr + program->elf->e_phoff,
	    .phnum = program->elf->e_phnum,
	};
	struct stack_image made;

	call(SYS_getrandom, (uint64_t)random, sizeof(random), 0, 0);
	last = (const struct auxv_entry *)(rung_auxv(stack, AT_NULL) - 1);
	request.auxv = last;
	for (char **word = request.envp; (void *)word < (void *)last; word++)
		if (*word == NULL) {
			request.auxv = (const struct auxv_entry *)(word + 1);
			break;
		}
	request.auxv_count = (size_t)(last - request.auxv);
	made = stack_image_measure(&request);
	if (made.length > IMAGE_BYTES)
		rung_fail(125);
	stack_image_write(&request, &made, image);
	return made;
}

static void take_identity(const struct stack_image *made, const struct rung_program *program,
			  const char *path)
{
	const char *name = path;
	uint64_t brk = call(SYS_brk, 0, 0, 0, 0);
	struct kernel_mm_map map = {
	    .start_code = page_floor(program->elf->e_entry),
	    .end_code = program->elf->e_entry,
	    .start_data = page_floor(program->end),
	    .end_data = program->end,
	    .start_brk = brk,
	    .brk = brk,
	    .start_stack = made->stack_pointer,
	    .arg_start = made->arg_start,
	    .arg_end = made->arg_end,
	    .env_start = made->env_start,
	    .env_end = made->env_end,
	    .auxv = (const uint64_t *)made->auxv,
	    .auxv_size = (uint32_t)made->auxv_length,
	    .exe_fd = KERNEL_NO_EXE,
	};

	for (; *path != '\0'; path++)
		if (*path == '/')
			name = path + 1;
	call(SYS_prctl, PR_SET_NAME, (uint64_t)name, 0, 0);
	raw_syscall6(SYS_prctl, KERNEL_PR_SET_MM, KERNEL_PR_SET_MM_MAP, (uint64_t)&map, sizeof(map),
		     0, 0);
	call(SYS_close, (uint64_t)program->descriptor, 0, 0, 0);
}

/* At the end the stack below the program's is unmapped, with this function's frame. */
_Noreturn void rung_main(uint64_t *stack)
{
	static struct rung_program program;
	static struct stack_image made;
	const char *path = (const char *)stack[2];
	uint64_t image_start = page_floor((uint64_t)__ehdr_start);
	uint64_t image_length = page_ceil((uint64_t)_end) - image_start;
	uint64_t mask, stub;

	if (stack[0] < 2)
		rung_fail(125);
	call(SYS_rt_sigprocmask, SIG_BLOCK, 0, (uint64_t)&mask, KERNEL_SIGSET_SIZE);
	rung_map(path, &program);
	check(&program);
	stub = prepare_segments(&program);
	made = make_stack(stack, &program);
	take_identity(&made, &program, path);
	stack_image_place(&made, image);
	__asm__ volatile("mov	%0, %%rsp\n"
			 "	mov	%1, %%r8\n"
			 "	mov	%2, %%r9\n"
			 "	mov	%3, %%r10\n"
			 "	mov	%4, %%r12\n"
			 "	syscall\n"
			 "	mov	%%r10, %%rdi\n"
			 "	mov	%%r12, %%rsi\n"
			 "	jmp	*%%r9\n"
			 :
			 : "r"(made.stack_pointer), "r"(program.elf->e_entry), "r"(stub),
			   "r"(image_start), "r"(image_length), "a"(SYS_madvise),
			   "D"(page_floor(made.stack_pointer) - USED_BYTES), "S"(USED_BYTES),
			   "d"(MADV_DONTNEED)
			 : "r8", "r9", "r10", "r12", "rcx", "r11", "memory");
	__builtin_unreachable();
}
