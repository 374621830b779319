# The user-space ELF loader toolkit.
#
# make               pagewise, the three loaders and prog1 to prog4, in this directory
# make demo          packages if needed, build, run the loaders beside a native run
# make check         packages if needed, unit tests, lint, each feature once: in five minutes
# make check-all     all tests, also with Chromium, Java, Node.js, Go and Rust: in twenty
# make guests        small programs of many kinds, which the course loads: build/guests
# make page          a run of prog1 as a page for a browser; TRACE=file: another run
# make install       to PREFIX (/usr/local); make uninstall takes it away
# make help-all      every other command
#
# To test it
#   make check-glibc  the tests of check-all once more, with loaders that are linked with glibc
#   make check-confined  them once more, confined as a container of Docker's is
#   make check-strained  some once more, under load, with little memory, little address space, tight limits
#   make check-kernels  guests on the kernels of Debian 11 to testing, emulated; KERNELS="6.1 ..."
#   make check-long   what chance has to find: fuzzing for a minute, 2000 changed programs, 2000 times random steps
#   make suites       test suites of others, natively and under each loader: SUITES="bash zsh go"
#   make fuzz         what reads files, profiles and options, with any bytes at all: a minute or SECONDS=N
#   make mutants      a hundred one-line faults, each of which the tests must notice; JOBS=N; LIGHT=1: those of check
#   make coverage     which lines and branches of common/ and loader/ the tests reach; COVERAGE_TESTS="edges guests"
#   make soak         random guests, engines and options for ten minutes, or SECONDS=N
# To measure it
#   make bench        every loader and way of getting a page on many programs; ROUNDS=N, RESULTS=folder
#   make experiments  what paging and starting cost: prefault, access, services, fault_cost, start, frames; each
#                     one's name, too
#   make cold         starts whose files are not in memory, natively and with a profile
#   make recordings   which pages programs touch, for the replay (docs/profiles.md)
#   make artifact     the claims of docs/artifact.md measured here, beside the published figures, as a page
#   make figures      all figures of the documents, of one run on a quiet machine, as root; RESULTS=folder
#   make plots        pictures of the results
#   make ratios       the loaders' time and memory against native ones, with the figures aimed at
# To learn from it: docs/README.md, a course
#   make build/guests/musl-pie/hello   one guest; chapters of the course say which they run
#   make bench-programs  the bench, without running it
#   make page TRACE=file PAGE=file.html       a run as a page for a browser; TRACE2=file: beside another
#   make picture TRACE=file PICTURE=file.svg  a picture of it (docs/trace.md), SVG or PNG
#   make calls TRACE=file                     its system calls as strace writes them, and the faults between
#                     these three without TRACE: a run of prog1, build/prog1.html and build/prog1.svg
#   make trace-json TRACE=file JSON=file      a trace for chrome://tracing and Perfetto
# To teach with it: docs/lab/README.md
#   make lab-handout  what students get, as an archive; PART=stack or pager: that part alone
#   make lab-autograder  the grader for Gradescope
# To install it: docs/install.md
#   make install      PREFIX, DESTDIR and others: share/install.mk
#   make page-profile the tool for profiles of files (docs/profiles.md)
#   make placement    page-layout and the library of docs/placement.md
#   make deb          a Debian package in build/; make deb-source: a source package in build/deb-source
#   make dist         a release in build/dist: archives of the source and of what is installed, sums
# To change it
#   make unit         the unit tests alone
#   make lint         how the tree is written
#   make docs-check   the documents: names, excerpts, outputs, links, exercises
#   make clean        takes away all that was built
#
# With any of them
#   V=1 shows the commands; -s shows no steps
#   MODE=release|debug|asan   asan: unit tests with ASan and UBSan, loaders with trapping UBSan
#   MODE=coverage             loaders and unit tests count what they reach; gcc 12 or later
#   WERROR=1                  warnings are errors
#   LIBC=musl|glibc           what the loaders are linked with; when not given, musl where the
#                             static libelf links with it, else glibc (make V=1 shows which)
#   CC=gcc|clang              for everything that musl-gcc does not compile
#   ARCH=x86_64               the processor; when not given, the one that CC compiles for

MODE   ?= release
PREFIX ?= /usr/local
SECONDS ?= 600
# "cc" is make's own default, not somebody's choice.
ifeq ($(origin CC),default)
CC := gcc
endif

