/* The handler of the managed signals, for which the kernel enters resident code. */
#pragma once

void handler_of_managed(int number, void *info, void *context);
