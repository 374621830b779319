# What the compiler must leave alone in resident code: gp, by which a relaxed access finds small data, is the program's.
# Floating point registers are the program's too, and the compiler uses none here: no value is of such a type.
C_ARCH_RESIDENT := -mno-relax -msmall-data-limit=0 -mcmodel=medany

# PAGE_BYTES_MAX of machine.h, for linker scripts.
ARCH_PAGE_BYTES := 4096
