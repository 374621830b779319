/* For the assembly of the processors' folders: its numbers, by their names. */
#include "common/arch/assembly.h"

#define NUMBER(name, value, meaning) .set name, value
#include "loader/resident/arch/numbers.def"
