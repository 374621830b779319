# The user-space ELF loader toolkit.
#
# make               pagewise, the three loaders and prog1 to prog4, in this directory
# make demo          packages if needed, build, run the loaders beside a native run
# make check         packages if needed, unit tests, lint, each feature once: in five minutes
# make check-all     all tests, also with Chromium, Java, Node.js, Go and Rust: in twelve
# make guests        small programs of many kinds, which the course loads: build/guests
# make page          a run of prog1 as a page for a browser; TRACE=file: another run
# make install       to PREFIX (/usr/local); make uninstall removes it
# make help-all      every other command
#
# To test it
#   make check-glibc  runs the tests of check-all with loaders that are linked with glibc
#   make check-confined  runs them confined as in a container of Docker's
#   make check-strained  runs some of them under load, with little memory, little address space, tight limits
#   make check-kernels  runs guests on the kernels of Debian 11 to testing, emulated; KERNELS="6.1 ..."
#   make check-ports ARCH=riscv64  runs guests under the loaders for another processor, on its emulated kernel
#   make check-long   tries at random: a minute of fuzzing, 2000 changed programs, 2000 sequences of steps
#   make suites       runs test suites of other projects natively and under each loader; SUITES="bash zsh go"
#   make fuzz         feeds any bytes to what reads files, profiles and options, for a minute or SECONDS=N
#   make mutants      makes a hundred one-line faults, which the tests must notice; JOBS=N; LIGHT=1: those of check
#   make coverage     shows which lines and branches of common/ and loader/ the tests reach; COVERAGE_TESTS="edges guests"
#   make soak         runs random guests, engines and options for ten minutes, or SECONDS=N
# To measure it
#   make bench        measures every loader and way of getting a page on many programs; ROUNDS=N, RESULTS=folder
#   make experiments  measures what paging and starting cost. Each one alone: make prefault, access, services,
#                     fault_cost, start, frames
#   make cold         measures starts whose files are not in memory, natively and with a profile
#   make order-demo   programs linked in the order of their first calls, beside plain ones (docs/order.md)
#   make recordings   records which pages programs touch, for the replay (docs/profiles.md)
#   make artifact     measures the claims of docs/artifact.md and compares them with the published figures on a page
#   make figures      measures all figures of the documents in one run, on a quiet machine, as root; RESULTS=folder
#   make plots        draws pictures of the results
#   make ratios       compares the loaders' time and memory with native runs and with the targets
# To learn from it: docs/README.md, a course
#   make build/guests/musl-pie/hello   builds one guest; chapters of the course say which they run
#   make bench-programs  builds the bench without running it
#   make page TRACE=file PAGE=file.html       makes a page for a browser of a run; TRACE2=file: compares two runs
#   make picture TRACE=file PICTURE=file.svg  draws a picture of the run (docs/trace.md), SVG or PNG
#   make calls TRACE=file                     prints its system calls as strace does, and the faults between them
#                     Without TRACE these three show a run of prog1: build/prog1.html and build/prog1.svg.
#   make course-pages  makes the three pages of runs that the course names, in build/pages
#   make trace-json TRACE=file JSON=file      converts a trace for chrome://tracing and Perfetto
# To teach with it: docs/lab/README.md
#   make lab-handout  makes the archive for students; PART=stack or pager: that part alone
#   make lab-autograder  makes the grader for Gradescope
# To install it: docs/install.md
#   make install      PREFIX, DESTDIR and others: share/install.mk
#   make page-profile builds the tool for profiles of files (docs/profiles.md)
#   make placement    builds page-layout and the library of docs/placement.md
#   make deb          makes a Debian package in build/; make deb-source: a source package in build/deb-source
#   make dist         makes a release in build/dist: archives of the source and of what is installed, checksums
# To change it
#   make unit         runs the unit tests alone
#   make lint         checks how the tree is written
#   make docs-check   checks the documents: names, excerpts, outputs, links, exercises
#   make clean        removes all that was built
#
# With any of them
#   V=1 shows the commands; -s shows no steps
#   MODE=release|debug|asan   asan: unit tests with ASan and UBSan, loaders with trapping UBSan
#   MODE=coverage             loaders and unit tests count the lines that they reach; gcc 12 or later
#   WERROR=1                  warnings are errors
#   LIBC=musl|glibc           the C library of the loaders. By default musl if the static libelf links
#                             with it, and glibc if not (make V=1 shows which)
#   CC=gcc|clang              the compiler of everything that musl-gcc does not compile
#   ARCH=x86_64               the processor. By default the one that CC compiles for. For another than this machine's
#                             the tools are cross compilers, and all is built in build/ARCH-...

