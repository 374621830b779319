#!/usr/bin/env bats
#
# Do guests test what they are about? Each that is about hidden pages has a mark (testprogs/mark.h), which
# it must reach before lazy paging ends. One that tests the end itself says so in its first comment:
# "No mark: ...", or "No mark with userfaultfd: ..." and "No mark on arm64: ..." where only that engine, or loaders that
# rewrite system calls, have to end it.

load helpers

# about_hidden_pages: their sources.
about_hidden_pages() {
	ls "$ROOT"/testprogs/{call,descriptor,memory,process,signal,thread}_*.c
}

# with_mark: the names of the guests that have one on this processor.
with_mark() {
	local name list
	grep -l 'mark();' "$ROOT"/testprogs/*.c | xargs grep -L "^ \* No mark on $MACHINE: " | sed 's|.*/||; s|\.c$||' |
		while read -r name; do
			list=$(grep -l "^$name " "$ROOT"/testprogs/only/*) && [ "${list##*/}" != "$(uname -m)" ] || echo "$name"
		done
}

# bss_bytes PROGRAM
bss_bytes() {
	size -A "$1" | awk '$1 == ".bss" { print $2 }'
}

@test "each guest that is about hidden pages has one mark, or says why it has none" {
	local file failed=0
	for file in $(about_hidden_pages); do
		[ $(($(grep -c '\bmark();' "$file") + $(grep -c '^ \* No mark: ' "$file"))) = 1 ] && continue
		echo "$file: neither mark() nor \"No mark: ...\" in its first comment, or both"
		failed=1
	done
	return "$failed"
}

@test "on_demand_loader: every mark is reached before lazy paging ends" {
	requires lazy
	local guest failed=0
	for guest in $(with_mark); do
		reaches_its_mark "$ROOT/on_demand_loader" "$GUESTS/musl-static/$guest" --retire=never || failed=1
	done
	return "$failed"
}

@test "hybrid_loader, userfaultfd: every mark that can be" {
	requires userfaultfd descriptors
	local guest status failed=0
	for guest in $(with_mark); do
		grep -q '^ \* No mark with userfaultfd: ' "$ROOT/testprogs/$guest.c" && continue
		status=0
		reaches_its_mark "$ROOT/hybrid_loader" "$GUESTS/musl-static/$guest" --retire=never \
			--engine=userfaultfd || status=$?
		# 2: nothing is hidden from it, as hybrid_loader hides .bss alone.
		[ "$status" = 0 ] || { [ "$status" = 2 ] && [ "$(bss_bytes "$GUESTS/musl-static/$guest")" -lt 4096 ]; } ||
			failed=1
	done
	return "$failed"
}
