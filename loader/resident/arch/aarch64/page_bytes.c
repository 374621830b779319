#include "common/arch/machine.h"

/* Host code writes it before main() (common/arch/aarch64/page_bytes.c). */
uint64_t resident_launch_page_bytes;
