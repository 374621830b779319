# The tools that read what --trace=FILE wrote. The Makefile includes this.

# needs NAME EXAMPLE
needs = $(if $($(1)),,$(error make $@ needs $(1)=$(2)))

picture:
	@$(call needs,TRACE,file)$(call needs,PICTURE,file.svg)
	@$(call with_matplotlib,share/trace/trace_plot.py '$(TRACE)' '$(PICTURE)')

trace-json:
	@$(call needs,TRACE,file)$(call needs,JSON,file)
	@python3 share/trace/trace_json.py '$(TRACE)' '$(JSON)'
