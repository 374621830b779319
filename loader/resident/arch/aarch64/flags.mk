# What the compiler must leave alone in resident code: floating point registers, which are the program's. Atomic
# operations are loops of instructions, and no calls of a library that asks for the processor's features.
C_ARCH_RESIDENT := -mgeneral-regs-only -mno-outline-atomics -mbranch-protection=none

# PAGE_BYTES_MAX of machine.h, for linker scripts.
ARCH_PAGE_BYTES := 65536

# The section of a loader for the image of resident code, so that it lies outside of .start (start.ld). Under another
# loader, system calls between the first and the last executable section are rewritten, and this copy must stay as it is.
ARCH_IMAGE_SECTION := .rodata.resident
