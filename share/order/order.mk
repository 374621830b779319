# make order-demo: what order files give programs of others; docs/order.md.

.PHONY: order-demo order-picture
order-demo: pagewise build/order-demo/count_pages
	share/order/fetch_linkers.sh
	share/order/demo/order_demo.py $(STARTS:%=--starts=%) $(READ_AHEAD:%=--read-ahead=%) $(NAMES)

build/order-demo/count_pages: share/order/demo/count_pages.c
	$(call step,CC,$@)
	$(CC) $(filter-out -MMD -MP,$(C_ALL)) -O2 -o $@ $<

# The picture of docs/order.md: git of order-demo, plainly linked and ordered, on the page of two runs.
ORDER_GIT := build/order-demo/git
# Only the maps: the times of a trace are not those of a run.
ORDER_MAPS := convert('RGB').crop((0,560,1500,895))
ORDER_RUN := -C $(ORDER_GIT)/repository diff --stat HEAD~1

order-picture: on_demand_loader
	@for way in plain ordered; do ./on_demand_loader --policy=none --trace=$(ORDER_GIT)/$$way.trace $(ORDER_GIT)/$$way $(ORDER_RUN) >$(ORDER_GIT)/out; done
	@mkdir -p $(PAGES)
	@$(python3) share/trace/trace_page.py $(ORDER_GIT)/plain.trace $(ORDER_GIT)/ordered.trace $(PAGES)/order.html
	@chromium $(PAGE_LOOK) --screenshot=$(PAGES)/full.png 'file://$(CURDIR)/$(PAGES)/order.html#t=1000000000' 2>$(PAGES)/log
	@$(call with_matplotlib,$(subst convert('RGB'),$(ORDER_MAPS),$(subst policies,order,$(SHRINK))))
