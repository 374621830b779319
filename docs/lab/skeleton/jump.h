/*
 * jump: from the pager into the program.
 */
#ifndef JUMP_H
#define JUMP_H

#include <stdint.h>
#include <stdnoreturn.h>

noreturn void jump(uintptr_t entry, void *stack);

#endif
