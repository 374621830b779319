#!/usr/bin/env bats
#
# Which frame backs which page: page-layout, the library, --placement. What they say is compared with
# /proc/self/pagemap.

load helpers

setup() {
	cd "$ROOT" || return
	T=$BATS_TEST_TMPDIR
	fresh_make placement
}

page_layout() {
	"${UNDER[@]}" "$ROOT/build/share/page-layout" "$@"
}

# hold_frames: a process with pages of several kinds; $PID, and what it says of them in $T/said.
hold_frames() {
	rm -f "$T/hold" "$T/said"
	head -c 12288 /dev/zero >"$T/file"
	mkfifo "$T/hold"
	"$GUESTS/tools/frames" "$T/file" <"$T/hold" >"$T/said" 3>&- 4>&- &
	PID=$!
	exec 9>"$T/hold"
	until grep -q '^end$' "$T/said" 2>/dev/null; do
		kill -0 "$PID"
		sleep 0.02
	done
}

let_go() {
	exec 9>&-
	wait "$PID" || true
}

# said KIND: the range; said_pages KIND: the pages, as the process saw them.
said() {
	sed -n "s/^$1 //p" "$T/said"
}

said_pages() {
	awk -v kind="$1" '/^[a-z]/ { on = $1 == kind; next } on' "$T/said"
}

prints_frames() {
	hold_frames
	for kind in anonymous file shared huge; do
		ran 0 page_layout "$PID" "$(said "$kind")"
		range=$(said "$kind")
		[ "${lines[0]}" = "vma:${range/-/ }:$(said_pages "$kind" | wc -l)" ]
		diff <(printf '%s\n' "${lines[@]:1}") <(said_pages "$kind")
		# Runs of letters are the same pages.
		page_layout --runs "$PID" "$range" | awk '
			$1 ~ /^[?NFS]$/ && NF == 2 { for (i = 0; i < $2; i++) print $1; next } 1' | diff - <(printf '%s\n' "${lines[@]}")
	done
	[ "$(said_pages anonymous | grep -c N)" = 5 ]
	[ "$(said_pages file | grep -c F)" = 1 ]
	# The whole process: a line a mapping, as many pages as it says.
	page_layout "$PID" >"$T/all"
	diff <(sed -n 's/^vma:\(.*\) \(.*\):.*/\1-\2/p' "$T/all") \
		<(cut -d ' ' -f 1 "/proc/$PID/maps" | sed 's/\b0*\([0-9a-f]\)/\1/g')
	[ "$(sed -n 's/^vma:.*:/+/p' "$T/all" | tr -d '+' | awk '{ n += $1 } END { print n }')" = "$(grep -vc '^vma:' "$T/all")" ]
	let_go
}

@test "page-layout prints the frames that a process sees itself" {
	while_pages_stay prints_frames
}

@test "page-layout knows shared and huge pages, as JSON, too" {
	hold_frames
	local colors=()
	! has_frames || colors=(--colors=16)
	for kind in anonymous huge; do
		page_layout --json "${colors[@]}" "$PID" "$(said "$kind")" >"$T/$kind.json"
	done
	page_layout --json "$PID" >"$T/all.json"
	python3 - "$T" "$(uname -r)" <<-'END'
		import json, re, sys
		folder, kernel = sys.argv[1], tuple(map(int, re.findall(r"\d+", sys.argv[2])[:2]))
		plain = json.load(open(folder + "/anonymous.json"))
		frames = plain["mappings"][0]["frames"]
		known = [f for f in frames if not isinstance(f, str)]
		assert plain["none"] == frames.count("N") == 5 and plain["present"] == 3
		# The child of a fork has them, too, but for those that were written since.
		assert plain["shared"] >= 2, plain
		if known:
		    assert sum(plain["colors"]) == 3
		    assert all(plain["colors"][frame % 16] for frame in known)
		huge = json.load(open(folder + "/huge.json"))
		if huge["present"] == 512 and kernel >= (6, 7):
		    assert huge["huge"] == 512, huge["huge"]
		whole = json.load(open(folder + "/all.json"))
		for key in ("present", "none", "file", "swapped", "shared", "huge"):
		    assert whole[key] == sum(m[key] for m in whole["mappings"]), key
		assert all(len(m["frames"]) == m["pages"] for m in whole["mappings"])
	END
	let_go
}

