# make order-demo: what order files give programs of others; docs/order.md.

.PHONY: order-demo
order-demo: pagewise build/order-demo/count_pages
	share/order/demo/order_demo.py $(STARTS:%=--starts=%) $(READ_AHEAD:%=--read-ahead=%) $(NAMES)

build/order-demo/count_pages: share/order/demo/count_pages.c
	$(call step,CC,$@)
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(C_ALL)) -O2 -o $@ $<
