/* The descriptor of userfaultfd. Host code. */
#pragma once

/*
 * Opens userfaultfd_descriptor (loader/resident/pager/engine.h), with a number that the program
 * will not use. Returns 0 or -errno.
 */
long descriptor_open(void);

/* Closes the descriptor if it is open, when another engine has to hide the pages. */
void descriptor_close(void);
