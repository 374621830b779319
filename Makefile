# The user-space ELF loader toolkit.
#
#   make            the three loaders and prog1 to prog4, in this directory
#   make demo       packages if needed, build, run the loaders beside a native run
#   make check      packages if needed, build, run every test
#   make install    PREFIX (/usr/local), DESTDIR and others (share/install.mk); make uninstall
#   make deb        a Debian package in build/
#   make fuzz       the parser and the plan with any bytes at all, a minute or SECONDS=N
#   make docs-check the documents: names, excerpts, outputs, links, exercises
#   make soak       random guests, engines and options for ten minutes, or SECONDS=N
#   make bench      every loader and way of getting a page on many programs; ROUNDS=N, RESULTS=folder
#   make experiments  what paging costs: prefault, access, services, fault_cost; each one's name, too
#   make plots      pictures of the results
#   make picture TRACE=file PICTURE=file.svg  a picture of a run (docs/trace.md), SVG or PNG
#   make trace-json TRACE=file JSON=file      a trace for chrome://tracing and Perfetto
#   make ratios     the loaders' time and memory against native ones, with the figures aimed at
#
#   MODE=release|debug|asan   asan: unit tests with ASan and UBSan, loaders with trapping UBSan
#   WERROR=1                  warnings are errors
#   LIBC=musl|glibc           what the loaders are linked with; glibc where no static libelf
#                             links with musl
#   CC=gcc|clang              for everything that musl-gcc does not compile

MODE   ?= release
LIBC   ?= musl
PREFIX ?= /usr/local
SECONDS ?= 600
# "cc" is make's own default, not somebody's choice.
ifeq ($(origin CC),default)
CC := gcc
endif

VERSION := 0.1.0
LOADERS := all_at_once_loader on_demand_loader hybrid_loader
PROGS   := prog1 prog2 prog3 prog4
B       := build/$(LIBC)-$(MODE)$(if $(findstring clang,$(CC)),-clang)

.DELETE_ON_ERROR:
.SUFFIXES:
# make V=1 shows the commands.
ifeq ($(V),)
.SILENT:
endif
.PHONY: all demo demo-run bench experiments plots picture trace-json ratios check check-run docs-check fuzz soak unit lint clean guests flavour FORCE

all: $(LOADERS) $(PROGS)

# ---- flags ---------------------------------------------------------------------------------

WARNINGS := $(WERROR:%=-Werror) -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef
DEFINES  := -D_GNU_SOURCE -DLOADER_VERSION='"$(VERSION)"'
C_ALL    := -std=gnu17 $(WARNINGS) $(DEFINES) -MMD -MP -g

ifeq ($(MODE),release)
C_MODE := -O2
else ifeq ($(MODE),debug)
C_MODE := -Og
else ifeq ($(MODE),asan)
C_MODE := -O1 -fsanitize=undefined -fsanitize-undefined-trap-on-error
else
$(error MODE is release, debug or asan, not '$(MODE)')
endif

# Host code runs before the jump and may use libc. Resident code runs after it, with the program's
# %fs: no libc, no thread-local storage, no stack protector, no floating point registers.
C_HOST     := $(C_ALL) $(C_MODE) -fPIE -fno-plt -fno-asynchronous-unwind-tables
C_RESIDENT := $(C_ALL) $(C_MODE) -fPIE -ffreestanding -fvisibility=hidden -fno-stack-protector \
              -fno-asynchronous-unwind-tables -mgeneral-regs-only -fno-jump-tables \
              -fcf-protection=none
# Each page of it is copied at every start.
ifeq ($(MODE),release)
C_RESIDENT += -Os
endif
C_UNIT     := $(C_ALL) -O1
ifeq ($(MODE),asan)
C_UNIT     += -fsanitize=address,undefined -fno-sanitize-recover=all
endif

# ---- what the loaders are linked with ------------------------------------------------------

LIBELF_LIBS := $(shell pkg-config --static --libs libelf 2>/dev/null || echo -lelf -lz)

ifeq ($(LIBC),musl)
LOADER_CC := musl-gcc
# glibc's headers must not leak in: the directory holds libelf's two headers and nothing else.
LIBELF_INCLUDE := -isystem build/include
LIBELF_HEADERS := build/include/libelf.h
MUSL_DIR  := $(firstword $(dir $(wildcard /usr/lib/x86_64-linux-musl/rcrt1.o \
               /usr/lib/musl/lib/rcrt1.o /usr/local/musl/lib/rcrt1.o)))
