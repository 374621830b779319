# make placement: page-layout, and the library for programs that choose their frames.

PAGE_LAYOUT   := build/share/page-layout
LAYOUT_C      := common/placement/layout.c common/placement/layout_text.c common/error.c
PAGE_LAYOUT_C := share/placement/page_layout.c share/placement/layout_report.c $(LAYOUT_C)

.PHONY: placement
placement: $(PAGE_LAYOUT)

$(PAGE_LAYOUT): $(PAGE_LAYOUT_C) common/kernel_abi.h $(wildcard common/placement/*.h share/placement/*.h)
	$(call step,CC,$@)
	@mkdir -p $(@D)
	musl-gcc -static $(filter-out -MMD -MP,$(C_ALL)) -O2 -I. -o $@ $(filter %.c,$^)
