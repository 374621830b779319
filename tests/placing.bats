#!/usr/bin/env bats
#
# --placement, --place-hint, --layout: the program's data on chosen frames.

load helpers

setup() {
	cd "$ROOT" || return
	T=$BATS_TEST_TMPDIR
}

# colors LAYOUT BASE: how many pages have a frame, and how many the color of their page.
colors() {
	python3 - "$1" "$2" <<-'END'
		import sys
		base, page, pages, right = int(sys.argv[2]), None, 0, 0
		for line in open(sys.argv[1]):
		    if line.startswith("vma:"):
		        page = int(line[4:].split()[0], 16) // 4096
		        continue
		    if line[0].isdigit():
		        pages += 1
		        right += int(line) % base == page % base
		    page += 1
		print(pages, "pages,", right, "right")
	END
}

# stat_of KEY FILE: of --stats=FILE.
stat_of() {
	python3 -c 'import json, sys; print(json.load(open(sys.argv[2]))[sys.argv[1]])' "$1" "$2"
}

# colored LOADER PROGRAM [OPTION]...: every page that the program sees itself has its color.
colored() {
	while_pages_stay is_colored "$@"
}

is_colored() {
	expect "exit 0" "$1" --placement=coloring:16 "${@:3}" "$2" 16
	[[ $(found out) == "195 pages, 195 of their color, each color "* ]] || {
		echo "$*"
		found out
		return 1
	}
}

@test "after coloring:16 each page has its colour, as the program sees it" {
	requires frames
	for loader in $LOADERS; do
		for variant in "${VARIANTS[@]}"; do
			colored "$loader" "$GUESTS/$variant/frame_numbers"
		done
	done
	for policy in none adaptive; do
		colored ./hybrid_loader "$GUESTS/musl-static/frame_numbers" --engine=userfaultfd \
			--policy=$policy --verify
		colored ./on_demand_loader "$GUESTS/musl-pie/frame_numbers" --policy=$policy --verify
	done
	colored ./hybrid_loader "$GUESTS/musl-static/frame_numbers" --engine=userfaultfd --guard=none
}

# hops LOADER
hops() {
	expect "exit 0" "$1" --placement=bin-hopping:8 --place-hint=data:none "$GUESTS/musl-static/frame_numbers" 8
	# Pages of .bss that others use are among them.
	read -r _ _ _ _ _ _ _ _ least _ most _ <<<"$(found out)"
	[ "$least" -ge 15 ]
	[ "$most" -le 33 ]
}

@test "bin hopping takes each colour as often as the others" {
	requires frames
	for loader in $LOADERS; do
		while_pages_stay hops "$loader"
	done
}

# lays_out LOADER
lays_out() {
	"$1" --placement=coloring:16 --stats="$T/stats" --layout="$T/layout" ./prog1
	placed=$(stat_of placed_pages "$T/stats")
	[ "$placed" -ge 979 ]
	[ "$(stat_of unplaced_pages "$T/stats")" = 0 ]
	[ "$(stat_of placement "$T/stats")" = coloring:16 ]
	read -r pages _ right _ <<<"$(colors "$T/layout" 16)"
	[ "$pages" = "$(stat_of resident_pages "$T/stats")" ]
	[ "$right" -ge "$placed" ]
}

@test "the layout at exit: the program's pages, each with its colour, by --stats, too" {
	requires frames
	for loader in $LOADERS; do
		while_pages_stay lays_out "$loader"
	done
}

# hinted LOADER HINT: the pages from $start to $end have other frames than the rest from $bss on.
hinted() {
	"$1" --placement=coloring:4 --place-hint="$2" --layout="$T/layout" ./prog1
	python3 - "$T/layout" $start $end $bss <<-'END'
		import sys
		start, end, bss = map(int, sys.argv[2:])
		page, first, rest = 0, [], []
		for line in open(sys.argv[1]):
		    if line.startswith("vma:"):
		        page = int(line[4:].split()[0], 16) // 4096
		        continue
		    if line[0].isdigit():
		        frame = int(line)
		        if start <= page < end:
		            first.append(frame % 8 == 3)
		        elif page > bss and page not in (start - 1, end, end + 1):
		            rest.append(frame % 4 == page % 4)
		    page += 1
		assert all(first) and all(rest), (len(first), sum(first), len(rest), sum(rest))
	END
}