# The archives by their paths: with -L, musl's linker would find glibc's libc.a beside them.
LIBELF_ARCHIVES := $(foreach lib,$(filter -l%,$(LIBELF_LIBS)), \
                     $(shell $(CC) -print-file-name=lib$(lib:-l%=%).a))
# musl-gcc's own -static-pie makes a program that wants an interpreter, so by hand.
LINK_START = $(LOADER_CC) -static -nostartfiles \
             -Wl,-pie,--no-dynamic-linker,-z,now,-z,text,-z,noexecstack,--build-id=sha1 \
             -Wl,-z,noseparate-code,-z,norelro \
             $(MUSL_DIR)rcrt1.o $(MUSL_DIR)crti.o
LINK_END   = $(LIBELF_ARCHIVES) $(MUSL_DIR)crtn.o
else ifeq ($(LIBC),glibc)
LOADER_CC := $(CC)
LIBELF_INCLUDE :=
LIBELF_HEADERS :=
LINK_START = $(LOADER_CC) -static-pie -Wl,-z,now,-z,text,-z,noexecstack
LINK_END   = $(LIBELF_LIBS)
else
$(error LIBC is musl or glibc, not '$(LIBC)')
endif

# ---- loaders -------------------------------------------------------------------------------

COMMON_C   := $(wildcard common/*.c)
HOST_C     := $(COMMON_C) $(filter-out $(LOADERS:%=loader/%.c),$(wildcard loader/*.c))
HOST_S     := common/arch/x86_64/host_switch.S
RESIDENT_C := $(wildcard loader/resident/*.c loader/predict/*.c)
RESIDENT_S := common/arch/x86_64/entry.S common/arch/x86_64/guard.S

FIRST_O    := $(B)/common/arch/x86_64/data_alignment.o
HOST_O     := $(HOST_C:%.c=$(B)/%.o) $(HOST_S:%.S=$(B)/%.o)
RESIDENT_O := $(RESIDENT_C:%.c=$(B)/%.o) $(RESIDENT_S:%.S=$(B)/%.o)

-include $(wildcard $(B)/*.d $(B)/*/*.d $(B)/*/*/*.d $(B)/*/*/*/*.d)

# Rewritten when the flavour changes, so that what stands in this directory is the last one asked
# for.
build/flavour: FORCE
	@mkdir -p build; echo '$(LIBC) $(MODE)' | cmp -s - $@ || echo '$(LIBC) $(MODE)' > $@

$(LOADERS): %: $(B)/loader/% build/flavour
	cp -f $< $@

$(PROGS): %: build/guests/musl-static/%
	cp -f $< $@

$(LOADERS:%=$(B)/loader/%): $(B)/loader/%: $(FIRST_O) $(B)/loader/%.o $(HOST_O) $(B)/resident.o
	$(LINK_START) -o $@ $^ $(LINK_END)

# The loaders of one flavour, left where they are built.
flavour: $(LOADERS:%=$(B)/loader/%)

# Resident code is linked by itself, so that whatever it still wants is missed here and nowhere
# else. Its bytes go into the loaders as constants, its symbols as places in memory that the
# loader fills with them at run time (loader/resident/resident.ld).
$(B)/resident.elf: $(RESIDENT_O) loader/resident/resident.ld
	ld --no-undefined --no-relax -T loader/resident/resident.ld -o $@ $(RESIDENT_O)

$(B)/resident.bin: $(B)/resident.elf
	objcopy -O binary -j .text $< $@

$(B)/resident.S: $(B)/resident.elf loader/resident/embed.sh
	loader/resident/embed.sh $< $(B)/resident.bin > $@

$(B)/resident.o: $(B)/resident.S $(B)/resident.bin
	$(LOADER_CC) -c -o $@ $<

$(RESIDENT_C:%.c=$(B)/%.o): $(B)/%.o: %.c Makefile loader/resident/hidden.h
	@mkdir -p $(@D)
	$(LOADER_CC) $(C_RESIDENT) -include loader/resident/hidden.h -I. -c -o $@ $<

$(B)/%.o: %.c Makefile $(LIBELF_HEADERS)
	@mkdir -p $(@D)
	$(LOADER_CC) $(C_HOST) -I. $(LIBELF_INCLUDE) -c -o $@ $<

$(B)/%.o: %.S Makefile
	@mkdir -p $(@D)
	$(LOADER_CC) -c -o $@ $<

build/include/libelf.h:
	@mkdir -p build/include
	@for header in libelf.h gelf.h; do \
	  file=$$(printf '#include <%s>\n' $$header | $(CC) -E - | \
	          sed -n "s|^# 1 \"\(/.*/$$header\)\".*|\1|p" | head -n 1); \
	  [ -n "$$file" ] || { echo "$$header is missing: install libelf-dev (make demo does)" >&2; exit 1; }; \
	  ln -sf "$$file" build/include/$$header; \
	done

