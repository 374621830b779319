# page-profile, which shows, merges, exports and warms profiles: a link to pagewise.

PAGE_PROFILE := build/share/page-profile

.PHONY: page-profile
page-profile: $(PAGE_PROFILE)

$(PAGE_PROFILE): pagewise
	@mkdir -p $(@D)
	ln -sf ../../pagewise $@
