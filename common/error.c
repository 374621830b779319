#include "common/error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *error, enum exit_status status, const char *format, ...)
{
	va_list arguments;

	error->status = status;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	return false;
}
