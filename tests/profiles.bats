#!/usr/bin/env bats
#
# --record and --profile: what a run touched is written down, and another run begins with it.

load helpers

setup() {
	cd "$ROOT" || return 1
	PROFILE=$BATS_TEST_TMPDIR/profile
}

# record_under LOADER PROGRAM [ARG]...: writes $PROFILE; the program must not notice.
record_under() {
	local loader=$1
	requires lazy
	shift
	rm -f "$PROFILE"
	LOADERS=$loader with_options "--record=$PROFILE"
	LOADERS=$loader same_as_native "$@" || return 1
	[ -s "$PROFILE" ] && [ -z "$(find "$BATS_TEST_TMPDIR" -name "*.partial-*")" ]
}

# line NAME: what stands after it in the profile.
line() {
	sed -n "s/^$1 //p" "$PROFILE"
}

@test "what is recorded is what was touched: prog1's array and nothing of the others" {
	for loader in ./on_demand_loader ./hybrid_loader; do
		record_under "$loader" ./prog1
		[ "$(head -1 "$PROFILE")" = "page-profile 1" ]
		[ "$(line program)" = ./prog1 ]
		[[ $(line touches) == *" exit" ]]
		# 4 000 000 bytes are 977 pages; libc has a few more.
		touched=$(grep -c '^[0-9a-f]* w$' "$PROFILE")
		echo "$loader: $touched pages written"
		[ "$touched" -ge 977 ]
		[ "$touched" -le 1000 ]
		[ "$(grep -c '^[0-9a-f]* [0-9a-f]* [rw]$' "$PROFILE")" = "$(line runs)" ]
	done
}

@test "the order is that of the touches" {
	record_under ./hybrid_loader build/bench/touch-bss-1 reverse write
	local page
	# Numbers with the same count of digits sort as text. On riscv64 some of these pages are below 0x100, and some are not.
	sed -n '/^touches/,$s/^\([0-9a-f]*\) w$/\1/p' "$PROFILE" | tail -250 | head -200 |
		while read -r page; do printf '%016x\n' "0x$page"; done >"$BATS_TEST_TMPDIR/seen"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/seen")" = 200 ]
	sort -r "$BATS_TEST_TMPDIR/seen" | cmp - "$BATS_TEST_TMPDIR/seen"
}

@test "programs run alike with their profile, under every loader" {
	local variant guest failed=0
	for variant in "${VARIANTS[@]}"; do
		for guest in hello heap thread_many process_fork memory_protect; do
			record_under ./on_demand_loader "$GUESTS/$variant/$guest" || failed=1
			with_options "--profile=$PROFILE"
			same_as_native "$GUESTS/$variant/$guest" || failed=1
		done
	done
	return "$failed"
}

@test "real programs run alike with their profile" {
	requires static_busybox bash-static
	record_under ./hybrid_loader "$(command -v busybox)" ls -l docs
	with_options "--profile=$PROFILE"
	same_as_native "$(command -v busybox)" ls -l docs
	record_under ./hybrid_loader "$(command -v bash-static)" -c 'echo $((6 * 7)); (exit 3)'
	with_options "--profile=$PROFILE"
	same_as_native "$(command -v bash-static)" -c 'echo $((6 * 7)); (exit 3)'
}

@test "with its profile a program has no pages but those it touched before" {
	record_under ./hybrid_loader ./prog2
	for loader in $LOADERS; do
		"$loader" --profile="$PROFILE" --stats="$BATS_TEST_TMPDIR/stats" ./prog2
		python3 - "$BATS_TEST_TMPDIR/stats" <<-'PYTHON'
			import json, sys
			stats = json.load(open(sys.argv[1]))
			# prog2 touches 98 pages of an array; all of its .bss are 2930.
			sys.exit(stats["resident_pages"] > 130 or stats["faults"] != 0)
		PYTHON
	done
}

