/* The engine `userfaultfd`: its descriptor, which other files have to know. */
#ifndef LOADER_RESIDENT_PAGER_ENGINE_USERFAULTFD_H
#define LOADER_RESIDENT_PAGER_ENGINE_USERFAULTFD_H

/* -1 where the engine is not used, and after the end of lazy paging. */
extern int userfaultfd_descriptor;

#endif
