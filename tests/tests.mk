# Tests: units, fuzzing, everything at once, the documents, lint.

# Each tests/unit/test_*.c is a program of its own, linked with the sources that it tests. Those are
# compiled once more here: with a hosted compiler and glibc, and in MODE=asan with its sanitizers.

U          := $(B)/unit
UNIT_TESTS := $(filter-out $(call others,tests),$(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c)))

SOURCES_test_elf_image        := common/elf_image.c common/elf_check.c common/elf_machine.c \
                                 common/file_kind.c common/error.c
SOURCES_test_huge_pages       := common/huge_pages.c common/kernel_text.c
SOURCES_test_load_plan        := common/load_plan.c common/elf_check.c common/error.c
SOURCES_test_process_stack    := common/process_stack.c
SOURCES_test_process_identity := common/process_identity.c common/load_plan.c common/error.c
SOURCES_test_program_file     := common/program_file.c common/exec_check.c common/program_refuse.c common/program_suggest.c \
                                 common/similar.c common/file_kind.c common/record_locks.c common/error.c
SOURCES_test_predict          := $(wildcard loader/predict/*.c) loader/cli/policies.c common/error.c \
                                 common/similar.c
SOURCES_test_placement        := common/placement/strategy.c common/placement/layout_text.c common/placement/pool_turns.c \
                                 common/similar.c common/error.c
SOURCES_test_printable        := common/printable.c
SOURCES_test_profile_files     := loader/profile/runs.c $(addprefix loader/files/,take.c files_text.c merge.c)
SOURCES_test_local_file       := $(addprefix loader/,profile/local_file.c profile/walk.c files/read_ahead.c) \
                                 $(addprefix common/,kernel_text.c report.c printable.c error.c)
SOURCES_test_script           := common/script.c
SOURCES_test_text_property    := common/text_property.c common/error.c
SOURCES_test_similar          := common/similar.c common/error.c
SOURCES_test_predict_streams  := $(SOURCES_test_predict)
SOURCES_test_predict_blocks   := $(wildcard loader/predict/*.c)
SOURCES_test_system_calls      := loader/resident/calls/system_calls.c
SOURCES_test_revealed          := loader/resident/pager/revealed.c
BENCH_SESSION                 := $(wildcard bench/session/*.c) bench/shared/statistics.c bench/shared/counters.c
SOURCES_test_bench_statistics := bench/shared/statistics.c
SOURCES_test_bench_session    := $(BENCH_SESSION)
SOURCES_test_bench_report     := $(BENCH_SESSION) bench/report/against.c bench/report/export_csv.c \
                                 bench/report/export_json.c bench/shared/json_file.c bench/report/matrix.c \
                                 bench/report/table.c bench/driver/target.c
SOURCES_test_bench_words      := $(BENCH_SESSION) bench/shared/expand.c bench/run/progress.c bench/report/warnings.c
SOURCES_test_replay           := $(addprefix bench/replay/,recording.c ranges.c simulate.c lazy_region.c) $(SOURCES_test_predict)

# The test counts addresses from the end of its own .bss, which must not lie at random where the kernel might put a brk.
LINK_test_process_identity    := -no-pie

# Emulation is ten times as slow.
$(U)/tests/unit/test_predict_streams.o: C_UNIT += $(if $(PORT),-DFAULTS=10000)
$(U)/tests/unit/test_system_calls.o: C_UNIT += -DARCH='"$(ARCH)"'

# Rewritten when the compiler or its flags change: gcc and clang share the directory.
$(U)/flags: $(shell echo '$(CC) $(C_UNIT)' | cmp -s - $(U)/flags 2>/dev/null || echo FORCE)
	@mkdir -p $(@D); echo '$(CC) $(C_UNIT)' > $@

$(U)/%.o: %.c $(U)/flags
	$(call step,CC,$<)
	$(CC) $(C_UNIT) -I. -c -o $@ $<

# unit_test NAME
define unit_test
$(U)/$(1): $(patsubst %.c,$(U)/%.o,tests/unit/$(1).c $(SOURCES_$(1)) $(ARCH_C))
	$$(call step,LINK,$$@)
	$$(CC) $$(filter -fsanitize% --coverage,$$(C_UNIT)) $$(LINK_$(1)) -o $$@ $$^ $$(PORT_LINK) -lcmocka -lelf -ljansson -lm
endef

$(foreach test,$(UNIT_TESTS),$(eval $(call unit_test,$(test))))

# The sources that the test of leaving drives, with its own kernel in the place of system calls. Its threads have stacks of
# their own, which sanitizers do not know, and which clang's __builtin_setjmp does not switch. With -fcf-protection the stack
# pointer is another word of its buffer.
DRIVEN := $(wildcard tests/unit/leaving/*.c) $(addprefix loader/resident/,threads/states.c threads/lock.c threads/blocks.c \
          threads/thread.c threads/gadget_call.c leaving/leave.c leaving/exec.c signals/deferred.c signals/actions.c \
          handlers/signal_handlers.c signal_managed.c calls/processes.c $(addprefix arch/$(ARCH)/,gadget.S frame.c emulation.c))
DRIVEN := $(DRIVEN:%=$(U)/driven/%.o)
LINK_test_leaving := -no-pie -Wl,--defsym=resident_text=__executable_start,--defsym=resident_text_end=etext \
                     -Wl,--wrap=gadget_return,--wrap=gadget_exec,--wrap=gadget_spawn

$(U)/driven/%.o: % $(U)/flags
	$(call step,CC,$<)
	$(if $(findstring clang,$(CC)),gcc,$(CC)) $(filter-out -fsanitize% -fno-sanitize%,$(C_UNIT)) -Os $(filter -fcf-protection%,$(C_ARCH_RESIDENT)) $(if $(filter %.c,$<),-include tests/unit/leaving/kernel.h) -I. -c -o $@ $<

$(U)/test_leaving: $(DRIVEN)

unit-programs: $(UNIT_TESTS:%=$(U)/%)

# All of them run, whatever becomes of the others. For another processor qemu runs those that know neither the processor nor
# the kernel's layout of memory.
UNIT_RUNS := $(filter-out $(if $(PORT),test_elf_image test_huge_pages test_leaving test_load_plan test_local_file test_process_identity),$(UNIT_TESTS))
unit: $(UNIT_RUNS:%=$(U)/%)
	@failed=; for test in $(UNIT_RUNS:%=$(U)/%); do \
	  echo "$$test"; $(PORT_RUN) $$test || failed="$$failed $${test##*/}"; \
	done; [ -z "$$failed" ] || { echo "unit tests failed:$$failed" >&2; exit 1; }

