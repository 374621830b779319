/* Stack switches of host code; see supervise.h. */
#define NUMBER(name, value, meaning) .set name, value
#include "loader/resident/arch/numbers.def"

#include <sys/syscall.h>

	.text

/*
 * void host_call_on_stack(void (*function)(void), void *top)
 * In: rdi function, rsi top. Out: does not return.
 */
	.globl host_call_on_stack
	.type host_call_on_stack, @function
host_call_on_stack:
	mov	%rsi, %rsp
	xor	%ebp, %ebp
	call	*%rdi
	ud2

/*
 * long host_clone_and_depart(void)
 * Out: rax the child's process ID or -errno. The child runs on resident code's stack, which
 * entry_depart() sets again: the child has used nothing of that stack until then.
 */
	.globl host_clone_and_depart
	.type host_clone_and_depart, @function
host_clone_and_depart:
	mov	$SYS_clone, %eax
	mov	$WATCHED_CHILD, %edi
	lea	launch_stack+STACK_BYTES(%rip), %rsi
	xor	%edx, %edx
	xor	%r10d, %r10d
	xor	%r8d, %r8d
	syscall
	test	%rax, %rax
	jz	entry_depart
	ret

	.section .note.GNU-stack, "", @progbits