MODE   ?= release
PREFIX ?= /usr/local
SECONDS ?= 600
# "cc" is make's own default. Only another value is the user's choice.
ifeq ($(origin CC),default)
CC := gcc
endif

# The compiler's name of the processor, which the folders below common/arch and loader/resident/arch also have.
ARCH ?= $(or $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null))),$(shell uname -m 2>/dev/null))
# arm64 is Debian's and the kernel's name.
override ARCH := $(patsubst arm64,aarch64,$(ARCH))
$(if $(wildcard common/arch/$(ARCH)),,$(error there is no common/arch/$(ARCH): the loaders run on $(notdir \
  $(patsubst %/,%,$(wildcard common/arch/*/)))))

# For another processor than this machine's: the tools and libraries that tests/ports/packages.sh unpacks.
.DEFAULT_GOAL := all
PORT := $(filter-out $(shell uname -m 2>/dev/null),$(ARCH))
ifneq ($(PORT),)
LIBC ?= musl
# check-ports installs the cross compiler. All else that it needs is made by another make.
ifneq ($(MAKECMDGOALS),check-ports)
include build/ports/$(ARCH)/port.mk
CC := $(TOOLS)gcc
endif
build/ports/$(ARCH)/port.mk: tests/ports/packages.sh
	tests/ports/packages.sh $(ARCH)
endif

# The probe runs once, and build/libelf_libc keeps its answer. Goals that link nothing need none.
ifeq ($(origin LIBC),undefined)
ifeq ($(filter-out help help-all clean,$(or $(MAKECMDGOALS),all)),)
LIBC := none
else
LIBC := $(or $(shell grep -xE 'musl|glibc' build/libelf_libc 2>/dev/null || common/libelf/probe.sh $(MAKE)), \
          $(error nothing can be written to build/ here: ask its owner, or build in a copy))
$(if $(V),$(info static libelf is linked with: $(LIBC)))
endif
endif

# The only place with the version; tests/lint.sh compares CHANGELOG.md and CITATION.cff with it.
VERSION := 1.0.0
LOADERS := all_at_once_loader on_demand_loader hybrid_loader
PROGS   := prog1 prog2 prog3 prog4
B       := build/$(PORT:%=%-)$(LIBC)-$(MODE)$(if $(findstring clang,$(CC)),-clang)

.DELETE_ON_ERROR:
.SUFFIXES:
ifeq ($(V),)
.SILENT:
endif
.PHONY: all help help-all demo demo-run libelf_probe bench bench-programs recordings experiments artifact plots picture page calls course-pages course-picture trace-json ratios \
        docs-check fuzz soak mutants unit lint clean guests flavour FORCE

all: $(if $(PORT),flavour,$(LOADERS) pagewise $(PROGS))

# ---- what make says ------------------------------------------------------------------------

# step WORD,FILE is a recipe's first line. It prints "[3/87] CC loader/cli/options.c" and makes the target's folder. The
# first step of a build checks for packages: if one is missing, make ends with one sentence. It also counts all steps
# by make -n.
step    = $(if $(MISSING),$(error these are missing: $(MISSING); make demo installs them))$(if $(QUIET),,$(info \
            [$(eval DONE += x)$(words $(DONE))/$(STEPS)] $(1) $(2)))@mkdir -p $(@D)
QUIET  := $(V)$(findstring s,$(firstword -$(MAKEFLAGS)))
MISSING = $(eval MISSING := $(if $(PORT),,$(shell tests/install_packages.sh missing $(LIBC))))$(MISSING)
STEPS   = $(eval STEPS := $(shell MAKEFLAGS='$(subst ','\'',$(filter-out -j% --j%,$(MAKEFLAGS)))' $(MAKE) \
            -n COUNTING=1 MISSING= STEPS= $(MAKECMDGOALS) 2>/dev/null | grep -c '^\['))$(STEPS)

# ---- flags ---------------------------------------------------------------------------------

WARNINGS := $(WERROR:%=-Werror) -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef
# Some distributions' gcc fortifies by default. Without that all build the same code, and musl has no such functions.
DEFINES  := -U_FORTIFY_SOURCE -D_GNU_SOURCE -DTOOLKIT_VERSION='"$(VERSION)"'
# -ffile-prefix-map keeps this folder's path out of the binaries: the same tree makes the same bytes anywhere.
C_ALL    := -std=gnu17 $(WARNINGS) $(DEFINES) -MMD -MP -g -ffile-prefix-map=$(CURDIR)=.

# The linker script of resident code, and the list of its symbols that host code may use.
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
include $(wildcard loader/resident/arch/$(ARCH)/flags.mk)
C_RESIDENT := $(C_ALL) $(C_MODE) -fPIE -ffreestanding -fvisibility=hidden -fno-stack-protector \
              -fno-asynchronous-unwind-tables -fno-jump-tables $(C_ARCH_RESIDENT)
# -Os, because every start copies each page of resident code. Modes other than release trap when a
# thread changes its state in a way that states.def does not list.
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
LOADER_CC := $(TOOLS)musl-gcc
# glibc's headers must not leak in: build/include holds libelf's two headers and nothing else.
LIBELF_HEADERS ?= build/include/libelf.h
LIBELF_INCLUDE := -isystem common/libelf -isystem $(LIBELF_HEADERS:%/libelf.h=%)
MUSL_DIR ?= $(firstword $(dir $(wildcard /usr/lib/$(ARCH)-linux-musl/rcrt1.o \
               /usr/lib/musl/lib/rcrt1.o /usr/local/musl/lib/rcrt1.o)))
# The archives are named by their paths: with -L, musl's linker would find glibc's libc.a in their folder.
LIBELF_ARCHIVES ?= $(foreach lib,$(filter -l%,$(LIBELF_LIBS)), \
                     $(shell $(CC) -print-file-name=lib$(lib:-l%=%).a 2>/dev/null))
# By hand, because musl-gcc's own -static-pie makes a program that needs an interpreter.
LINK_START = $(LOADER_CC) -static -nostartfiles \
             -Wl,-pie,--no-dynamic-linker,-z,now,-z,text,-z,noexecstack,--build-id=sha1 \
             -Wl,-z,noseparate-code,-z,norelro \
             $(MUSL_DIR)rcrt1.o $(MUSL_DIR)crti.o
# libc comes first. Then its code that every start touches lies next to the loader's own, not after libelf,
# which saves a page fault.
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

LINK_LOADER := -Wl,--defsym=page_bytes=$(ARCH_PAGE_BYTES),-T,loader/start.ld,-e,loader_start

HOST_DIRS  := loader loader/cli loader/files loader/guest loader/hold loader/prepare loader/profile loader/watch
ARCH_C     := $(wildcard common/arch/$(ARCH)/*.c)
# others FOLDER: the names in FOLDER/only/PROCESSOR of other processors. Each line there has a name and the reason.
others      = $(shell sed -n 's/^\([a-z0-9_]*\) .*/\1/p' /dev/null $(filter-out %/$(ARCH),$(wildcard $(1)/only/*)))
COMMON_C   := $(wildcard common/*.c common/placement/*.c) $(ARCH_C)
HOST_C     := $(COMMON_C) $(filter-out $(LOADERS:%=loader/%.c),$(wildcard $(HOST_DIRS:%=%/*.c)))
HOST_S     := $(filter-out %/data_alignment.S,$(wildcard common/arch/$(ARCH)/*.S))
RESIDENT_C := $(wildcard loader/resident/*.c loader/resident/*/*.c loader/resident/arch/$(ARCH)/*.c loader/predict/*.c)
RESIDENT_S := $(wildcard loader/resident/arch/$(ARCH)/*.S)

COMMAND_C  := $(wildcard share/command/*.c share/profile/*.c share/order/*.c) share/placement/page_layout.c share/placement/layout_report.c

FIRST_O    := $(B)/common/arch/$(ARCH)/data_alignment.o
HOST_O     := $(HOST_C:%.c=$(B)/%.o) $(HOST_S:%.S=$(B)/%.o)
COMMAND_O  := $(COMMAND_C:%.c=$(B)/%.o)
RESIDENT_O := $(RESIDENT_C:%.c=$(B)/%.o) $(RESIDENT_S:%.S=$(B)/%.o)

# This code runs once, so its cost is the number of its pages.
ifeq ($(MODE),release)
$(HOST_O) $(COMMAND_O) $(LOADERS:%=$(B)/loader/%.o): C_HOST += -Os
endif

-include $(foreach depth,* */* */*/* */*/*/* */*/*/*/* */*/*/*/*/* */*/*/*/*/*/*,$(wildcard $(B)/$(depth).d))

# Rewritten when the flavour changes, so that the loaders in this directory have the flavour asked for last.
build/flavour: FORCE
	@mkdir -p build; echo '$(LIBC) $(MODE)' | cmp -s - $@ || echo '$(LIBC) $(MODE)' > $@

$(LOADERS) pagewise: %: $(B)/loader/% build/flavour
	cp -f $< $@

$(PROGS): %: build/guests/musl-static/%
	cp -f $< $@

$(LOADERS:%=$(B)/loader/%): $(B)/loader/%: $(FIRST_O) $(B)/loader/%.o $(HOST_O) $(B)/resident.o $(LIBELF_MISSING) loader/start.ld
	$(call step,LINK,$(@F))
	$(LINK_START) $(LINK_LOADER) -o $@ $(filter %.o,$^) $(LINK_END)

# The loader, and the tools that are one program with it.
$(B)/loader/pagewise: $(FIRST_O) $(COMMAND_O) $(HOST_O) $(B)/resident.o $(LIBELF_MISSING) loader/start.ld
	$(call step,LINK,$(@F))
	$(LINK_START) $(LINK_LOADER) -o $@ $(filter %.o,$^) $(LINK_END)

libelf_probe: $(B)/common/libelf/probe
$(B)/common/libelf/probe: $(B)/common/libelf/probe.o $(LIBELF_MISSING)
	$(call step,LINK,$@)
	$(LINK_START) -o $@ $(filter %.o,$^) $(LINK_END)

# An archive, so that the linker uses it only for symbols that are missing.
$(LIBELF_MISSING): $(B)/common/libelf/missing.o
	$(call step,AR,$@)
	rm -f $@
	$(TOOLS)ar rc $@ $<

# The loaders of one flavour, left where they are built.
flavour: $(LOADERS:%=$(B)/loader/%) $(B)/loader/pagewise

# Resident code is linked separately, so that this link fails if the code needs a symbol from
# elsewhere. The loaders contain its bytes as constants. Its symbols are places in the loader's
# memory, to which the loader copies these bytes at run time (loader/resident/resident.ld).
$(B)/resident.elf: $(RESIDENT_O) $(RESIDENT_LD)
	$(call step,LD,$@)
	$(TOOLS)ld --no-undefined --no-relax --defsym=page_bytes=$(ARCH_PAGE_BYTES) -T $(RESIDENT_LD) $(RESIDENT_MAP) -o $@ $(RESIDENT_O)

$(B)/resident.bin: $(B)/resident.elf
	$(call step,OBJCOPY,$@)
	$(TOOLS)objcopy -O binary -j .text $< $@

$(B)/resident.S: $(B)/resident.elf loader/resident/embed.sh $(RESIDENT_EXPORTS)
	$(call step,EMBED,$@)
	loader/resident/embed.sh $< $(B)/resident.bin $(RESIDENT_EXPORTS) $(or $(ARCH_IMAGE_SECTION),.rodata) > $@

$(B)/resident.o: $(B)/resident.S $(B)/resident.bin
	$(call step,AS,$<)
	$(LOADER_CC) -c -o $@ $<

$(RESIDENT_C:%.c=$(B)/%.o): $(B)/%.o: %.c Makefile loader/resident/base/hidden.h
	$(call step,CC,$<)
	$(LOADER_CC) $(C_RESIDENT) -include loader/resident/base/hidden.h -I. -c -o $@ $<

$(B)/%.o: %.c Makefile $(LIBELF_HEADERS)
	$(call step,CC,$<)
	$(LOADER_CC) $(C_HOST) -I. $(LIBELF_INCLUDE) -c -o $@ $<

$(B)/%.o: %.S Makefile
	$(call step,AS,$<)
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

include testprogs/guests.mk bench/bench.mk tests/tests.mk share/trace/trace.mk share/placement/placement.mk share/profile/profile.mk share/order/order.mk share/install.mk docs/lab/lab.mk

# ---- what people type ----------------------------------------------------------------------

# The packages come first. A second make then asks pkg-config what to link, and probes again which C
# library libelf links with.
demo:
	@tests/install_packages.sh build
	@rm -f build/libelf_libc
	@$(MAKE) --no-print-directory demo-run

demo-run: all $(BENCH)
	@echo ./hybrid_loader ./prog1
	@./hybrid_loader ./prog1
	@$(B)/bench/compare --matrix $(LOADERS:%=--loader=./%) $(PROGS:%=./%)

# help prints the first paragraph of this file's first comment. help-all prints all of it.
help:
	@sed -n '3,/^#$$/s/^# //p' Makefile

help-all: help
	@echo; sed -n '/^# To test it/,/^$$/s/^# \{0,1\}//p' Makefile

clean:
	rm -rf build $(LOADERS) pagewise $(PROGS)

# make -n still runs the lines that start another make. The make that counts steps must run nothing.
ifdef COUNTING
SHELL := true
endif