# ---- guests --------------------------------------------------------------------------------

# Programs that the tests load: every testprogs/*.c with two libcs, each as a fixed-address and
# as a position-independent program, and some without a libc in layouts of their own.

G          := build/guests
C_GUESTS   := $(patsubst testprogs/%.c,%,$(wildcard testprogs/*.c))
CXX_GUESTS := $(patsubst testprogs/%.cc,%,$(wildcard testprogs/*.cc))
VARIANTS   := musl-static musl-pie glibc-static glibc-pie
GUEST_C    := -std=gnu17 -O1 -g -Wall -Wextra
GO         := $(firstword $(shell command -v go) $(wildcard /usr/local/go/bin/go))
# musl's start files; asked for their place, musl-gcc names glibc's.
MUSL_CRT   := $(dir $(firstword $(wildcard /usr/lib/x86_64-linux-musl/rcrt1.o \
              /usr/local/musl/lib/rcrt1.o /usr/lib/musl/lib/rcrt1.o)))

# Flags of single guests, whatever the variant.
FLAGS_aligned_segment := -Wl,-z,max-page-size=0x200000
FLAGS_jumps           := -Wno-infinite-recursion
FLAGS_wild_access     := -Wno-infinite-recursion

GUESTS := $(foreach v,$(VARIANTS),$(C_GUESTS:%=$(G)/$(v)/%)) \
          $(foreach v,glibc-static glibc-pie,$(CXX_GUESTS:%=$(G)/$(v)/%)) \
          $(G)/dynamic/hello $(G)/object/hello.o $(G)/tools/report_status $(G)/tools/deny $(G)/tools/fail_call \
          $(if $(GO),$(G)/go/go_hello $(G)/go/go_guest)

$(G)/musl-static/%: testprogs/%.c testprogs/check.h
	@mkdir -p $(@D)
	musl-gcc $(GUEST_C) -static $(FLAGS_$*) -o $@ $< -lm

$(G)/musl-pie/%: testprogs/%.c testprogs/check.h
	@mkdir -p $(@D)
	musl-gcc $(GUEST_C) -fPIE -static -nostartfiles -Wl,-pie,--no-dynamic-linker,-z,now \
		$(FLAGS_$*) -o $@ $(MUSL_CRT)rcrt1.o $(MUSL_CRT)crti.o \
		$(shell gcc -print-file-name=crtbeginS.o) $< -lm \
		$(shell gcc -print-file-name=crtendS.o) $(MUSL_CRT)crtn.o

$(G)/glibc-static/%: testprogs/%.c testprogs/check.h
	@mkdir -p $(@D)
	gcc $(GUEST_C) -static $(FLAGS_$*) -o $@ $< -lm

$(G)/glibc-pie/%: testprogs/%.c testprogs/check.h
	@mkdir -p $(@D)
	gcc $(GUEST_C) -static-pie $(FLAGS_$*) -o $@ $< -lm

$(G)/glibc-static/%: testprogs/%.cc
	@mkdir -p $(@D)
	g++ -O1 -Wall -Wextra -static -o $@ $<

$(G)/glibc-pie/%: testprogs/%.cc
	@mkdir -p $(@D)
	g++ -O1 -Wall -Wextra -static-pie -o $@ $<

$(G)/dynamic/%: testprogs/%.c
	@mkdir -p $(@D)
	gcc $(GUEST_C) -o $@ $<

$(G)/object/%.o: testprogs/%.c
	@mkdir -p $(@D)
	gcc $(GUEST_C) -c -o $@ $<

$(G)/tools/%: tests/tools/%.c
	@mkdir -p $(@D)
	gcc $(GUEST_C) -o $@ $<

$(G)/go/%: testprogs/%/main.go
	@mkdir -p $(@D)
	CGO_ENABLED=0 GO111MODULE=off GOTOOLCHAIN=local GOCACHE=$(CURDIR)/build/go-cache \
		$(GO) build -o $@ $<

COMMA := ,

# bare_guest NAME,SOURCE,FLAGS: no libc, no start files; position-independent code even where the
# program is linked at a fixed address, since some of those are beyond the reach of 32 bits.
define bare_guest
GUESTS += $(G)/bare/$(1)
$(G)/bare/$(1): testprogs/bare/$(2).c testprogs/bare/bare.h
	@mkdir -p $$(@D)
	gcc $(GUEST_C) -ffreestanding -fno-stack-protector -fcf-protection=none -fPIE -nostdlib \
		$(3) -o $$@ $$<
endef

# Newer linkers warn of a segment that is writable and executable. Here it is meant.
QUIET_RWX := $(if $(findstring no-warn-rwx,$(shell ld --help)),-Wl$(COMMA)--no-warn-rwx-segments)

# placed_guest NAME,ADDRESS,BYTES OF BSS
placed_guest = $(eval $(call bare_guest,$(1),placed,-static -DPLACED_BSS=$(3) -Wl$(COMMA)-Ttext-segment=$(2)))

$(eval $(call bare_guest,entry_registers-static,entry_registers,-static))
$(eval $(call bare_guest,entry_registers-pie,entry_registers,-static-pie))
$(eval $(call bare_guest,residency-static,residency,-static))
$(eval $(call bare_guest,residency-pie,residency,-static-pie))
$(eval $(call bare_guest,bss_tail-static,bss_tail,-static))
$(eval $(call bare_guest,bss_tail-pie,bss_tail,-static-pie))
# Text and data in one writable segment; text with headers; 2 MiB pages; data inside a page.
$(eval $(call bare_guest,bss_tail-omagic,bss_tail,-static -Wl$$(COMMA)--omagic $(QUIET_RWX)))
$(eval $(call bare_guest,bss_tail-noseparate,bss_tail,-static -Wl$$(COMMA)-z$$(COMMA)noseparate-code))
$(eval $(call bare_guest,bss_tail-big_pages,bss_tail,-static -Wl$$(COMMA)-z$$(COMMA)max-page-size=0x200000))
$(eval $(call bare_guest,bss_tail-unaligned,bss_tail,-static -Wl$$(COMMA)-Tdata=0x40abcde0))
# Where the user address space is left empty, where a loader without ASLR is, and three places
# where nothing can be mapped: its last page, the hole behind it, the kernel's half.
$(call placed_guest,placed-low,0x10000,4096)
$(call placed_guest,placed-valgrind,0x58000000,4096)
$(call placed_guest,placed-pie_base,0x555555554000,4096)
$(call placed_guest,placed-on_loader,0x7ffff0000000,0x7f00000)
$(call placed_guest,placed-last_page,0x7fffffffe000,4096)
$(call placed_guest,placed-hole,0x800000000000,4096)
$(call placed_guest,placed-kernel,0xffff800000000000,4096)

guests: $(GUESTS)

# ---- end of guests -------------------------------------------------------------------------

# ---- unit tests ----------------------------------------------------------------------------

# Each tests/unit/test_*.c is a program of its own, linked with the sources that it tests. Those are
# compiled once more here: with a hosted compiler and glibc, and in MODE=asan with its sanitizers.

U          := $(B)/unit
UNIT_TESTS := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))

SOURCES_test_elf_image        := common/elf_image.c common/elf_check.c common/error.c
SOURCES_test_load_plan        := common/load_plan.c common/elf_check.c common/error.c
SOURCES_test_process_stack    := common/process_stack.c
SOURCES_test_process_identity := common/process_identity.c common/load_plan.c common/error.c
SOURCES_test_program_file     := common/program_file.c common/error.c
SOURCES_test_predict          := $(wildcard loader/predict/*.c) loader/policies.c common/error.c
SOURCES_test_predict_streams  := $(SOURCES_test_predict)
SOURCES_test_system_calls      := loader/resident/system_calls.c
BENCH_SESSION                 := bench/session.c bench/statistics.c bench/sample.c bench/counters.c
SOURCES_test_bench_statistics := bench/statistics.c
SOURCES_test_bench_session    := $(BENCH_SESSION)
SOURCES_test_bench_report     := $(BENCH_SESSION) bench/against.c bench/export_csv.c \
                                 bench/export_json.c bench/json_file.c bench/matrix.c \
                                 bench/table.c bench/target.c
SOURCES_test_bench_words      := $(BENCH_SESSION) bench/expand.c bench/progress.c bench/warnings.c
SOURCES_test_replay           := $(addprefix bench/replay/,trace.c ranges.c simulate.c) $(SOURCES_test_predict)

# It counts from its own end, which must not lie at random where the kernel might put a brk.
LINK_test_process_identity    := -no-pie

# Rewritten when the compiler or its flags change: gcc and clang share the directory.
$(U)/flags: FORCE
	@mkdir -p $(@D); echo '$(CC) $(C_UNIT)' | cmp -s - $@ || echo '$(CC) $(C_UNIT)' > $@

$(U)/%.o: %.c $(U)/flags
	@mkdir -p $(@D)
	$(CC) $(C_UNIT) -I. -c -o $@ $<

# unit_test NAME
define unit_test
$(U)/$(1): $(patsubst %.c,$(U)/%.o,tests/unit/$(1).c $(SOURCES_$(1)))
	$$(CC) $$(filter -fsanitize%,$$(C_UNIT)) $$(LINK_$(1)) -o $$@ $$^ -lcmocka -lelf -ljansson -lm
endef

$(foreach test,$(UNIT_TESTS),$(eval $(call unit_test,$(test))))

# All of them run, whatever becomes of the others.
unit: $(UNIT_TESTS:%=$(U)/%)
	@failed=; for test in $^; do \
	  echo "$$test"; $$test || failed="$$failed $${test##*/}"; \
	done; [ -z "$$failed" ] || { echo "unit tests failed:$$failed" >&2; exit 1; }

# ---- end of unit tests ---------------------------------------------------------------------

# ---- fuzz ----------------------------------------------------------------------------------

# The parser and the plan, with any bytes at all. Always clang: gcc has no libFuzzer.
F          := build/fuzz
FUZZ_C     := tests/fuzz/fuzz_elf.c common/elf_image.c $(SOURCES_test_load_plan)
FUZZ_SEEDS := $(G)/dynamic/hello $(G)/musl-static/hello $(G)/musl-pie/hello prog1 \
              $(filter $(G)/bare/%,$(GUESTS))
FUZZ_TIME  := $(if $(filter file,$(origin SECONDS)),60,$(SECONDS))

$(F)/fuzz_elf: $(FUZZ_C) $(wildcard common/*.h) Makefile
	@mkdir -p $(@D)
	clang $(filter-out -M%,$(C_ALL)) -O1 -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=all -I. -Wl,--wrap=pread -o $@ $(FUZZ_C) -lelf

fuzz: $(F)/fuzz_elf $(FUZZ_SEEDS)
	@mkdir -p $(F)/corpus
	@tests/fuzz/make_seeds.sh $(F)/seeds $(FUZZ_SEEDS)
	@$(F)/fuzz_elf -max_total_time=$(FUZZ_TIME) -max_len=16384 -verbosity=0 -print_final_stats=1 \
		-artifact_prefix=$(F)/ $(F)/corpus $(F)/seeds || { \
	  echo "fuzz: what went wrong is above; the file that did it is the newest of $(F)/crash-*," \
	       "$(F)/leak-*, $(F)/timeout-*; again: $(F)/fuzz_elf FILE" >&2; exit 1; }
	@echo "fuzz: nothing found in $(FUZZ_TIME) seconds"

# ---- bench ---------------------------------------------------------------------------------

BENCH_C := $(filter-out bench/launcher.c bench/empty.c bench/fault_parts.c, $(wildcard bench/*.c))
BENCH_O := $(BENCH_C:%.c=$(B)/%.o)
BENCH   := $(B)/bench/compare $(B)/bench/launcher $(B)/bench/empty $(B)/bench/fault_parts

$(BENCH_O): $(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(C_ALL) -O2 -I. -c -o $@ $<

$(B)/bench/compare: $(BENCH_O)
	$(CC) -o $@ $^ -ljansson -lm

# An experiment NAME is bench/experiments/NAME.c, NAME_*.c and what all of them share.
EXPERIMENTS       := prefault access services fault_cost
EXPERIMENT_SHARED := $(patsubst %,$(B)/bench/%.o,experiments/experiment experiments/results \
                       experiments/results_report json_file environment statistics counters)

$(B)/bench/experiments/%.o: bench/experiments/%.c
	@mkdir -p $(@D)
	$(CC) $(C_ALL) -O2 -I. -c -o $@ $<

# experiment NAME
define experiment
BENCH += $(B)/bench/$(1)
$(B)/bench/$(1): $(patsubst %.c,$(B)/%.o,$(wildcard bench/experiments/$(1).c bench/experiments/$(1)_*.c)) \
                 $(EXPERIMENT_SHARED)
	$$(CC) -o $$@ $$^ -ljansson -lm -pthread
endef

$(foreach e,$(EXPERIMENTS),$(eval $(call experiment,$(e))))

# Policies on recorded traces. The loaders' sources are compiled once more: with a hosted libc.
REPLAY_C := $(wildcard bench/replay/*.c loader/predict/*.c) loader/policies.c common/error.c \
            bench/expand.c bench/json_file.c bench/environment.c
BENCH    += $(B)/bench/replay

$(B)/replay/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(C_ALL) -O2 -I. -c -o $@ $<

$(B)/bench/replay: $(REPLAY_C:%.c=$(B)/replay/%.o)
	@mkdir -p $(@D)
	$(CC) -o $@ $^ -ljansson

# As small as what it runs: see bench/launcher.c. musl brings no headers of the kernel; those of
# glibc's system come last.
$(B)/bench/launcher: bench/launcher.c bench/sample.c bench/counters.c bench/sample.h bench/counters.h
	@mkdir -p $(@D)
	musl-gcc -static $(filter-out -MMD -MP,$(C_ALL)) -O2 -I. -idirafter /usr/include \
		-idirafter /usr/include/x86_64-linux-gnu -o $@ $(filter %.c,$^)

$(B)/bench/empty $(B)/bench/fault_parts: $(B)/bench/%: bench/%.c
	@mkdir -p $(@D)
	musl-gcc -static $(C_ALL) -O2 -I. -MF $@.d -o $@ $<

# The programs that are measured: touch with arrays of many sizes, in every kind of segment.
P              := build/bench
TOUCH_SIZES    := 1 4 16 64 256 1024 4096
BENCH_PROGRAMS := $(TOUCH_SIZES:%=$(P)/touch-bss-%) $(P)/touch-data-16 $(P)/touch-rodata-16 \
                  $(P)/touch-text-4 $(P)/calls $(P)/threads $(P)/forks
touch_word      = $(word $(1),$(subst -, ,$(notdir $@)))
MEMORY_MODEL_4096 := -mcmodel=medium

$(P)/touch-%: bench/programs/touch.c
	@mkdir -p $(@D)
	musl-gcc $(GUEST_C) -static $(MEMORY_MODEL_$(call touch_word,3)) -DMIB=$(call touch_word,3) \
		-DAREA_$(shell echo $(call touch_word,2) | tr a-z A-Z) -o $@ $<

$(P)/calls $(P)/threads $(P)/forks: $(P)/%: bench/programs/%.c
	@mkdir -p $(@D)
	musl-gcc $(GUEST_C) -static -o $@ $<

# ---- what people type ----------------------------------------------------------------------

# The packages come first, and then a make of its own: it is pkg-config that says what to link.
demo:
	@tests/install_packages.sh build
	@$(MAKE) --no-print-directory demo-run

demo-run: all $(BENCH)
	@echo ./hybrid_loader ./prog1
	@./hybrid_loader ./prog1
	@$(B)/bench/compare --matrix $(LOADERS:%=--loader=./%) $(PROGS:%=./%)

# Real programs where they are installed.
BUSYBOX := $(shell command -v busybox)
BASH    := $(shell command -v bash-static)
REAL_TARGETS := \
  $(if $(BUSYBOX),"--target=wall:1.15:./hybrid_loader:$(BUSYBOX) dd if=/dev/zero of=/dev/null bs=1 count=100000") \
  $(if $(BUSYBOX),"--target=wall:1.3:./hybrid_loader:$(BUSYBOX) sh bench/scripts/pipeline.sh") \
  $(if $(BASH),"--target=wall:1.3:./hybrid_loader:$(BASH) bench/scripts/subshells.bash") \
  $(if $(GO),"--target=wall:1.1:./hybrid_loader:$(GO) version")

# Results of earlier runs stay where they are: give `make bench RESULTS=folder` to keep both.
RESULTS ?= build/results

bench: all $(BENCH) $(BENCH_PROGRAMS)
	@bench/suite.sh $(B)/bench/compare $(RESULTS) $(P)

# Each writes its own results; SIZE in MiB and ROUNDS as in bench/experiments/experiment.c.
.PHONY: $(EXPERIMENTS)
experiments: $(EXPERIMENTS)

$(EXPERIMENTS): %: $(B)/bench/%
	@mkdir -p $(RESULTS)
	@$< $(SIZE:%=--size=%) $(ROUNDS:%=--rounds=%) --json=$(RESULTS)/$@.json

# A python3 of the user's own often comes without the system's packages.
# with_matplotlib SCRIPT ARGUMENTS
with_matplotlib = for python in python3 /usr/bin/python3; do \
	  if $$python -c 'import matplotlib' 2>/dev/null; then exec $$python $(1); fi; \
	done; echo 'make $@ needs matplotlib: apt-get install python3-matplotlib' >&2; exit 1
# needs NAME EXAMPLE
needs = $(if $($(1)),,$(error make $@ needs $(1)=$(2)))

PLOTS ?= build/plots

plots:
	@$(call with_matplotlib,bench/plots.py $(RESULTS) $(PLOTS))

picture:
	@$(call needs,TRACE,file)$(call needs,PICTURE,file.svg)
	@$(call with_matplotlib,bench/trace_plot.py '$(TRACE)' '$(PICTURE)')

trace-json:
	@$(call needs,TRACE,file)$(call needs,JSON,file)
	@python3 bench/trace_json.py '$(TRACE)' '$(JSON)'

# wanted LIMIT PROGRAM...: of hybrid_loader, whose peak RSS is to stay within 256 KB of native.
wanted = $(foreach p,$(2),"--target=wall:$(1):./hybrid_loader:$(subst +, ,$(p))") \
         $(foreach p,$(2),"--target=rss:256:./hybrid_loader:$(subst +, ,$(p))")
LARGE  := $(P)/touch-bss-64

# Small programs by themselves: behind a large one they would find the caches cold.
ratios: all $(BENCH) $(BENCH_PROGRAMS)
	@$(B)/bench/compare --rounds=60 \
	  --target=wall:1.35:./all_at_once_loader:$(B)/bench/empty \
	  --target=wall:1.8:./on_demand_loader:$(B)/bench/empty \
	  $(call wanted,1.35,$(B)/bench/empty) $(call wanted,0.95,./prog1 ./prog3) \
	  $(call wanted,1.05,./prog2) $(REAL_TARGETS)
	@echo; $(B)/bench/compare --rounds=60 $(call wanted,0.8,$(LARGE)+sequential+write) \
	  $(call wanted,1.1,$(LARGE)+random+write) \
	  $(call wanted,1.0,$(addprefix $(LARGE)+,reverse+write streams+write+2 stride+write+3 \
	    stride+write+17)) \
	  "--target=wall:0.4:./hybrid_loader:$(P)/touch-bss-256 sequential write" \
	  "--target=rss:2048:./hybrid_loader:$(P)/touch-bss-256 sequential write"
	@bench/fault_parts.sh ./on_demand_loader $(B)/bench/fault_parts

check:
	@tests/install_packages.sh check
	@$(MAKE) --no-print-directory check-run

# Every step runs, whatever becomes of the others. The bats files run one after the other: some of
# them fill memory.
check-run: all guests $(BENCH) $(BENCH_PROGRAMS)
	@status=0; \
	for flavour in "LIBC=glibc" "MODE=debug" "MODE=asan" "LIBC=glibc CC=clang"; do \
	  $(MAKE) --no-print-directory flavour WERROR=1 $$flavour || status=1; \
	done; \
	$(MAKE) --no-print-directory unit || status=1; \
	$(MAKE) --no-print-directory unit MODE=asan || status=1; \
	bats tests $(wildcard tests/course) || status=1; \
	if $(MAKE) --no-print-directory fuzz; then echo "ok fuzz: parser and plan"; \
	else echo "not ok fuzz: parser and plan"; status=1; fi; \
	tests/lint.sh || status=1; \
	exit $$status

# It runs the commands that the documents show.
docs-check: all guests $(BENCH) $(BENCH_PROGRAMS)
	@tests/docs_check.py

soak: all guests
	@tests/soak.sh $(SECONDS)

lint:
	@tests/lint.sh

include share/install.mk

clean:
	rm -rf build $(LOADERS) $(PROGS)