# The processor, as the compiler calls it: the name of the folders below common/arch and loader/resident/arch.
ARCH ?= $(or $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null))),$(shell uname -m))
$(if $(wildcard common/arch/$(ARCH)),,$(error there is no common/arch/$(ARCH): the loaders run on $(notdir \
  $(patsubst %/,%,$(wildcard common/arch/*/)))))

# Tried out once: the answer is kept. Some goals link nothing.
ifeq ($(origin LIBC),undefined)
ifeq ($(filter-out help help-all clean,$(or $(MAKECMDGOALS),all)),)
LIBC := none
else
LIBC := $(or $(shell grep -xE 'musl|glibc' build/libelf_libc 2>/dev/null || common/libelf/probe.sh $(MAKE)), \
          $(error nothing can be written to build/ here: ask its owner, or build in a copy))
$(if $(V),$(info static libelf is linked with: $(LIBC)))
endif
endif

# The one place that says it; tests/lint.sh holds CHANGELOG.md and CITATION.cff to it.
VERSION := 1.0.0
LOADERS := all_at_once_loader on_demand_loader hybrid_loader
PROGS   := prog1 prog2 prog3 prog4
B       := build/$(LIBC)-$(MODE)$(if $(findstring clang,$(CC)),-clang)

.DELETE_ON_ERROR:
.SUFFIXES:
ifeq ($(V),)
.SILENT:
endif
.PHONY: all help help-all demo demo-run libelf_probe bench bench-programs recordings experiments artifact plots picture page calls course-pages trace-json ratios \
        docs-check fuzz soak mutants unit lint clean guests flavour FORCE

all: $(LOADERS) pagewise $(PROGS)

# ---- what make says ------------------------------------------------------------------------

# step WORD,FILE, a recipe's first line: "[3/87] CC loader/cli/options.c". At the first of them what is
# missing ends it all in one sentence, and a make of its own counts the steps that there will be.
step    = $(if $(MISSING),$(error these are missing: $(MISSING); make demo installs them))$(if $(QUIET),,$(info \
            [$(eval DONE += x)$(words $(DONE))/$(STEPS)] $(1) $(2)))
QUIET  := $(V)$(findstring s,$(firstword -$(MAKEFLAGS)))
MISSING = $(eval MISSING := $(shell tests/install_packages.sh missing $(LIBC)))$(MISSING)
STEPS   = $(eval STEPS := $(shell MAKEFLAGS='$(subst ','\'',$(filter-out -j% --j%,$(MAKEFLAGS)))' $(MAKE) \
            -n COUNTING=1 MISSING= STEPS= $(MAKECMDGOALS) 2>/dev/null | grep -c '^\['))$(STEPS)

# ---- flags ---------------------------------------------------------------------------------

WARNINGS := $(WERROR:%=-Werror) -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef
# Some distributions' gcc fortifies unasked. The same code everywhere, and musl has no such functions.
DEFINES  := -U_FORTIFY_SOURCE -D_GNU_SOURCE -DTOOLKIT_VERSION='"$(VERSION)"'
# No path of this folder gets into what is built: the same tree makes the same bytes wherever it lies.
C_ALL    := -std=gnu17 $(WARNINGS) $(DEFINES) -MMD -MP -g -ffile-prefix-map=$(CURDIR)=.

# How resident code is linked, and what of it host code may use.
RESIDENT_LD      := loader/resident/resident.ld
RESIDENT_EXPORTS := loader/resident/exports

ifeq ($(MODE),release)
C_MODE := -O2
else ifeq ($(MODE),debug)
C_MODE := -Og
else ifeq ($(MODE),asan)
C_MODE := -O1 -fsanitize=undefined -fsanitize-undefined-trap-on-error
else ifeq ($(MODE),coverage)
include tests/coverage/coverage.mk
else
$(error MODE is release, debug, asan or coverage, not '$(MODE)')
endif

# Host code runs before the jump and may use libc. Resident code runs after it, with the program's
# %fs: no libc, no thread-local storage, no stack protector, no floating point registers.
C_HOST     := $(C_ALL) $(C_MODE) -fPIE -fno-plt -fno-asynchronous-unwind-tables
C_RESIDENT := $(C_ALL) $(C_MODE) -fPIE -ffreestanding -fvisibility=hidden -fno-stack-protector \
              -fno-asynchronous-unwind-tables -mno-sse -mno-mmx -mno-80387 -fno-jump-tables \
              -fcf-protection=none
# Each page of it is copied at every start. Other modes trap at a step between the states of a
# thread that states.def does not have.
ifeq ($(MODE),release)
C_RESIDENT += -Os
else ifneq ($(MODE),coverage)
C_RESIDENT += -DCHECK_STATES
endif
# The tests use names of cmocka 1, which are in cmocka 2 as well.
C_UNIT     := $(C_ALL) -O1 -DCMOCKA_DISABLE_DEPRECATION_WARNINGS
ifeq ($(MODE),asan)
C_UNIT     += -fsanitize=address,undefined -fno-sanitize-recover=all
else ifeq ($(MODE),coverage)
C_UNIT     += -Og --coverage
endif

# ---- what the loaders are linked with ------------------------------------------------------

LIBELF_MISSING := $(B)/libelf_missing.a
LIBELF_LIBS := $(shell pkg-config --static --libs libelf 2>/dev/null || echo -lelf -lz)

ifeq ($(LIBC),musl)
LOADER_CC := musl-gcc
# glibc's headers must not leak in: build/include holds libelf's two headers and nothing else.
LIBELF_INCLUDE := -isystem common/libelf -isystem build/include
LIBELF_HEADERS := build/include/libelf.h
MUSL_DIR  := $(firstword $(dir $(wildcard /usr/lib/$(ARCH)-linux-musl/rcrt1.o \
               /usr/lib/musl/lib/rcrt1.o /usr/local/musl/lib/rcrt1.o)))
# The archives by their paths: with -L, musl's linker would find glibc's libc.a beside them.
LIBELF_ARCHIVES := $(foreach lib,$(filter -l%,$(LIBELF_LIBS)), \
                     $(shell $(CC) -print-file-name=lib$(lib:-l%=%).a 2>/dev/null))
# musl-gcc's own -static-pie makes a program that wants an interpreter, so by hand.
LINK_START = $(LOADER_CC) -static -nostartfiles \
             -Wl,-pie,--no-dynamic-linker,-z,now,-z,text,-z,noexecstack,--build-id=sha1 \
             -Wl,-z,noseparate-code,-z,norelro \
             $(MUSL_DIR)rcrt1.o $(MUSL_DIR)crti.o
# libc first, so that what every start touches of it lies by the loader's own code, not after libelf:
# a page fault less.
LINK_END   = -lc $(LIBELF_ARCHIVES) -lc $(LIBELF_MISSING) $(MUSL_DIR)crtn.o
else ifeq ($(LIBC),glibc)
LOADER_CC := $(CC)
LIBELF_INCLUDE :=
LIBELF_HEADERS :=
LINK_START = $(LOADER_CC) -static-pie -Wl,-z,now,-z,text,-z,noexecstack -Wl,-z,norelro
LINK_END   = $(LIBELF_LIBS) -lc $(LIBELF_MISSING)
else ifeq ($(LIBC),none)
LOADER_CC = $(error static libelf can be linked with neither musl nor glibc: make demo installs what \
              it needs, build/libelf_probe.log says what went wrong)
else
$(error LIBC is musl or glibc, not '$(LIBC)')
endif

# ---- loaders -------------------------------------------------------------------------------

HOST_DIRS  := loader loader/cli loader/hold loader/prepare loader/profile loader/profile/files loader/watch
COMMON_C   := $(wildcard common/*.c common/placement/*.c)
HOST_C     := $(COMMON_C) $(filter-out $(LOADERS:%=loader/%.c),$(wildcard $(HOST_DIRS:%=%/*.c)))
HOST_S     := loader/loader_start.S loader/hold/hold_page.S
RESIDENT_C := $(wildcard loader/resident/*.c loader/resident/*/*.c loader/predict/*.c)
RESIDENT_S := $(wildcard loader/resident/arch/$(ARCH)/*.S)

COMMAND_C  := $(wildcard share/command/*.c share/profile/*.c) share/placement/page_layout.c share/placement/layout_report.c

FIRST_O    := $(B)/common/arch/$(ARCH)/data_alignment.o
HOST_O     := $(HOST_C:%.c=$(B)/%.o) $(HOST_S:%.S=$(B)/%.o)
COMMAND_O  := $(COMMAND_C:%.c=$(B)/%.o)
RESIDENT_O := $(RESIDENT_C:%.c=$(B)/%.o) $(RESIDENT_S:%.S=$(B)/%.o)

# Runs once: what it costs is the pages that it takes.
ifeq ($(MODE),release)
$(HOST_O) $(COMMAND_O) $(LOADERS:%=$(B)/loader/%.o): C_HOST += -Os
endif

-include $(foreach depth,* */* */*/* */*/*/* */*/*/*/*,$(wildcard $(B)/$(depth).d))

# Rewritten when the flavour changes, so that what stands in this directory is the last one asked
# for.
build/flavour: FORCE
	@mkdir -p build; echo '$(LIBC) $(MODE)' | cmp -s - $@ || echo '$(LIBC) $(MODE)' > $@

$(LOADERS) pagewise: %: $(B)/loader/% build/flavour
	cp -f $< $@

$(PROGS): %: build/guests/musl-static/%
	cp -f $< $@

$(LOADERS:%=$(B)/loader/%): $(B)/loader/%: $(FIRST_O) $(B)/loader/%.o $(HOST_O) $(B)/resident.o $(LIBELF_MISSING) loader/start.ld
	$(call step,LINK,$(@F))
	$(LINK_START) -Wl,-T,loader/start.ld -Wl,-e,loader_start -o $@ $(filter %.o,$^) $(LINK_END)

# The loader, and the tools that are one program with it.
$(B)/loader/pagewise: $(FIRST_O) $(COMMAND_O) $(HOST_O) $(B)/resident.o $(LIBELF_MISSING) loader/start.ld
	$(call step,LINK,$(@F))
	$(LINK_START) -Wl,-T,loader/start.ld -Wl,-e,loader_start -o $@ $(filter %.o,$^) $(LINK_END)

libelf_probe: $(B)/common/libelf/probe
$(B)/common/libelf/probe: $(B)/common/libelf/probe.o $(LIBELF_MISSING)
	$(call step,LINK,$@)
	$(LINK_START) -o $@ $(filter %.o,$^) $(LINK_END)

# An archive, so that the linker takes it only where something is missing.
$(LIBELF_MISSING): $(B)/common/libelf/missing.o
	$(call step,AR,$@)
	rm -f $@
	ar rc $@ $<

# The loaders of one flavour, left where they are built.
flavour: $(LOADERS:%=$(B)/loader/%) $(B)/loader/pagewise

# Resident code is linked by itself, so that whatever it still wants is missed here and nowhere
# else. Its bytes go into the loaders as constants, its symbols as places in memory that the
# loader fills with them at run time (loader/resident/resident.ld).
$(B)/resident.elf: $(RESIDENT_O) $(RESIDENT_LD)
	$(call step,LD,$@)
	ld --no-undefined --no-relax -T $(RESIDENT_LD) $(RESIDENT_MAP) -o $@ $(RESIDENT_O)

$(B)/resident.bin: $(B)/resident.elf
	$(call step,OBJCOPY,$@)
	objcopy -O binary -j .text $< $@

$(B)/resident.S: $(B)/resident.elf loader/resident/embed.sh $(RESIDENT_EXPORTS)
	$(call step,EMBED,$@)
	loader/resident/embed.sh $< $(B)/resident.bin $(RESIDENT_EXPORTS) > $@

$(B)/resident.o: $(B)/resident.S $(B)/resident.bin
	$(call step,AS,$<)
	$(LOADER_CC) -c -o $@ $<

$(RESIDENT_C:%.c=$(B)/%.o): $(B)/%.o: %.c Makefile loader/resident/hidden.h
	$(call step,CC,$<)
	@mkdir -p $(@D)
	$(LOADER_CC) $(C_RESIDENT) -include loader/resident/hidden.h -I. -c -o $@ $<

$(B)/%.o: %.c Makefile $(LIBELF_HEADERS)
	$(call step,CC,$<)
	@mkdir -p $(@D)
	$(LOADER_CC) $(C_HOST) -I. $(LIBELF_INCLUDE) -c -o $@ $<

$(B)/%.o: %.S Makefile
	$(call step,AS,$<)
	@mkdir -p $(@D)
	$(LOADER_CC) -MMD -MP -I. -c -o $@ $<

build/include/libelf.h:
	$(call step,HEADERS,build/include)
	@mkdir -p build/include
	@for header in libelf.h gelf.h; do \
	  file=$$(printf '#include <%s>\n' $$header | $(CC) -E - | \
	          sed -n "s|^# 1 \"\(/.*/$$header\)\".*|\1|p" | head -n 1); \
	  [ -n "$$file" ] || { echo "$$header is missing: install libelf-dev (make demo does)" >&2; exit 1; }; \
	  ln -sf "$$file" build/include/$$header; \
	done

# ---- the other folders ----------------------------------------------------------------------

include testprogs/guests.mk bench/bench.mk tests/tests.mk share/trace/trace.mk share/placement/placement.mk share/profile/profile.mk share/install.mk docs/lab/lab.mk

# ---- what people type ----------------------------------------------------------------------

# The packages come first, and then a make of its own: it is pkg-config that says what to link, and
# what libelf can be linked with may be another now.
demo:
	@tests/install_packages.sh build
	@rm -f build/libelf_libc
	@$(MAKE) --no-print-directory demo-run

demo-run: all $(BENCH)
	@echo ./hybrid_loader ./prog1
	@./hybrid_loader ./prog1
	@$(B)/bench/compare --matrix $(LOADERS:%=--loader=./%) $(PROGS:%=./%)

# The first comment of this file: its first paragraph, and the others.
help:
	@sed -n '3,/^#$$/s/^# //p' Makefile

help-all: help
	@echo; sed -n '/^# To test it/,/^$$/s/^# \{0,1\}//p' Makefile

clean:
	rm -rf build $(LOADERS) pagewise $(PROGS)

# make -n runs the lines that start another make; the one that counts runs nothing.
ifdef COUNTING
SHELL := true
endif
