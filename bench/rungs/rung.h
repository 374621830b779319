/*
 * Shared by the rungs of the ladder (bench/experiments/start.c): loaders without a C library that
 * do as little as possible. They assume that the program is the ladder's: small, static, at a fixed
 * address. They do not check that.
 */
#pragma once

#include "common/arch/syscall.h"
#include "common/page.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

#define RUNG_HEADER_BYTES 1024

struct rung_program {
	uint8_t header[RUNG_HEADER_BYTES]; /* the file's beginning */
	const Elf64_Ehdr *elf;
	const Elf64_Phdr *segments;
	long descriptor;
	uint64_t end; /* of the last segment in memory */
};

/* Each rung's work on the stack that the kernel made. _start passes the address of argc. */
_Noreturn void rung_main(uint64_t *stack);

/* Ends the process with this status. */
_Noreturn void rung_fail(int status);

/* Opens the program, reads its headers and maps its segments. */
void rung_map(const char *path, struct rung_program *program);

/* The value of an entry of the auxiliary vector, to read or to change. */
uint64_t *rung_auxv(uint64_t *stack, uint64_t type);
