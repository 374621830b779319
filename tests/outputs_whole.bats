#!/usr/bin/env bats
#
# Whatever becomes of the loader, the disk or the folder: the old output is whole, or the new one is.

load helpers
load ways_out

setup() {
	mkdir "$BATS_TEST_TMPDIR/work" && cd "$BATS_TEST_TMPDIR/work" || return
	cp "$ROOT/prog1" good
	HYBRID=$ROOT/hybrid_loader loader=$ROOT/hybrid_loader
	OPTIONS=$(outputs_of hybrid_loader | grep -v layout)
}

# kept OLD: the file `output` is as OLD, and nothing is beside it.
kept() {
	cmp output "$1" && [ -z "$(find . -name '*partial*')" ]
}

# before_the_start REMEDY COMMAND...: refused, with nothing changed.
before_the_start() {
	cp -p output ../old
	says 125 "$@" && kept ../old && [ "$(stat -c %Y.%i output)" = "$NUMBER" ]
}

@test "killed at any moment" {
	requires python3
	seeded
	# shellcheck disable=SC2086 # several words
	python3 - "$ROOT/on_demand_loader" "$ROOT/prog1" $OPTIONS <<-'END'
		import json, os, pathlib, random, signal, subprocess, sys, time

		loader, program, *outputs = sys.argv[1:]
		options = ["--policy=none", "--retire=never"]
		rng = random.Random(int(os.environ["SEED"]))
		output = pathlib.Path("output")

		def is_whole(option, content):
		    if option == "--stats":
		        return json.loads(content)["exit_status"] == 0
		    if option == "--trace":
		        return content.rstrip(b"\n").rpartition(b"\n")[2].startswith(b"end\t")
		    head, _, touches = content.rpartition(b"touches ")
		    return head.startswith(b"page-profile 1\n") and \
		        touches.count(b"\n") == int(touches.split()[0]) + 1

		for option in outputs:
		    command = [loader, *options, f"{option}={output}", program]
		    start = time.monotonic()
		    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
		    length = time.monotonic() - start
		    seen = {"old": 0, "new": 0, "partial": 0}
		    for i in range(60):
		        output.write_bytes(b"old")
		        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
		        # The first one at once, before there can be anything new.
		        time.sleep(length * rng.uniform(0, 1.3 * i / 59))
		        child.kill()
		        child.wait()
		        content = output.read_bytes()
		        assert content == b"old" or is_whole(option, content), (option, content[-200:])
		        seen["old" if content == b"old" else "new"] += 1
		        for partial in pathlib.Path(".").glob("output.partial-*"):
		            seen["partial"] += 1
		            assert partial.stat().st_mode & 0o777 == 0o600 or is_whole(option, partial.read_bytes())
		            partial.unlink()
		        assert sorted(os.listdir()) == ["good", "output"], os.listdir()
		    print(option, seen)
		    assert seen["old"] > 0
	END
}

# written_whole NAME OPTION...: the guest `memory_left` ends as natively, by itself and by signals, and the file NAME
# is written, with nothing beside it.
written_whole() {
	local name=$1 end ENDED_BY=exit
	shift
	for end in "" 6 9 11; do
		rm -f "$name"
		# shellcheck disable=SC2034 # helpers.bash reads ENDED_BY
		[ -z "$end" ] || ENDED_BY=signal
		# shellcheck disable=SC2086 # none, or a number
		LOADER_OPTIONS=$* same_as_native "$GUESTS/musl-static/memory_left" $end || return
		[ -s "$name" ] && [ "$(ls -A)" = "$NAMES"$'\n'"$name" ] && continue
		echo "$*, signal '$end': written are $(ls -A)"
		return 1
	done
}

@test "whatever the program leaves of its memory, and whatever ends it" {
	NAMES=$(ls -A)
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			LOADERS=$loader written_whole output "$option=output"
		done
	done
	for engine in $(engines_here); do
		for option in $OPTIONS; do
			only_under on_demand_loader,hybrid_loader written_whole output "$option=output" "--engine=$engine"
		done
	done
	requires lazy
	"$HYBRID" --record=profile "$GUESTS/musl-static/memory_left" >/dev/null
	NAMES=$(ls -A)
	written_whole stats --profile=profile --stats=stats
}

# on_full_disk BYTES SCRIPT [ARG]...: in a folder of so many bytes.
on_full_disk() {
	unshare --user --map-root-user --mount bash -c \
		'mount -t tmpfs -o "size=$0" none full && cd full && eval "$1"' "$@" 3>&- 4>&-
}

@test "on a full disk" {
	requires user_namespaces
	mkdir full
	export HYBRID
	cp "$GUESTS/musl-static/every_second_page" many
	for option in $OPTIONS; do
		export option
		ran any on_full_disk 8k 'head -c 5000 /dev/zero >output && cp output ../old &&
			"$HYBRID" --policy=none "$option=output" ../many >../out; echo $?; cmp output ../old && ls -A'
		# On a busy machine a line more says how many events were too many to be told.
		mapfile -t lines < <(grep -v ' events\? \(is\|are\) missing: too many at a time$' <<<"$output")
		[ "${#lines[@]}" = 3 ]
		[ "${lines[1]}" = 125 ]
		[ "${lines[2]}" = output ]
		[[ ${lines[0]} == *" cannot be written to output: No space left on device; the old file is kept; name another file" ]]
		grep -q 'every second page' out
		# Not even the output's name fits on the disk, which the loader can say before the
		# start.
		ran any on_full_disk 64k,nr_inodes=2 'echo old >output; "$HYBRID" "$option=output" ../good; echo $?; cat output; ls -A'
		[ "${#lines[@]}" = 4 ]
		[ "${lines[1]}" = 125 ]
		[ "${lines[2]}" = old ]
		[ "${lines[3]}" = output ]
		[[ ${lines[0]} == *" cannot be written to output: No space left on device; "* ]]
		# The disk is read-only.
		run on_full_disk 64k 'echo old >output; mount -o remount,ro,bind . && "$HYBRID" "$option=output" ../good; echo $?; ls -A'
		[[ $output == *"Read-only file system"*$'\n'125$'\noutput' ]]
	done
}

