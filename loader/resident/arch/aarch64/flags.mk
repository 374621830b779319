# What the compiler must leave alone in resident code: floating point registers, which are the program's. Atomic
# operations are loops of instructions, and no calls of a library that asks for the processor's features.
C_ARCH_RESIDENT := -mgeneral-regs-only -mno-outline-atomics -mbranch-protection=none

# PAGE_BYTES_MAX of machine.h, for linker scripts.
ARCH_PAGE_BYTES := 65536