# field KEY LOADER: what the guest says of 9 MiB of .bss in /proc/self/smaps, in KB.
field() {
	"$2" --profile="$PROFILE" "$GUESTS/musl-static/memory_smaps" "$1" | awk '{ print $2 }'
}

@test "what a profile has of whole 2 MiB comes as huge pages, in a mapping that looks as natively" {
	requires huge_collapse
	# Guard markers show in smaps (docs/quirks.md), so .bss must not be hidden by them.
	requires userfaultfd
	record_under ./hybrid_loader "$GUESTS/musl-static/memory_smaps"
	# As if all of its .bss had been written.
	read -r _ start pages _ < <(grep "^region .* bss$" "$PROFILE")
	sed -i -e "/^runs/,/^region/{/^region/!d}" -e "/^key/a runs 1\n$start $pages w" "$PROFILE"
	for loader in $LOADERS; do
		rss=$(field Rss "$loader") huge=$(field AnonHugePages "$loader")
		echo "$loader: $rss KB, of which $huge KB are huge pages"
		[ "$rss" -ge 9216 ]
		[ "$rss" -le 9280 ]
		# 9 MiB have three whole ones, wherever they begin.
		[ "$huge" -ge 6144 ]
	done
	with_options "--profile=$PROFILE"
	same_as_native "$GUESTS/musl-static/memory_smaps"
	# Neither MADV_COLLAPSE nor MADV_POPULATE_WRITE.
	for loader in $LOADERS; do
		expect "exit 0" "$GUESTS/tools/deny" madvise=23:EINVAL madvise=25:EINVAL -- \
			"$loader" --profile="$PROFILE" "$GUESTS/musl-static/memory_smaps" Rss
	done
}

@test "a profile of two hundred pages of a file, far from each other" {
	local program=$BATS_TEST_TMPDIR/program
	musl-gcc -static -x c -o "$program" - <<-'END'
		static const volatile char text[13 << 20] = {[9] = 7};
		int main(void)
		{
			int sum = 7;
			for (unsigned long i = 0; i < sizeof(text); i += 1 << 16)
				sum += text[i];
			return sum;
		}
	END
	record_under ./on_demand_loader "$program"
	with_options "--profile=$PROFILE"
	same_as_native "$program"
}

@test "a directory of profiles, and the user's cache" {
	export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
	./hybrid_loader --guard=none --record=auto ./prog1
	[ "$(find "$XDG_CACHE_HOME/pagewise" -type f | wc -l)" = 1 ]
	run ./hybrid_loader -v --profile=auto ./prog2
	[[ $output == *"there is no profile of it yet"* && $output == *hello!* ]]
	run ./hybrid_loader -v --profile="$XDG_CACHE_HOME/pagewise" ./prog3
	[[ $output == *"there is no profile of it yet"*"pagewise/"* && $output == *hello!* ]]
	run ./hybrid_loader -v --profile=auto ./prog1
	[[ $output != *"there is no profile"* && $output != *ignored* && $output == *hello!* ]]
	run ./all_at_once_loader -v --profile="$XDG_CACHE_HOME/pagewise" ./prog1
	[[ $output != *"there is no profile"* && $output == *"left to the kernel"* ]]
}

# unused REASON [COMMAND]...: after COMMAND the program starts without a profile, and --verbose alone tells why.
unused() {
	local loader
	for loader in $LOADERS; do
		"${@:2}"
		expect "exit 0" "${UNDER[@]}" "$loader" -v --profile=auto ./prog2 || return
		grep -F ": no profile is used: $1" "$BATS_TEST_TMPDIR/found.err" || return
		"${@:2}"
		expect "exit 0" "${UNDER[@]}" "$loader" --profile=auto ./prog2 || return
		[ "$(found out)$(found err)" = "$(./prog2)" ] || return
	done
}

