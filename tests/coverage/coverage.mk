# MODE=coverage: loaders that count which of their lines and branches are reached. gcc's counters without
# its library, which resident code could not have, and which would have to write them before each jump: they are
# in pages of their own, which are mapped from a file (map_counters.c).

ifneq ($(findstring clang,$(CC)),)
$(error MODE=coverage takes gcc, whose notes and counters tests/coverage/report.py reads; leave out CC=clang)
endif

C_MODE := -Og -fdata-sections -fprofile-arcs -ftest-coverage -fprofile-info-section -fprofile-update=single

# The tools are no part of the report, and gcc's counters of a fork would need its library.
$(B)/share/%.o: C_HOST += -fno-profile-arcs -fno-test-coverage

# The programs that count: each has a file of counters.
COUNTED := all_at_once_loader on_demand_loader hybrid_loader pagewise

# Where in that file the counters of resident code begin.
RESIDENT_COUNTERS := 0x80000

RESIDENT_LD      := $(B)/resident.ld
RESIDENT_MAP     := -Map $(B)/resident.map
RESIDENT_EXPORTS := $(B)/exports

$(RESIDENT_LD): loader/resident/resident.ld
	@mkdir -p $(@D)
	sed -e 's|{ \*(\.bss\.room)|{ *(.bss.__gcov0.*) . = ALIGN(page_bytes); resident_counters_end = .; *(.bss.room)|' \
	    -e 's|^SECTIONS|&\n{ /DISCARD/ : { *(.gcov_info .data.rel*.__gcov_* .data.rel*.LPBX*) } }\n&|' $< > $@

$(RESIDENT_EXPORTS): loader/resident/exports
	@mkdir -p $(@D)
	{ cat $<; echo resident_counters_end; } > $@

$(COUNTED:%=$(B)/loader/%): LINK_END += -Wl,-T,tests/coverage/host.ld -Wl,-Map,$@.map
$(COUNTED:%=$(B)/loader/%): $(B)/loader/%: $(B)/counters/%.o tests/coverage/host.ld

$(COUNTED:%=$(B)/counters/%.o): $(B)/counters/%.o: tests/coverage/map_counters.c Makefile
	$(call step,CC,$@)
	$(LOADER_CC) $(C_ALL) -Os -fPIE -DCOUNTERS_FILE='"$(abspath $(@:.o=))"' \
		-DRESIDENT_COUNTERS=$(RESIDENT_COUNTERS) -c -o $@ $<
