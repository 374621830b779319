# Programs that the tests load: every testprogs/*.c with two libcs, each as a fixed-address and
# as a position-independent program, and some without a libc in layouts of their own.

COMMA      := ,
G          := build/$(PORT:%=%-)guests
OTHERS     := $(call others,testprogs)
C_GUESTS   := $(filter-out $(OTHERS),$(patsubst testprogs/%.c,%,$(wildcard testprogs/*.c)))
CXX_GUESTS := $(patsubst testprogs/%.cc,%,$(wildcard testprogs/*.cc))
VARIANTS   := musl-static musl-pie glibc-static glibc-pie
# The same guests whatever the distribution's gcc does unasked; glibc before 2.34 wants -pthread and
# -lrt. Handlers have parameters that they do not need.
GUEST_C    := -std=gnu17 -O1 -g -U_FORTIFY_SOURCE -pthread -Wall -Wextra -Wno-unused-parameter
# What they include.
GUEST_HEADERS := $(wildcard testprogs/*.h)
GXX        := $(if $(PORT),$(addsuffix $(TOOLS:%= -B%),$(shell command -v $(ARCH)-linux-gnu-g++)),$(shell command -v g++))
GO         := $(firstword $(shell command -v go) $(wildcard /usr/local/go/bin/go))
# musl's start files; asked for their place, musl-gcc names glibc's.
MUSL_CRT   := $(if $(PORT),$(MUSL_DIR),$(dir $(firstword $(wildcard /usr/lib/$(ARCH)-linux-musl/rcrt1.o \
              /usr/local/musl/lib/rcrt1.o /usr/lib/musl/lib/rcrt1.o))))
# Asked when a guest is linked, and once: this file is also read where there is no gcc yet.
CRT_BEGIN   = $(eval CRT_BEGIN := $(shell $(TOOLS)gcc -print-file-name=crtbeginS.o))$(CRT_BEGIN)
CRT_END     = $(eval CRT_END := $(shell $(TOOLS)gcc -print-file-name=crtendS.o))$(CRT_END)

# A static PIE of glibc; where gcc knows none, of what packages.sh has unpacked.
GLIBC_PIE_BEGIN  = $(if $(PORT_GLIBC),-fPIE -static -nostartfiles -Wl$(COMMA)-pie$(COMMA)--no-dynamic-linker$(COMMA)--eh-frame-hdr$(COMMA)-z$(COMMA)text \
                   $(PORT_GLIBC_C) -L$(PORT_GLIBC) $(addprefix $(PORT_GLIBC)/,rcrt1.o crti.o) $(CRT_BEGIN),-static-pie)
GLIBC_PIE_END    = $(if $(PORT_GLIBC),$(CRT_END) $(PORT_GLIBC)/crtn.o)

# Flags of single guests, whatever the variant.
FLAGS_aligned_segment     := -Wl,-z,max-page-size=0x200000
FLAGS_jumps               := -Wno-infinite-recursion
FLAGS_wild_access         := -Wno-infinite-recursion
FLAGS_memory_userfault    := $(if $(filter aarch64,$(ARCH)),-DLARGEST_PAGE=16384)
FLAGS_thread_unmap_race   := $(FLAGS_memory_userfault)
# Emulated, the long call takes as long with fewer bytes.
FLAGS_thread_signal_owner := $(if $(PORT),-DLONG_BYTES=0x100000)

# Guests that are also linked dynamically: position-independent, at a fixed address, and with musl.
DYNAMIC_GUESTS := $(filter-out $(OTHERS),auxv descriptors exit_status hello huge_bss lifecycle load_address memory_areas memory_keys \
                  memory_protect memory_unmap proc_descriptors proc_exe proc_exe_calls proc_identity process_attributes \
                  process_exec_self process_fork process_fork_tree process_record_locks process_spawn \
                  process_vfork prog1 prog2 prog4 program_break signal_altstack signal_dispositions \
                  signal_fault_info signal_stack signal_status signal_threads stack_layout thread_cancel \
                  thread_local thread_many thread_registrations vdso wild_access)

GUESTS := $(foreach v,$(VARIANTS),$(C_GUESTS:%=$(G)/$(v)/%)) \
          $(if $(GXX),$(foreach v,glibc-static glibc-pie,$(CXX_GUESTS:%=$(G)/$(v)/%))) \
          $(foreach v,glibc-dynamic glibc-dynamic-fixed musl-dynamic,$(DYNAMIC_GUESTS:%=$(G)/$(v)/%)) \
          $(addprefix $(G)/tools/,report_status compare_runs $(if $(PORT),,$(filter-out $(OTHERS),deny each_step steps_outside \
            steps_to fail_call confine frames faults_as exec_only after_end scribble))) \
          $(if $(GO),$(G)/go/go_hello $(G)/go/go_guest)

$(G)/musl-static/%: testprogs/%.c $(GUEST_HEADERS)
	$(call step,CC,$@)
	$(TOOLS)musl-gcc $(GUEST_C) -static $(FLAGS_$*) -o $@ $(filter %.c,$^) -lm

$(G)/musl-pie/%: testprogs/%.c $(GUEST_HEADERS)
	$(call step,CC,$@)
	$(TOOLS)musl-gcc $(GUEST_C) -fPIE -static -nostartfiles -Wl,-pie,--no-dynamic-linker,-z,now \
		$(FLAGS_$*) -o $@ $(MUSL_CRT)rcrt1.o $(MUSL_CRT)crti.o $(CRT_BEGIN) $(filter %.c,$^) -lm \
		$(CRT_END) $(MUSL_CRT)crtn.o

$(G)/glibc-static/%: testprogs/%.c $(GUEST_HEADERS)
	$(call step,CC,$@)
	$(TOOLS)gcc $(GUEST_C) -static $(FLAGS_$*) -o $@ $(filter %.c,$^) -lm -lrt

$(G)/glibc-pie/%: testprogs/%.c $(GUEST_HEADERS)
	$(call step,CC,$@)
	$(TOOLS)gcc $(GUEST_C) $(GLIBC_PIE_BEGIN) $(FLAGS_$*) -o $@ $(filter %.c,$^) -lm -lrt $(GLIBC_PIE_END)

# Before glibc 2.34 std::thread is linked statically without pthread_create() unless all is.
CXX_THREADS := -pthread -Wl,--whole-archive -lpthread -Wl,--no-whole-archive

# Guests that know something about the processor.
$(foreach v,$(VARIANTS),$(patsubst testprogs/%.c,$(G)/$(v)/%,$(shell grep -l '"machine/' testprogs/*.c))): $(wildcard testprogs/machine/*.h)

# A guest of several files.
$(foreach v,$(VARIANTS),$(G)/$(v)/random_steps): $(wildcard testprogs/random_steps/*)

$(G)/glibc-static/%: testprogs/%.cc $(GUEST_HEADERS)
	$(call step,CXX,$@)
	$(GXX) -O1 -Wall -Wextra -static -o $@ $< $(CXX_THREADS)

$(G)/glibc-pie/%: testprogs/%.cc $(GUEST_HEADERS)
	$(call step,CXX,$@)
	$(GXX) -O1 -Wall -Wextra $(GLIBC_PIE_BEGIN) -o $@ $< $(CXX_THREADS) $(GLIBC_PIE_END)

$(G)/glibc-dynamic/%: testprogs/%.c $(GUEST_HEADERS)
	$(call step,CC,$@)
	$(TOOLS)gcc $(GUEST_C) $(FLAGS_$*) -o $@ $< -lm -lrt

$(G)/glibc-dynamic-fixed/%: testprogs/%.c $(GUEST_HEADERS)
	$(call step,CC,$@)
	$(TOOLS)gcc $(GUEST_C) -no-pie -fno-pie $(FLAGS_$*) -o $@ $< -lm -lrt

$(G)/musl-dynamic/%: testprogs/%.c $(GUEST_HEADERS)
	$(call step,CC,$@)
	$(TOOLS)musl-gcc $(GUEST_C) $(FLAGS_$*) -o $@ $< -lm

# These two tools start thousands of times, and musl's programs start fastest.
$(G)/tools/report_status $(G)/tools/compare_runs: $(G)/tools/%: tests/tools/%.c tests/tools/run_command.h
	$(call step,CC,$@)
	$(TOOLS)musl-gcc $(GUEST_C) -D_GNU_SOURCE -static -o $@ $<

$(G)/tools/deny $(G)/tools/fail_call: tests/tools/calls.h
$(G)/tools/scribble: loader/resident/base/trace.h
# Without dispatch a lazy loader records static programs alone.
$(G)/tools/scribble: GUEST_C += -static
$(G)/tools/steps_outside $(G)/tools/steps_to $(G)/tools/faults_as: tests/tools/traced.h
$(G)/tools/%: tests/tools/%.c
	$(call step,CC,$@)
	$(TOOLS)gcc $(GUEST_C) -D_GNU_SOURCE -I. -o $@ $<

$(G)/go/%: testprogs/%/main.go
	$(call step,GO,$@)
	$(PORT_GO) CGO_ENABLED=0 GO111MODULE=off GOTOOLCHAIN=local GOCACHE="$$PWD/build/go-cache" \
		$(GO) build -o $@ $<

BARE_x86_64  := -fcf-protection=none
BARE_riscv64 := -Wl,--no-relax # no gp is set
STATIC_PIE   := $(if $(PORT),-static -Wl$(COMMA)-pie$(COMMA)--no-dynamic-linker,-static-pie)

# bare_guest NAME,SOURCE,FLAGS: no libc, no start files; position-independent code even where the
# program is linked at a fixed address, since some of those are beyond the reach of 32 bits.
define bare_guest
GUESTS += $(if $(filter $(2),$(OTHERS)),,$(G)/bare/$(1))
$(G)/bare/$(1): testprogs/bare/$(2).c testprogs/bare/bare.h
	$$(call step,CC,$$@)
	$(TOOLS)gcc $(GUEST_C) -ffreestanding -fno-stack-protector $(BARE_$(ARCH)) -fPIE -nostdlib \
		$(3) -o $$@ $$<
endef

# Newer linkers warn of a segment that is writable and executable. Here it is meant.
QUIET_RWX := $(if $(findstring no-warn-rwx,$(shell $(TOOLS)ld --help 2>/dev/null)),-Wl$(COMMA)--no-warn-rwx-segments)

# placed_guest NAME,ADDRESS,BYTES OF BSS
placed_guest = $(eval $(call bare_guest,$(1),placed,-static -DPLACED_BSS=$(3) -Wl$(COMMA)-Ttext-segment=$(2)))
# Two thirds up the address space, where a static PIE is without ASLR; on riscv64 that of Sv39.
PIE_BASE_x86_64  := 0x555555554000
PIE_BASE_aarch64 := 0xaaaaaaaa0000
PIE_BASE_riscv64 := 0x2aaaaaa000

$(eval $(call bare_guest,entry_registers-static,entry_registers,-static))
$(eval $(call bare_guest,entry_registers-pie,entry_registers,$(STATIC_PIE)))
$(G)/bare/entry_registers-static $(G)/bare/entry_registers-pie: testprogs/machine/entry_state.h
$(eval $(call bare_guest,residency-static,residency,-static))
$(eval $(call bare_guest,residency-pie,residency,$(STATIC_PIE)))
$(eval $(call bare_guest,bss_tail-static,bss_tail,-static))
$(eval $(call bare_guest,bss_tail-pie,bss_tail,$(STATIC_PIE)))
# Text and data in one writable segment; text with headers; 2 MiB pages; data inside a page.
$(eval $(call bare_guest,bss_tail-omagic,bss_tail,-static -Wl$$(COMMA)--omagic $(QUIET_RWX)))
$(eval $(call bare_guest,bss_tail-noseparate,bss_tail,-static -Wl$$(COMMA)-z$$(COMMA)noseparate-code))
$(eval $(call bare_guest,bss_tail-big_pages,bss_tail,-static -Wl$$(COMMA)-z$$(COMMA)max-page-size=0x200000))
$(eval $(call bare_guest,bss_tail-unaligned,bss_tail,-static -Wl$$(COMMA)-Tdata=0x40abcde0))
# Where the user address space is left empty.
$(call placed_guest,placed-low,0x10000,4096)
$(call placed_guest,placed-valgrind,0x58000000,4096)
$(call placed_guest,placed-pie_base,$(PIE_BASE_$(ARCH)),4096)
# On x86-64, where a loader without ASLR is, and three places where nothing can be mapped: its last page, the hole after it,
# the kernel's half.
ifeq ($(ARCH),x86_64)
$(call placed_guest,placed-on_loader,0x7ffff0000000,0x7f00000)
$(call placed_guest,placed-last_page,0x7fffffffe000,4096)
$(call placed_guest,placed-hole,0x800000000000,4096)
$(call placed_guest,placed-kernel,0xffff800000000000,4096)
endif

# The code of the programs that tests/tools/elf_cases.py makes.
GUESTS += $(G)/tools/elf_case
$(G)/tools/elf_case: testprogs/bare/elf_case.c testprogs/bare/bare.h testprogs/bare/elf_case.ld
	$(call step,CC,$@)
	$(TOOLS)gcc $(GUEST_C) -Os -g0 -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables $(BARE_$(ARCH)) \
		-fPIE -nostdlib -static -Wl,--build-id=none,-T,testprogs/bare/elf_case.ld -o $@.elf $<
	$(TOOLS)objcopy -O binary -j .text $@.elf $@
	rm $@.elf

guests: $(GUESTS)
