/*
 * audit: a library for LD_AUDIT (rtld-audit(7)), which prints each object and each symbol that
 * ld.so binds.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>

unsigned la_version(unsigned version)
{
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

unsigned la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie)
{
	fprintf(stderr, "object \"%s\" %ld\n", map->l_name, (long)namespace);
	return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

void la_preinit(uintptr_t *cookie)
{
	fprintf(stderr, "before constructors\n");
}

uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to,
		       unsigned *flags, const char *name)
{
	fprintf(stderr, "symbol %s\n", name);
	return symbol->st_value;
}
