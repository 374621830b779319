/* handled.h: for guests that count the signals they handle. */
#pragma once

static volatile int handled;

static void on_signal(int number)
{
	handled++;
}