@test "a cache that cannot be found or read keeps no program from its start" {
	local cache=$BATS_TEST_TMPDIR/cache entry home
	with_options --profile=auto
	under env -u XDG_CACHE_HOME -u HOME
	unused "neither XDG_CACHE_HOME nor HOME"
	for home in '' relative; do
		under env -u XDG_CACHE_HOME HOME="$home"
		unused "neither XDG_CACHE_HOME nor HOME"
	done
	under env XDG_CACHE_HOME="/$(printf %04096d 0)"
	unused "/000"
	under env XDG_CACHE_HOME="/$(printf %04070d 0)"
	unused "/000"
	under env XDG_CACHE_HOME="$cache"
	ln -s cache "$cache"
	same_as_native ./prog2
	rm "$cache"
	XDG_CACHE_HOME=$cache ./hybrid_loader --guard=none --record=auto ./prog2
	entry=$(find "$cache/pagewise" -type f)
	rm "$entry"
	mkdir "$entry"
	same_as_native ./prog2
	# As under sudo -u or in a container: the home is somebody else's.
	chmod 700 "$cache"
	drop_privileges
	[ "$(id -u)" = 0 ] || chmod 0 "$cache"
	same_as_native ./prog2
	chmod 700 "$cache"
}

@test "the cache is the user's alone: profiles of others are never read" {
	requires root
	local folder=$BATS_TEST_TMPDIR/cache/pagewise entry
	hybrid() { XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache ./hybrid_loader "$@"; }
	mkdir -p "$folder" && chmod 755 "$folder"
	hybrid --guard=none --record=auto ./prog1
	[ "$(stat -c %a "$folder")" = 700 ]
	entry=$(find "$folder" -type f)
	chown 12345 "$entry"
	run hybrid -v --profile=auto ./prog1
	[[ $status == 0 && $output == *"no profile is used: $entry belongs to user 12345, and the loader runs as user 0"* ]]
	under env XDG_CACHE_HOME="$BATS_TEST_TMPDIR/cache"
	# To learn closes the folder, so it is opened anew for each run.
	for wrong in "chmod 770" "chmod 702"; do
		# shellcheck disable=SC2086 # two words
		unused "other users may write to $folder; close it (chmod 700), or name a file" $wrong "$folder"
	done
	unused "$folder belongs to user 12345, and the loader runs as user 0; name a file" chown 12345 "$folder"
	ran 125 hybrid --guard=none --record=auto ./prog1
	[ "$(wc -l <<<"$output")" = 1 ]
	chown 0 "$folder" && chmod 700 "$folder"
	mv "$folder" "$folder.real" && ln -s pagewise.real "$folder"
	unused "$folder is no directory, or is a link"
}

# not_learned REASON [WORD]...: what a run with these words says, and that it is learned from is not said as well.
not_learned() {
	local said
	said=$("${@:2}" ./hybrid_loader -v --profile=auto ./prog2 2>&1) || return
	echo "$said"
	[[ $said == *"nothing is learned from this run: $1"* && $said != *"learns from this run"* ]]
}

