# The bench: the driver, its programs, experiments, replay, pictures and targets.

BENCH_OTHERS := $(call others,bench)

BENCH_C := $(filter-out bench/run/launcher.c, $(wildcard $(addprefix bench/,$(addsuffix /*.c,shared session run report driver))))
BENCH_O := $(BENCH_C:%.c=$(B)/%.o)
BENCH   := $(addprefix $(B)/bench/,$(filter-out $(BENCH_OTHERS),compare launcher empty fault_parts))

$(B)/bench/%.o: bench/%.c
	$(call step,CC,$<)
	$(CC) $(C_ALL) -O2 -I. -c -o $@ $<

# What bench/shared/tool.c needs of the loaders' sources, which are compiled a second time, with a hosted libc.
TOOL_C := common/file_kind.c common/error.c
TOOL_O := $(TOOL_C:%.c=$(B)/replay/%.o)

$(B)/bench/compare: $(BENCH_O) $(TOOL_O)
	$(call step,LINK,$@)
	$(CC) -o $@ $^ -ljansson -lm

# An experiment NAME is bench/experiments/NAME.c, NAME_*.c and what all of them share.
EXPERIMENTS       := $(filter-out $(BENCH_OTHERS),prefault access services fault_cost start frames)
EXPERIMENT_SHARED := $(patsubst %,$(B)/bench/%.o,experiments/experiment experiments/reading \
                       experiments/results experiments/results_report \
                       shared/json_file shared/environment shared/statistics shared/counters \
                       shared/tool run/progress) $(TOOL_O) $(ARCH_C:%.c=$(B)/replay/%.o)

# experiment NAME
define experiment
BENCH += $(B)/bench/$(1)
$(B)/bench/$(1): $(patsubst %.c,$(B)/%.o,$(wildcard bench/experiments/$(1).c bench/experiments/$(1)_*.c)) \
                 $(EXPERIMENT_SHARED)
	$$(call step,LINK,$$@)
	$$(CC) -o $$@ $$^ -ljansson -lm -pthread
endef

$(foreach e,$(EXPERIMENTS),$(eval $(call experiment,$(e))))

# Policies on recorded touches.
REPLAY_C := $(wildcard bench/replay/*.c loader/predict/*.c) loader/cli/policies.c $(TOOL_C) common/similar.c \
            bench/shared/expand.c bench/shared/json_file.c bench/shared/environment.c bench/shared/tool.c \
            $(ARCH_C)
BENCH    += $(B)/bench/replay

$(B)/replay/%.o: %.c
	$(call step,CC,$<)
	$(CC) $(C_ALL) -O2 -I. -c -o $@ $<

$(B)/bench/replay: $(REPLAY_C:%.c=$(B)/replay/%.o)
	$(call step,LINK,$@)
	$(CC) -o $@ $^ -ljansson

# As small as what it runs: see bench/run/launcher.c. musl brings no headers of the kernel; those of
# glibc's system come last.
$(B)/bench/launcher: bench/run/launcher.c bench/session/sample.c bench/shared/counters.c \
                      bench/session/sample.h bench/shared/counters.h
	$(call step,CC,$@)
	musl-gcc -static $(filter-out -MMD -MP,$(C_ALL)) -O2 -I. -idirafter /usr/include \
		-idirafter /usr/include/$(ARCH)-linux-gnu -o $@ $(filter %.c,$^)

$(B)/bench/empty $(B)/bench/fault_parts $(B)/bench/rungs/exec_only: $(B)/bench/%: bench/%.c
	$(call step,CC,$@)
	musl-gcc -static $(C_ALL) -O2 -I. -MF $@.d -o $@ $<

# The ladder's loaders: two without a C library, one that is nothing but an exec.
RUNGS      := $(addprefix $(B)/bench/rungs/,$(filter-out $(BENCH_OTHERS),bare faithful exec_only))
BENCH      += $(RUNGS)
RUNG_FLAGS := -O2 -fPIE -ffreestanding -fno-stack-protector -fcf-protection=none -mno-sse \
              -fno-asynchronous-unwind-tables -nostdlib -static-pie -Wl,-z,noseparate-code,-z,norelro,--build-id=none

$(B)/bench/rungs/bare $(B)/bench/rungs/faithful: $(B)/bench/rungs/%: bench/rungs/%.c bench/rungs/rung.c \
                                               bench/rungs/rung.h common/process_stack.c loader/resident/base/memory.c
	$(call step,CC,$@)
	$(CC) $(filter-out -MMD -MP,$(C_ALL)) $(RUNG_FLAGS) -I. -o $@ $(filter %.c,$^)

# The programs that are measured: touch with arrays of many sizes, in every kind of segment.
P              := build/bench
TOUCH_SIZES    := $(filter-out $(BENCH_OTHERS:touch_%=%),1 4 16 64 256 1024 4096)
BENCH_PROGRAMS := $(TOUCH_SIZES:%=$(P)/touch-bss-%) $(P)/touch-data-16 $(P)/touch-rodata-16 \
                  $(P)/touch-text-4 $(P)/calls $(P)/threads $(P)/forks $(P)/arrays
touch_word      = $(word $(1),$(subst -, ,$(notdir $@)))
# ld 2.35 cannot make musl's own references shorter across so much.
MEMORY_MODEL_4096 := -mcmodel=medium -Wl,--no-relax

$(P)/touch-%: bench/programs/touch.c
	$(call step,CC,$@)
	musl-gcc $(GUEST_C) -static $(MEMORY_MODEL_$(call touch_word,3)) -DMIB=$(call touch_word,3) \
		-DAREA_$(shell echo $(call touch_word,2) | tr a-z A-Z) -o $@ $<

$(P)/calls $(P)/threads $(P)/forks $(P)/arrays: $(P)/%: bench/programs/%.c
	$(call step,CC,$@)
	musl-gcc $(GUEST_C) -static -o $@ $<

bench-programs: $(BENCH) $(BENCH_PROGRAMS)

# Results of earlier runs stay where they are: give `make bench RESULTS=folder` to keep both.
RESULTS ?= build/results

bench: all bench-programs
	@bench/suite.sh $(B)/bench/compare $(RESULTS) $(P)

# What the replay reads: the same programs each time.
RECORDINGS ?= build/recordings

recordings: all bench-programs
	@bench/record.sh ./on_demand_loader $(RECORDINGS) $(P)

# Each writes its own results; SIZE in MiB and ROUNDS as in bench/experiments/experiment.c.
.PHONY: $(EXPERIMENTS)
experiments: $(EXPERIMENTS)

frames: all_at_once_loader build/guests/musl-static/fft
start: $(RUNGS) $(B)/bench/empty $(LOADERS:%=$(B)/loader/%)

$(EXPERIMENTS): %: $(B)/bench/%
	@mkdir -p $(RESULTS)
	@$< $(SIZE:%=--size=%) $(ROUNDS:%=--rounds=%) --json=$(RESULTS)/$@.json

# A python3 of the user's own often comes without the system's packages.
# with_matplotlib SCRIPT ARGUMENTS, for share/trace/trace.mk, too
with_matplotlib = for python in python3 /usr/bin/python3; do \
	  if $$python -c 'import matplotlib' 2>/dev/null; then exec $$python $(1); fi; \
	done; echo 'make $@ needs matplotlib: apt-get install python3-matplotlib' >&2; exit 1

PLOTS ?= build/plots

plots:
	@$(call with_matplotlib,bench/plots.py $(RESULTS) $(PLOTS))

# COLD: programs with their arguments, each quoted; those of the default that are not installed are left out.
COLD ?= $(foreach c,git python3 perl node go gcc busybox bash,$(if $(shell command -v $(c)),'$(c) $(COLD_ARGUMENTS_$(c))'))
COLD_ARGUMENTS_git     := --version
COLD_ARGUMENTS_python3 := -c "import json, argparse"
COLD_ARGUMENTS_perl    := -MPOSIX -e 1
COLD_ARGUMENTS_node    := -e 0
COLD_ARGUMENTS_go      := version
COLD_ARGUMENTS_gcc     := --version
COLD_ARGUMENTS_busybox := true
COLD_ARGUMENTS_bash    := -c :

.PHONY: cold
cold: all
	@mkdir -p $(RESULTS)
	@bench/cold.py $(ROUNDS:%=--rounds=%) $(READ_AHEAD:%=--read-ahead=%) --json=$(RESULTS)/cold.json $(COLD)

ratios: all guests bench-programs
	@bench/ratios.sh $(B)/bench $(P)

# What the papers' readers run: all claims of docs/artifact.md in one go, and a page that compares.
ARTIFACT ?= build/artifact

artifact: all bench-programs
	@mkdir -p $(ARTIFACT)
	@SESSIONS="programs policies" bench/suite.sh $(B)/bench/compare $(ARTIFACT) $(P)
	@$(MAKE) --no-print-directory prefault fault_cost start RESULTS=$(ARTIFACT)
	@python3 bench/artifact.py report $(ARTIFACT) docs/artifact.md $(ARTIFACT)/report.html

# What the documents show: one run on an otherwise idle machine, in some ten minutes; as root, for the sessions with
# huge pages always. FIGURES is committed, and `make docs-check` holds the documents to it.
FIGURES          := docs/figures.json
FIGURES_SESSIONS := programs patterns large huge policies profiles growth programs-always growth-always
FIGURES_IN        = $(shell grep -rlE '<!-- (figures|output|the run|[a-z0-9_-]+): ?' --include='*.md' README.md docs)

.PHONY: figures figures-write
figures: all bench-programs
	@bench/figures.py quiet $(RESULTS)
	@mkdir -p $(RESULTS)
	@SESSIONS="$(FIGURES_SESSIONS)" bench/suite.sh $(B)/bench/compare $(RESULTS) $(P)
	@$(B)/bench/compare --rounds=20 --json=$(RESULTS)/prog1.json --loader='./{all_at_once,on_demand,hybrid}_loader' \
		./prog1 > $(RESULTS)/prog1.txt
	@$(MAKE) --no-print-directory prefault fault_cost start RESULTS=$(RESULTS)
	@$(MAKE) --no-print-directory figures-write RESULTS=$(RESULTS)

# Of results that are there: the file, the documents, the two pictures.
figures-write:
	@bench/figures.py collect $(RESULTS) $(FIGURES)
	@bench/figures.py write $(FIGURES) $(FIGURES_IN)
	@$(MAKE) --no-print-directory plots RESULTS=$(RESULTS) PLOTS=$(RESULTS)/plots
	@cp $(RESULTS)/plots/figure1.png $(RESULTS)/plots/growth.png docs/plots