@test "hints: symbols and ranges have their own strategy" {
	requires frames
	nm=$(nm -S prog1 | grep ' first$')
	read -r start end _ <<<"$nm"
	start=$((16#$start / 4096 + 1)) end=$((start + 16#$end / 4096 - 2))
	bss=$((16#$(nm prog1 | sed -n 's/ B __bss_start$//p') / 4096 + 1))
	for loader in $LOADERS; do
		for hint in first:modulo:8,3 "$(printf %x-%x:modulo:8,3 $((start * 4096)) $((end * 4096)))"; do
			while_pages_stay hinted "$loader" "$hint"
		done
	done
	# A symbol of which nothing is known, words that make no sense.
	while IFS='|' read -r option sentence; do
		refuses "$sentence" ./hybrid_loader "$option" ./prog1
	done <<-'END'
		--place-hint=frist:coloring|the program has no symbol 'frist'
		--place-hint=coloring|has no strategy; write SYMBOL:STRATEGY
		--place-hint=first:colours|--place-hint=colours is unknown; there are none
		--placement=coloring:0|--placement=coloring:0: name none, exact:FILE
		--placement=exact:/nowhere|the layout /nowhere cannot be read
		--placement=exact:README.md|README.md is no layout
	END
	# A symbol table whose sh_link names no section of strings has no names.
	python3 - prog1 "$T/nameless" <<-'END'
		import struct, sys
		file = bytearray(open(sys.argv[1], "rb").read())
		(sections,) = struct.unpack_from("<Q", file, 40)
		size, count = struct.unpack_from("<HH", file, 58)
		kinds = {struct.unpack_from("<I", file, at + 4)[0]: at
		         for at in range(sections, sections + count * size, size)}
		struct.pack_into("<I", file, kinds[2] + 40, 0)
		open(sys.argv[2], "wb").write(file)
	END
	chmod +x "$T/nameless"
	expect "exit 125" ./hybrid_loader --place-hint=buf:coloring "$T/nameless"
	[[ $(found err) == *"the program has no symbol 'buf'"* ]]
	mapfile -t hints < <(yes -- --place-hint=buf:coloring | head -n 17)
	expect "exit 125" ./hybrid_loader "${hints[@]}" ./prog1
	[[ $(found err) == *"there may be 16 of them; leave one out"* ]]
	expect "exit 125" ./on_demand_loader --engine=guard --placement=coloring:16 ./prog1
	[[ $(found err) == *"--engine=guard cannot place pages; leave it out"* ]]
}

@test "--layout where nothing is mounted on /proc: a line says so, and an older layout is kept" {
	requires user_namespaces
	echo old >"$T/layout"
	for loader in $LOADERS; do
		ran 125 unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none /proc && exec "$@"' sh \
			"$loader" --layout="$T/layout" ./prog1
		[ "${#lines[@]}" = 1 ]
		[[ $output == *"its memory cannot be held"*"mount /proc"* ]]
		[ "$(cat "$T/layout")" = old ]
		[ "$(find "$T" -name 'layout*' | wc -l)" = 1 ]
	done
}

# exact_again PROGRAM LOADER: a second run reports its share, and those pages have the very frames.
exact_again() {
	"$2" --layout="$T/first" "$1" >"$T/out"
	"$2" --placement=exact:"$T/first" --layout="$T/second" --stats="$T/stats" "$1" >"$T/out"
	[ "$(cat "$T/out")" = "hello!" ]
	wanted=$(stat_of exact_pages "$T/stats") got=$(stat_of exact_placed "$T/stats")
	[ "$wanted" -ge 900 ]
	[ "$got" -le "$(stat_of exact_met "$T/stats")" ]
	# Every frame was met, or in use, or free elsewhere: the superuser is told which.
	[ $(($(stat_of exact_met "$T/stats") + $(stat_of exact_in_use "$T/stats") + $(stat_of exact_not_met "$T/stats"))) = "$wanted" ]
	same=$(diff --unchanged-line-format='%L' --old-line-format='' --new-line-format='' \
		<(grep -v : "$T/first") <(grep -v : "$T/second") | grep -c '^[0-9]' || true)
	echo "$2: $got of $wanted; the same lines: $same"
	[ "$same" -ge "$got" ]
}

@test "a second run with exact reports its share" {
	requires frames
	for loader in $LOADERS; do
		while_pages_stay exact_again ./prog1 "$loader"
	done
	while_pages_stay exact_again "$GUESTS/musl-pie/prog1" ./all_at_once_loader
	./hybrid_loader --layout="$T/first" ./prog1
	./hybrid_loader --placement=exact:"$T/first" --stats ./prog1 2>"$T/said"
	grep 'frames of an earlier run .* of [0-9]*, [0-9]* %$' "$T/said"
	grep 'when they were sought  *[0-9]*  met; [0-9]* in use, [0-9]* free but not met$' "$T/said"
}

# The search goes from one processor to another: here to all of them, because the frame cannot be had.
@test "after exact a program may run on the processors that it was given" {
	requires frames taskset static_busybox
	local search=(busybox grep Cpus_allowed_list /proc/self/status) loader
	for loader in $LOADERS; do
		"$loader" --layout="$T/first" "${search[@]}" >"$T/said"
		sed -i 's/^[0-9].*/1/' "$T/first"
		[ "$("$loader" --placement=exact:"$T/first" --stats="$T/stats" "${search[@]}")" = "$(cat "$T/said")" ]
		[ "$(stat_of exact_pages "$T/stats")" -gt 0 ]
		[ "$(stat_of exact_met "$T/stats")" = 0 ]
		[ "$(taskset -c 0 "$loader" --placement=exact:"$T/first" "${search[@]}")" = "$(taskset -c 0 "${search[@]}")" ]
	done
}

@test "what a pool does not have is counted" {
	requires frames
	for loader in $LOADERS; do
		# Far more than any pool may look at.
		"$loader" --placement=modulo:500000,7 --stats="$T/stats" ./prog1
		[ "$(stat_of placed_pages "$T/stats")" -le 8 ]
		[ "$(stat_of unplaced_pages "$T/stats")" -ge 970 ]
	done
}

@test "programs do not notice placement: forks, threads, signals, contents" {
	# What is placed is mapped twice meanwhile, and every_second_page has 1 GiB of .bss.
	requires addresses two_gigabytes
	# Without the numbers of frames, colors are those of 2 MiB pages.
	has_frames || requires huge_pages
	with_options --placement=bin-hopping:16
	for guest in prog1 prog2 prog3 prog4 heap every_second_page process_fork_pages process_fork_tree \
		process_vfork thread_same_pages thread_fork memory_protect process_exec_self; do
		ENDED_BY='*' same_as_native "$GUESTS/musl-static/$guest"
	done
	for guest in thread_unmap_race signal_fault_storm process_fork_pages; do
		same_as_native "$GUESTS/glibc-pie/$guest"
	done
	# Without UFFDIO_MOVE each page that is placed is a mapping of its own (docs/quirks.md).
	[ -z "$(engines_of userfaultfd)" ] || same_as_native "$GUESTS/musl-static/memory_remap"
	requires static_busybox
	same_as_native busybox sh -c 'for i in 1 2 3; do echo $i | sed s/1/x/; done; (exit 3)'
}

@test "without privilege: colours from 2 MiB pages; what needs numbers is refused in a sentence" {
	requires huge_pages
	drop_privileges
	for loader in $LOADERS; do
		"${UNDER[@]}" "$loader" --placement=coloring:16 --stats ./prog1 2>&1 | tee "$T/said"
		grep -q 'pages placed  *[1-9][0-9]*  by coloring:16; 0 are on other frames' "$T/said"
	done
	printf 'vma:400000 401000:1\n77\n' >"$T/layout"
	chmod a+rx "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR"/*/ "$T"
	for how in modulo:24,1 exact:"$T/layout"; do
		for loader in $LOADERS; do
			refuses "needs the numbers of frames" "${UNDER[@]}" "$loader" --placement="$how" ./prog1
		done
	done
}

# seen_from_outside LOADER: a program of somebody who is told no numbers, looked at by root.
seen_from_outside() {
	rm -f "$T/hold" "$T/said"
	mkfifo "$T/hold"
	"${UNDER[@]}" "$1" --placement=coloring:32 --place-hint=array:coloring:16 "$GUESTS/musl-static/waits_on_pages" \
		<"$T/hold" >"$T/said" 3>&- 4>&- &
	PID=$!
	exec 9>"$T/hold"
	until [ -s "$T/said" ]; do
		kill -0 $PID
		sleep 0.02
	done
	build/share/page-layout "$PID" "$(cat "$T/said")" >"$T/layout"
	exec 9>&-
	wait $PID
	seen=$(colors "$T/layout" 16)
	echo "$1: $seen"
	[ "$seen" = "64 pages, 64 right" ]
}

@test "the colours of those without privilege are right" {
	requires frames huge_pages
	fresh_make placement
	drop_privileges
	for loader in $LOADERS; do
		while_pages_stay seen_from_outside "$loader"
	done
}

# colored_before_entry LOADER
colored_before_entry() {
	expect "exit 0" "$GUESTS/tools/deny" userfaultfd:ENOSYS -- "$1" --placement=coloring:16 \
		"$GUESTS/musl-static/frame_numbers" 16
	[[ $(found out) == "195 pages, 195 of their color"* ]]
}

@test "where there is no UFFDIO_MOVE, all is placed before entry" {
	requires frames
	for loader in $LOADERS; do
		while_pages_stay colored_before_entry "$loader"
	done
}