@test "a cache that cannot be made or written is described as it is" {
	requires root user_namespaces learner
	local home=$BATS_TEST_TMPDIR/home
	read_only() {
		env -u XDG_CACHE_HOME HOME="$home" unshare --mount sh -c \
			'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && "$@"' "$home" "$@"
	}
	mkdir "$home"
	read_only true || skip "nothing can be mounted here"
	not_learned "the directory $home/.cache cannot be made: Read-only file system" read_only
	mkdir "$home/.cache"
	not_learned "the directory $home/.cache/pagewise cannot be made: Read-only file system" read_only
	mkdir -m 700 "$home/.cache/pagewise"
	not_learned "the directory $home/.cache/pagewise cannot be written to: Read-only file system" read_only
	chown 12345 "$home/.cache/pagewise"
	not_learned "$home/.cache/pagewise belongs to user 12345, and the loader runs as user 0" env HOME="$home" XDG_CACHE_HOME=
	chown 12345 "$home/.cache"
	not_learned "$home/.cache/pagewise belongs to user 12345, and the loader runs as user 0" env HOME="$home" XDG_CACHE_HOME=
	rm -r "$home/.cache"
	chown 12345 "$home"
	not_learned "root makes no directory in $home, which is user 12345's" env HOME="$home" XDG_CACHE_HOME=
	[ ! -e "$home/.cache" ]
	# Nor where a link of that user leads: root's own cache.
	ln -s "$BATS_TEST_TMPDIR" "$home/.cache"
	chown -h 12345 "$home/.cache"
	not_learned "the directory $home/.cache/pagewise cannot be opened: a link on the way" env HOME="$home" XDG_CACHE_HOME=
	[ ! -e "$BATS_TEST_TMPDIR/pagewise" ]
	not_learned "the directory $home/none/folder cannot be made: No such file" env XDG_CACHE_HOME="$home/none/folder"
	# A folder that is named with a slash at its end is made, too.
	env XDG_CACHE_HOME="$BATS_TEST_TMPDIR/made/" ./hybrid_loader --profile=auto ./prog2
	[ -d "$BATS_TEST_TMPDIR/made/pagewise" ]
	# A link of root's is followed.
	chown -h 0 "$home/.cache"
	env HOME="$home" XDG_CACHE_HOME= ./hybrid_loader --profile=auto ./prog2
	[ -d "$BATS_TEST_TMPDIR/pagewise" ]
}

@test "a foreign profile and a stale one are ignored, with a sentence" {
	cp prog3 "$BATS_TEST_TMPDIR/program"
	record_under ./hybrid_loader "$BATS_TEST_TMPDIR/program"
	ran 0 ./hybrid_loader -v --profile="$PROFILE" ./prog1
	[[ $output == *"not of this program"*ignored* && $output == *hello!* ]]
	run ./hybrid_loader --profile="$PROFILE" ./prog1
	[ "$output" = hello! ]
	# Archives, layers of images and package managers change its time, and not what it is.
	touch -d 2020-02-02 "$BATS_TEST_TMPDIR/program"
	run ./hybrid_loader -v --profile="$PROFILE" "$BATS_TEST_TMPDIR/program"
	[[ $output != *"not of this program"* && $output == *"left to the kernel"* ]]
	if ! readelf -n prog3 | grep -q 'Build ID'; then
		# Its last byte, of the section headers, which no loader reads.
		printf x | dd of="$BATS_TEST_TMPDIR/program" bs=1 conv=notrunc status=none \
			seek=$(($(stat -c %s prog3) - 1))
		run ./hybrid_loader -v --profile="$PROFILE" "$BATS_TEST_TMPDIR/program"
		[[ $output == *"not of this program"* ]]
	fi
}

@test "a copy of a program with a build-id keeps its profile" {
	gcc -static -O1 -Wl,--build-id -o "$BATS_TEST_TMPDIR/a" testprogs/prog3.c
	cp "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	record_under ./hybrid_loader "$BATS_TEST_TMPDIR/a"
	[[ $(line key) == build-id:* ]]
	run ./hybrid_loader -v --profile="$PROFILE" "$BATS_TEST_TMPDIR/b"
	[[ $output != *ignored* && $output == *"left to the kernel"* ]]
}

@test "a copy of a Go program keeps its profile: Go has a build-id of its own" {
	requires go_guests
	cp "$GUESTS/go/go_hello" "$BATS_TEST_TMPDIR/b"
	record_under ./hybrid_loader "$GUESTS/go/go_hello" || true
	[[ $(line key) =~ ^build-id:[0-9a-f]{16}$ ]]
	run ./hybrid_loader -v --profile="$PROFILE" "$BATS_TEST_TMPDIR/b"
	[[ $output != *ignored* ]]
}