@test "beyond the limit of a file's length" {
	requires prlimit
	local size=300
	# Its errors are a file, too, and have the warning first.
	expect_warning
	[ -z "$EXPECTED_WARNING" ] || size=500
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			rm -f output
			expect "exit 125" prlimit --fsize="$size" "$loader" "$option=output" ./good
			[[ $(found err) == *" cannot be written to output: File too large; raise the limit of files (ulimit -f)" ]]
			[ "$(found out)" = hello! ]
			[ "$(ls -A)" = good ]
			echo old >output && cp output ../old
			expect "exit 125" prlimit --fsize="$size" "$loader" "$option=output" ./good
			[[ $(found err) == *": File too large; the old file is kept; raise the limit of files (ulimit -f)" ]]
			[ "$(found out)" = hello! ]
			kept ../old
		done
	done
}

@test "an output that is missing changes no status but 0" {
	requires dev_full static_busybox
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			expect "exit 125" "$loader" "$option=/dev/full" busybox true
			expect "exit 1" "$loader" "$option=/dev/full" busybox false
			expect "exit 42" "$loader" "$option=/dev/full" busybox sh -c 'exit 42'
			expect "signal 15" "$loader" "$option=/dev/full" busybox sh -c 'kill $$'
			[[ $(found err) == *" cannot be written to /dev/full: No space left on device; name another file" ]]
		done
		expect "exit 0" "$loader" --stats busybox true
	done
}

@test "what may not be written, or not replaced, is refused before the start" {
	requires root
	chmod 1777 . && echo old >output && ln -s ../mine link
	NUMBER=$(stat -c %Y.%i output)
	mkdir closed && echo old >closed/output && chmod 555 closed && chmod 666 closed/output
	cp -r closed ../closed
	drop_privileges ./good
	for option in $OPTIONS; do
		# A folder like /tmp, and somebody else's file, which he lets us write, or does not.
		for mode in 444 666; do
			chmod "$mode" output
			before_the_start "cannot be written to output: " "$ROOT/hybrid_loader" "$option=output" ./good
		done
		# A link that somebody else has put into it.
		says 125 "cannot be written to link: Permission denied" "$ROOT/hybrid_loader" "$option=link" ./good
		says 125 "cannot be written to closed/output: Permission denied" "$ROOT/hybrid_loader" "$option=closed/output" ./good
		says 125 "cannot be written to closed/new: Permission denied" "$ROOT/hybrid_loader" "$option=closed/new" ./good
	done
	diff -r closed ../closed
}

@test "the owner stays, where that is permitted" {
	requires root
	for option in $OPTIONS; do
		echo old >output && chown 12345:54321 output && chmod 664 output
		works "$HYBRID" "$option=output" ./good
		[ "$(stat -c '%u %g %a' output)" = "12345 54321 664" ]
	done
}

@test "a start that fails leaves nothing" {
	cp "$ROOT/LICENSE" text
	names=$(ls -A)
	for option in $OPTIONS; do
		expect "exit 126" "$HYBRID" "$option=output" ./text
		expect "exit 125" bash -c 'ulimit -v 16384; exec "$@"' bash "$HYBRID" "$option=output" \
			"$GUESTS/musl-static/every_second_page" || true
		expect "exit 125" "$GUESTS/tools/deny" mprotect:EPERM -- "$HYBRID" "$option=output" ./good
		[ "$(ls -A)" = "$names" ]
	done
}

@test "a program without a byte of memory" {
	requires python3
	python3 - <<-'END'
		import struct
		machine, = struct.unpack_from("<H", open("good", "rb").read(20), 18)
		header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 2, machine, 1, 0x1000, 64, 0, 0, 64, 56, 1, 0, 0, 0)
		open("empty", "wb").write(header + struct.pack("<IIQQQQQQ", 1, 5, 0, 0x400000, 0x400000, 0, 0, 4096))
	END
	chmod +x empty
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			expect "signal 11" "$loader" "$option=output" ./empty
			[ "$(ls -A)" = "$(printf '%s\n' empty good output)" ]
			rm output
		done
	done
}

@test "several loaders write the same file: it is one of theirs" {
	for option in $OPTIONS; do
		"$HYBRID" "$option=one" ./good >/dev/null
		for ((round = 0; round < 5; round++)); do
			for ((writer = 0; writer < 6; writer++)); do
				"$HYBRID" "$option=output" ./good >/dev/null 3>&- 4>&- &
			done
			wait
			[ "$(head -n 1 output)" = "$(head -n 1 one)" ]
			case $option in
			--stats) python3 -m json.tool output >/dev/null ;;
			--trace) tail -n 1 output | grep -q '^end' ;;
			--record) cmp output one ;;
			esac
			[ "$(ls -A)" = $'good\none\noutput' ]
		done
		rm one output
	done
}
