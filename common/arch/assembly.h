/* For assembly: the beginning of a function, or of a place inside one, that C code declares. */
#include <sys/syscall.h>

#define PLACE(name)                                                                                \
	.globl name;                                                                               \
	name:

#define FUNCTION(name)                                                                             \
	.type name, @function;                                                                     \
	PLACE(name)