@test "no profile, a damaged one, and no room for one" {
	for loader in $LOADERS; do
		ran 125 "$loader" --profile=/nowhere/p ./prog3
		[[ $output == *"cannot be read: No such file or directory"* ]]
		[ "$(wc -l <<<"$output")" = 1 ]
	done
	record_under ./hybrid_loader ./prog3
	for text in "" "page-profile 2" $'page-profile 1\nprogram x\nkey y\nruns 5\n' \
		$'page-profile 1\nprogram x\nkey y\nruns 99999999999999\n1 1 w\n' \
		$'page-profile 1\nprogram x\nkey y\nruns 2\n5 1 w\n4 1 w\n' \
		$'page-profile 1\nprogram x\nkey y\nruns 1\nffffffffffffffff 1 w\n' \
		$'page-profile 1\nprogram x\nkey y\nruns 1\n1 0 w\n' $'\x00\xff\x7fELF'; do
		printf '%s' "$text" >"$BATS_TEST_TMPDIR/damaged"
		ran 125 ./hybrid_loader --profile="$BATS_TEST_TMPDIR/damaged" ./prog3
		[ "$(wc -l <<<"$output")" = 1 ]
	done
	ran 125 ./hybrid_loader --record=/nowhere/p ./prog3
	[[ $output == *"cannot be written to /nowhere/p"* ]]
	ran 125 ./all_at_once_loader --record="$PROFILE" ./prog3
	# The program has run; the old profile stays, and the loader says what went wrong.
	cp "$PROFILE" "$PROFILE.kept"
	run bash -c 'trap "" XFSZ; ulimit -f 1; exec ./hybrid_loader --record="$0" ./prog3' "$PROFILE"
	[[ $output == *"cannot be written to $PROFILE: File too large"* ]]
	cmp "$PROFILE" "$PROFILE.kept"
}

@test "a profile that was changed at random is refused, or ignored, or does no harm" {
	seeded
	record_under ./hybrid_loader ./prog3
	python3 - ./hybrid_loader "$PROFILE" ./prog3 <<-'END'
		import os, random, subprocess, sys

		loader, path, program = sys.argv[1:]
		rng = random.Random(int(os.environ["SEED"]))
		good = open(path, "rb").read()
		good = good[:good.index(b"touches")]
		native = subprocess.run([program], capture_output=True)
		counts = {"refused": 0, "ran": 0}
		for number in range(700):
		    text = bytearray(good)
		    for _ in range(rng.randint(1, 4)):
		        place = rng.randrange(len(text))
		        kind = rng.randrange(4)
		        if kind == 0:
		            text[place] = rng.randrange(256)
		        elif kind == 1:
		            del text[place:place + rng.randint(1, 30)]
		        elif kind == 2:
		            text[place:place] = rng.choice((b"f", b" ", b"\n", b"0", b"-1", b"ffffffffffffffff", b"\0", b"x w\n"))
		        else:
		            text[place] ^= 1 << rng.randrange(8)
		        text = text or bytearray(b"\n")
		    with open(path, "wb") as file:
		        file.write(text)
		    run = subprocess.run([loader, f"--profile={path}", program], capture_output=True)
		    if run.returncode == 125:
		        counts["refused"] += 1
		        assert run.stdout == b"" and run.stderr.count(b"\n") == 1, (number, run)
		        assert b"no profile" in run.stderr or b"damaged" in run.stderr, (number, run)
		    else:
		        counts["ran"] += 1
		        assert run.returncode == native.returncode, (number, run, text)
		        assert (run.stdout, run.stderr) == (native.stdout, native.stderr), (number, run)
		print(counts)
		assert min(counts.values()) > 50
	END
}

@test "cut off anywhere, a profile is refused or ignored, and never crashes" {
	record_under ./hybrid_loader ./prog3
	size=$(grep -b '^touches' "$PROFILE" | cut -d: -f1)
	for ((length = 0; length < size; length += 3)); do
		head -c "$length" "$PROFILE" >"$BATS_TEST_TMPDIR/cut"
		run ./hybrid_loader --profile="$BATS_TEST_TMPDIR/cut" ./prog3
		[ "$status" = 0 ] || [ "$status" = 125 ]
	done
}
