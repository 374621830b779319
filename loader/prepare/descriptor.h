/* The descriptor that the engine `userfaultfd` works with. */
#ifndef LOADER_PREPARE_DESCRIPTOR_H
#define LOADER_PREPARE_DESCRIPTOR_H

/*
 * Opens userfaultfd_descriptor (loader/resident/pager/engine.h), with a number that is out of the
 * program's way. 0 or -errno.
 */
long descriptor_open(void);

#endif
