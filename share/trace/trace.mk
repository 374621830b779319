# The tools that read what --trace=FILE wrote. The Makefile includes this.

# Without TRACE, a run of prog1; its page or picture may have a name of its own.
ifndef TRACE
PROG1_TRACE := build/prog1.trace
PAGE        ?= build/prog1.html
PICTURE     ?= build/prog1.svg
endif
# After a recipe that made a file whose name was not said.
MADE = $(if $(TRACE),:,echo) 'prog1 under on_demand_loader: '
# The trace that a recipe reads.
TRACED := $(or $(TRACE),$(PROG1_TRACE))

build/prog1.trace: on_demand_loader prog1
	@./on_demand_loader --trace=$@ ./prog1 >build/prog1.out

# needs NAME EXAMPLE
needs = $(if $($(1)),,$(error make $@ needs $(1)=$(2)))

# Not among what make demo installs. Where steps are only counted there is no shell to ask.
python3 = $(if $(COUNTING)$(shell command -v python3),python3,$(error make $@ needs python3: apt-get install python3))

picture: $(PROG1_TRACE)
	@$(call needs,PICTURE,file.svg)
	@$(call with_matplotlib,share/trace/trace_plot.py '$(TRACED)' '$(PICTURE)')
	@$(MADE)'$(PICTURE)'

trace-json:
	@$(call needs,TRACE,file)$(call needs,JSON,file)
	@$(python3) share/trace/trace_json.py '$(TRACE)' '$(JSON)'

calls: $(PROG1_TRACE)
	@$(python3) share/trace/trace_calls.py '$(TRACED)' -

page: $(PROG1_TRACE)
	@$(call needs,PAGE,file.html)
	@$(python3) share/trace/trace_page.py $(PROGRAM:%='--program=%') '$(TRACED)' $(TRACE2:%='%') '$(PAGE)'
	@$(MADE)'$(PAGE)'

# The course's three pages: build/pages/death.html, pipeline.html and policies.html.
PAGES := build/pages

course-pages: all
	@command -v bash-static >/dev/null || { echo "make course-pages needs bash-static: apt-get install bash-static" >&2; exit 1; }
	@rm -rf $(PAGES) && mkdir -p $(PAGES)
	@./on_demand_loader --retire=never --trace=$(PAGES)/death ./prog4 >$(PAGES)/out 2>&1 || true
	@./on_demand_loader --retire=never --trace=$(PAGES)/pipeline bash-static -c 'for i in 1 2 3; do echo $$i; done | sort' >$(PAGES)/out
	@for policy in none adaptive; do ./hybrid_loader --huge=never --policy=$$policy --trace=$(PAGES)/$$policy ./prog1; done >$(PAGES)/out
	@for page in death pipeline; do $(python3) share/trace/trace_page.py $(PAGES)/$$page $(PAGES)/$$page.html; done
	@$(python3) share/trace/trace_page.py $(PAGES)/none $(PAGES)/adaptive $(PAGES)/policies.html
	@echo "the pages are in $(PAGES): open them in a browser"

# What the last of them looks like, for the documents.
PAGE_LOOK := --headless=new --no-sandbox --disable-gpu --hide-scrollbars --window-size=1500,1090 --user-data-dir=$(PAGES)/browser
SHRINK    := -c "from PIL import Image; Image.open('$(PAGES)/full.png').convert('RGB').quantize(128, method=2).save( \
             'docs/pages/policies.png', optimize=True)"

course-picture: course-pages
	@chromium $(PAGE_LOOK) --screenshot=$(PAGES)/full.png 'file://$(CURDIR)/$(PAGES)/policies.html#t=700000' 2>$(PAGES)/log
	@$(call with_matplotlib,$(SHRINK))
