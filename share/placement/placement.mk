# make placement: page-layout, and the library for programs that choose their frames.

PAGE_LAYOUT   := build/share/page-layout
LAYOUT_C      := common/placement/layout.c common/placement/layout_text.c common/pagemap.c common/error.c

LIBPLACEMENT   := build/share/libplacement.a
LIBPLACEMENT_C := $(filter-out $(COMMAND_C),$(wildcard share/placement/*.c)) $(LAYOUT_C) \
                  common/placement/pool.c common/placement/pool_frames.c common/placement/pool_turns.c \
                  common/placement/strategy.c common/similar.c \
                  common/control_group.c common/kernel_text.c $(ARCH_C)
LIBPLACEMENT_O := $(LIBPLACEMENT_C:%.c=build/share/libplacement/%.o)

.PHONY: placement
placement: $(PAGE_LAYOUT) $(LIBPLACEMENT)

# A link to pagewise.
$(PAGE_LAYOUT): pagewise
	@mkdir -p $(@D)
	ln -sf ../../pagewise $@

# For programs of any libc, so without what only one has. Thread-local storage may be on its way while
# pages are moved: no stack protector.
build/share/libplacement/%.o: %.c Makefile
	$(call step,CC,$<)
	$(CC) $(C_ALL) -O2 -fPIC -fno-stack-protector -I. -c -o $@ $<

-include $(LIBPLACEMENT_O:%.o=%.d)

# One object, of which programs see the names of the header alone. Since 2.38 glibc's headers call some functions,
# as strtoull, by names that musl lacks, as __isoc23_strtoull; only how they read "0b1" differs.
$(LIBPLACEMENT): $(LIBPLACEMENT_O)
	$(call step,AR,$@)
	ld -r -o $@.o $(LIBPLACEMENT_O)
	nm -u $@.o | sed -n 's/.* __isoc23_\(.*\)/__isoc23_\1 \1/p' >$@.names
	objcopy --redefine-syms=$@.names --wildcard --keep-global-symbol='placement_*' $@.o
	rm -f $@
	ar rc $@ $@.o

# The library's test, as a program of glibc's and of musl's.
PLACEMENT_TESTS := build/share/placement_test build/share/placement_test-musl

placement: $(PLACEMENT_TESTS)

build/share/placement_test: tests/placement/library.c $(LIBPLACEMENT) share/placement/placement.h
	$(call step,CC,$@)
	$(CC) $(filter-out -MMD -MP,$(C_ALL)) -O1 -Ishare/placement -o $@ $< $(LIBPLACEMENT) -pthread

build/share/placement_test-musl: tests/placement/library.c $(LIBPLACEMENT) share/placement/placement.h
	$(call step,CC,$@)
	musl-gcc -static $(filter-out -MMD -MP,$(C_ALL)) -O1 -Ishare/placement -o $@ $< $(LIBPLACEMENT)
