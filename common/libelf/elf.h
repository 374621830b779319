/*
 * libelf's headers since elfutils 0.190 name the types of SHT_RELR, which musl's <elf.h> has only
 * since 1.2.5. C permits a typedef to be repeated (C11 6.7p3), so no check is needed. This folder
 * is searched first when the loaders are compiled with musl.
 */
#pragma once

#include_next <elf.h>

typedef Elf32_Word Elf32_Relr;
typedef Elf64_Xword Elf64_Relr;