counts_colors() {
	hold_frames
	page_layout --colors=16 "$PID" "$(said anonymous)" >"$T/colors"
	[[ $(head -n 1 "$T/colors") == "3 pages in memory, 3 of them with a known frame, "* ]]
	diff <(awk 'NR > 1 { print $1, $2 }' "$T/colors") \
		<(said_pages anonymous | grep -v N | awk '{ n[$1 % 16]++ } END { for (i = 0; i < 16; i++) print i, n[i] + 0 }')
	let_go
}

@test "page-layout counts colours" {
	requires frames
	while_pages_stay counts_colors
}

@test "page-layout, without privilege: pages without numbers, no colours" {
	drop_privileges
	page_layout self >"$T/self"
	grep -q '^?$' "$T/self"
	[ "$(grep -c '^[0-9]' "$T/self")" = 0 ]
	expect "exit 125" "${UNDER[@]}" "$ROOT/build/share/page-layout" --colors=4 self
	[[ $(found err) == "page-layout: the kernel gives frame numbers only to processes with CAP_SYS_ADMIN"* ]]
}

@test "page-layout refuses what it cannot do, in a sentence" {
	while IFS='|' read -r arguments sentence; do
		# shellcheck disable=SC2086 # words
		refuses "page-layout: $sentence" "${UNDER[@]}" "$ROOT/build/share/page-layout" $arguments
	done <<-'END'
		|the number of a process is missing
		x|PID is the number of a process, not 'x'
		-c 0 self|--colors is a number from 1 to 65536, not '0'
		-c|--colors wants a number
		--foo self|there are --runs, --colors and --json, not '--foo'
		self 1000|START-END are addresses of pages
		self 2000-1000|START-END are addresses of pages
		self 1000-2001|START-END are addresses of pages
		self 1000-2000 x|there is one PID
		4194304|there is no process 4194304
	END
	page_layout --help | grep -q '^Usage: page-layout'
}

# in_both_libcs COMMAND...: $LIBRARY_TEST is the program.
in_both_libcs() {
	for LIBRARY_TEST in "$ROOT/build/share/placement_test" "$ROOT/build/share/placement_test-musl"; do
		"$@"
	done
}

library() {
	echo "$LIBRARY_TEST $1"
	expect "exit 0" "${UNDER[@]}" "$LIBRARY_TEST" "$1"
}

@test "the library places pages on the frames of each strategy" {
	requires frames
	in_both_libcs library colors
	in_both_libcs library exact
}

@test "the library: contents survive under threads" {
	requires frames userfaultfd
	in_both_libcs repeated 2 library threads
}

@test "the library: contents survive under forks; a child places its own memory" {
	requires frames
	in_both_libcs repeated 2 library forks
	in_both_libcs library child
}

@test "the library: default strategy, memory given back, errors are values" {
	requires frames
	for test in rest memory errors; do
		in_both_libcs library $test
	done
}

# unprivileged_library: a user who is told no frames places pages; root looks at them.
unprivileged_library() {
	rm -f "$T/hold" "$T/said"
	mkfifo "$T/hold"
	"${UNDER[@]}" "$LIBRARY_TEST" unprivileged <"$T/hold" >"$T/said" 3>&- 4>&- &
	PID=$!
	exec 9>"$T/hold"
	until grep -qs -- - "$T/said"; do
		kill -0 "$PID"
		sleep 0.02
	done
	cat "$T/said"
	[ "$(head -n 1 "$T/said")" = "768 placed, 0 unplaced" ]
	"$ROOT/build/share/page-layout" "$PID" "$(tail -n 1 "$T/said")" | python3 -c '
import sys
page = None
for line in sys.stdin:
    if line.startswith("vma:"):
        page = int(line[4:].split()[0], 16) // 4096
        continue
    assert int(line) % 16 == page % 16, (page, line)
    page += 1'
	let_go
}

@test "the library, without privilege: colours from 2 MiB pages; the rest is refused" {
	requires frames huge_pages userfaultfd
	drop_privileges
	in_both_libcs while_pages_stay unprivileged_library
	for test in threads forks; do
		in_both_libcs library $test
	done
}

@test "the library, where there is no UFFDIO_MOVE" {
	requires frames
	UNDER=("$GUESTS/tools/deny" userfaultfd:ENOSYS --)
	for test in colors exact child errors; do
		in_both_libcs library $test
	done
}
