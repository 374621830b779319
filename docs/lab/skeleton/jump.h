/*
 * jump: from the pager into the program.
 */
#pragma once

#include <stdint.h>
#include <stdnoreturn.h>

noreturn void jump(uintptr_t entry, void *stack);