# Everything that reads what others wrote, with any bytes at all. Always clang: gcc has no libFuzzer.
# Each begins with tests/fuzz/corpus: few files that reach much (fuzz_NAME -set_cover_merge=1 EMPTY CORPUS chooses
# them; with -use_counters=0 those that reach each edge once), and those that have ever broken it.
F         := build/fuzz
FUZZERS   := elf profile recording options
FUZZ_TIME := $(if $(filter file,$(origin SECONDS)),60,$(SECONDS))
$(if $(filter-out file,$(origin SECONDS)),$(if $(shell echo '$(SECONDS)' | grep -x '[1-9][0-9]*'),,$(error \
  SECONDS is a whole number above 0, not '$(SECONDS)')))
# Of libFuzzer's choices. Each run has another, unless the environment says one.
FUZZ_SEED  = $(or $(SEED),$(shell od -An -N3 -tu4 /dev/urandom | tr -d ' '))

FUZZ_C_elf       := common/elf_image.c common/elf_machine.c common/file_kind.c $(SOURCES_test_load_plan)
FUZZ_C_profile   := $(addprefix loader/profile/,profile_text.c runs.c) $(wildcard loader/files/*.c) \
                    $(addprefix common/,kernel_text.c report.c printable.c error.c)
# What is not the fuzzer's to do: it is counted, and answered.
FUZZ_WRAP_elf     := pread
FUZZ_WRAP_profile := syscall readahead kernel_text
FUZZ_C_recording := $(addprefix bench/replay/,recording.c ranges.c) common/error.c
FUZZ_C_options   := $(wildcard loader/cli/options*.c) loader/cli/policies.c common/similar.c common/report.c \
                    common/printable.c common/error.c common/file_kind.c common/placement/strategy.c $(wildcard loader/predict/*.c)

# fuzzer NAME
define fuzzer
$(F)/fuzz_$(1): tests/fuzz/fuzz_$(1).c $$(FUZZ_C_$(1)) $(ARCH_C) $(wildcard tests/fuzz/*.h common/*.h loader/*.h loader/cli/*.h loader/profile/*.h loader/files/*.h loader/cli/options.def) Makefile
	$$(call step,CC,$$@)
	clang $$(filter-out -M%,$$(C_ALL)) -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		-I. $(FUZZ_WRAP_$(1):%=-Wl$(comma)--wrap=%) -o $$@ $$(filter %.c,$$^) -lelf
endef

comma := ,
$(foreach name,$(FUZZERS),$(eval $(call fuzzer,$(name))))

fuzz-program: $(FUZZERS:%=$(F)/fuzz_%)

fuzz: fuzz-program
	@seed=$(FUZZ_SEED); for name in $(FUZZERS); do \
	  mkdir -p $(F)/corpus/$$name; \
	  $(F)/fuzz_$$name -seed=$$seed -max_total_time=$$((($(FUZZ_TIME) + 3) / 4)) -max_len=16384 -timeout=5 -verbosity=0 -print_final_stats=1 \
		-artifact_prefix=$(F)/ $(F)/corpus/$$name tests/fuzz/corpus/$$name || { \
	  echo "fuzz: what went wrong is above; the file that did it is the newest of $(F)/crash-*," \
	       "$(F)/leak-*, $(F)/timeout-*: put it into tests/fuzz/corpus/$$name; again:" \
	       "$(F)/fuzz_$$name FILE, and all of it: make fuzz SEED=$$seed" >&2; exit 1; }; \
	done
	@echo "fuzz: nothing found in $(FUZZ_TIME) seconds"

# ---- everything at once --------------------------------------------------------------------

# As many jobs as there are processors, unless make was told how many.
MAKE_ALL = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))
STEP     = printf '\n\043 %s\n'

BATS         := $(wildcard tests/*.bats tests/course/*.bats docs/lab/*.bats)
# Not in make check: what grades the lab, builds the tree once more, wants clang or Debian's tools, or takes a minute for
# what other files test as well.
BATS_HEAVY   := $(wildcard docs/lab/*.bats) $(patsubst %,tests/%.bats,contributing coverage dist docs flavours install ports \
                 integration limits real_programs)
BATS_LIGHT   := $(filter-out $(BATS_HEAVY),$(BATS))
# With units and lint 60 seconds of processor time, and no program that the Debian package does not build-depend on.
BATS_PACKAGE := $(patsubst %,tests/%.bats,harness programs guests arguments entry_state faults identity \
                  residency errors ways_out ways_out_options options outputs calls files engines \
                  address_space profiles nesting mutations marks random)

CHECKS := check check-all check-long check-glibc check-confined check-strained
.PHONY: $(CHECKS) $(CHECKS:%=%-run) on-a-kernel check-package unit-programs unit-programs-asan fuzz-program fuzz-result check-kernels check-ports

$(CHECKS):
	@tests/install_packages.sh $(if $(filter check,$@),check,check-all)
	@rm -f build/libelf_libc
	@$(STEP) "the loaders, and the programs that the tests load"
	@$(MAKE_ALL) $@-run

# The loaders of other flavours, each by a make of its own.
FLAVOUR_glibc := LIBC=glibc
FLAVOUR_debug := MODE=debug
FLAVOUR_asan  := MODE=asan
FLAVOUR_clang := LIBC=glibc CC=clang
FLAVOURS      := $(addprefix flavour-,glibc debug asan clang)

.PHONY: $(FLAVOURS)
$(FLAVOURS): flavour-%: $(LIBELF_HEADERS)
	@$(MAKE) --no-print-directory flavour WERROR=1 $(FLAVOUR_$*)

unit-programs-asan:
	@$(MAKE) --no-print-directory unit-programs MODE=asan

# qemu-user makes threads and signals in another way than a kernel: guests hang there without a loader. Its sigaltstack(2)
# tells it apart from old kernels.
on-a-kernel: all
	@! ./on_demand_loader ./prog1 2>&1 | grep -q 'without an emulator' || \
	  { echo "make: the tests need a kernel, and qemu-user is none: see docs/platforms.md#other-processors" >&2; exit 1; }

# Every step runs, whatever becomes of the others.
check-run: on-a-kernel all guests man completion placement page-profile $(BENCH) $(BENCH_PROGRAMS) unit-programs
	@status=0; \
	$(STEP) "unit tests"; \
	$(MAKE) --no-print-directory unit || status=1; \
	$(STEP) "$(words $(BATS_LIGHT)) test files and lint, side by side"; \
	tests/run.py --light $(BATS_LIGHT) tests/lint.sh || status=1; \
	exit $$status

check-all-run: on-a-kernel all guests man completion placement page-profile $(BENCH) $(BENCH_PROGRAMS)
	@status=0; \
	$(STEP) "the loaders of other flavours, unit tests, fuzzer"; \
	$(MAKE_ALL) -k $(FLAVOURS) unit-programs unit-programs-asan fuzz-program || status=1; \
	$(STEP) "unit tests"; \
	$(MAKE) --no-print-directory unit || status=1; \
	$(STEP) "unit tests, MODE=asan"; \
	$(MAKE) --no-print-directory unit MODE=asan || status=1; \
	$(STEP) "$(words $(BATS)) test files and lint, side by side"; \
	tests/run.py $(BATS) tests/lint.sh || status=1; \
	$(STEP) "fuzzing, five seconds"; \
	$(MAKE) --no-print-directory fuzz-result SECONDS=5 || status=1; \
	exit $$status

# Test suites of others, from the system's packages: docs/compatibility.md. Not part of the check: it takes hours.
SUITES ?= bash busybox coreutils cpython git go kselftest perl sqlite zsh
.PHONY: suites
suites: all
	@tests/suites/suites.py $(JOBS:%=--jobs=%) $(ONLY:%=--only=%) $(SUITES)

check-long-run: all guests fuzz-program
	@status=0; \
	$(STEP) "2000 programs with changed headers"; \
	MUTATIONS=2000 tests/run.py tests/mutations.bats || status=1; \
	$(STEP) "steps at random, 2000 seeds"; \
	SEEDS=2000 tests/run.py tests/random.bats || status=1; \
	$(STEP) "fuzzing, a minute"; \
	$(MAKE) --no-print-directory fuzz-result || status=1; \
	exit $$status

# The tests once more, with loaders that are linked with the other C library.
check-glibc-run: all guests man completion placement page-profile $(FLAVOURS) $(BENCH) $(BENCH_PROGRAMS)
	@LOADERS="$(LOADERS:%=$(CURDIR)/build/glibc-release/loader/%)" tests/run.py $(BATS)

# The tests once more, confined as in a container; not of the documents, whose outputs are those of an unconfined run.
check-confined-run: all guests man completion placement page-profile $(FLAVOURS) $(BENCH) $(BENCH_PROGRAMS)
	@build/guests/tools/confine tests/run.py $(filter-out tests/docs.bats,$(BATS))

# Some of the tests once more, where memory, addresses, limits or the processor are short: docs/platforms.md.
check-strained-run: all guests man completion placement page-profile $(BENCH) $(BENCH_PROGRAMS)
	@tests/strained.sh $(STRAINS)

# What the Debian package's build runs. Installs nothing.
check-package: all guests unit $(BENCH_PROGRAMS)
	@tests/run.py $(BATS_PACKAGE) tests/lint.sh

fuzz-result:
	@if $(MAKE) --no-print-directory fuzz; then echo "ok fuzz: $(FUZZERS)"; \
	else echo "not ok fuzz: $(FUZZERS)"; exit 1; fi

# docs_check.py runs the commands that the documents show.
docs-check: all guests $(BENCH) $(BENCH_PROGRAMS)
	@tests/docs_check.py

# The loaders on other kernels, which are emulated.
check-kernels:
	@tests/kernels.sh --check $(KERNELS)
	@tests/install_packages.sh kernels
	@rm -f build/libelf_libc
	@$(MAKE_ALL) all guests
	@tests/kernels.sh $(KERNELS)

# The loaders for another processor, on its own emulated kernel: make check-ports ARCH=...
check-ports:
	@$(if $(PORT),,echo "check-ports: ARCH is this machine's: make check-ports ARCH=riscv64, for example" >&2; exit 1)
	@tests/install_packages.sh ports $(ARCH)
	@$(MAKE_ALL) all guests
	@tests/ports/ports.sh $(ARCH)

# Not the files of tests that build, or look at documents and tools.
COVERAGE_TESTS ?= $(filter-out artifact bench binfmt completion contributing coverage dist docs first_contact flavours harness install \
                    page page_profile placement readme trace_tools,$(patsubst tests/%.bats,%,$(wildcard tests/*.bats)))
COVERAGE       := build/$(LIBC)-coverage

# Meanwhile the loaders in this directory are those that count, since some tests name these. What fails says nothing:
# the counters are a mapping more. The unit tests' own counts are added. KEEP=1 adds to the counts of the run before.
.PHONY: coverage
coverage: all guests placement $(BENCH) $(BENCH_PROGRAMS)
	@$(MAKE_ALL) MODE=coverage all unit-programs
	@$(if $(KEEP),,tests/coverage/report.py $(COVERAGE) --empty)
	@tests/run.py $(COVERAGE_TESTS:%=tests/%.bats) >$(COVERAGE)/tests.log || true
	@for loader in $(LOADERS); do cmp $$loader $(COVERAGE)/loader/$$loader || { \
	  echo "coverage: a test has built loaders that do not count: leave it out of COVERAGE_TESTS" >&2; exit 1; }; done
	@$(MAKE) --no-print-directory -s all
	@$(MAKE) --no-print-directory MODE=coverage unit >$(COVERAGE)/unit.log 2>&1 || true
	@echo "$$(grep -c '^ok' $(COVERAGE)/tests.log) tests passed; what did not is in $(COVERAGE)/tests.log"
	@tests/coverage/report.py $(COVERAGE) $(if $(filter file,$(origin COVERAGE_TESTS)),--check)

soak: all guests
	@tests/soak.sh $(SECONDS)

# One-line faults, each built and tried: nothing that the tests should not notice. LIGHT=1: what make check notices.
mutants: all guests
	@$(LIGHT:%=LIGHT='$(BATS_LIGHT)') tests/mutants.sh

lint:
	@tests/lint.sh
