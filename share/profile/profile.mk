# page-profile, which shows, merges, exports and warms profiles.

PAGE_PROFILE   := build/share/page-profile
PAGE_PROFILE_C := $(wildcard share/profile/*.c) loader/profile/profile_text.c $(wildcard loader/profile/files/*.c) \
                  loader/watch/json.c $(addprefix common/,error.c kernel_text.c output_file.c output_target.c printable.c report.c)

.PHONY: page-profile
page-profile: $(PAGE_PROFILE)

$(PAGE_PROFILE): $(PAGE_PROFILE_C) Makefile $(wildcard share/profile/*.h loader/profile/*.h loader/profile/files/*.h common/*.h)
	$(call step,CC,$@)
	@mkdir -p $(@D)
	musl-gcc -static $(filter-out -MMD -MP,$(C_ALL)) -O2 -I. -o $@ $(filter %.c,$^)
