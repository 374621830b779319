#!/usr/bin/env bats
#
# --learn=FILE and page-profile learn: a profile of which files a start uses, from one run, by a loader that waits for
# the program. No process is left when it has ended.

load helpers

setup() {
	cd "$ROOT" || return 1
	P=$BATS_TEST_TMPDIR/profile
	PROGRAM=$BATS_TEST_TMPDIR/program
	cp build/guests/glibc-static/prog3 "$PROGRAM"
	sync "$PROGRAM"
	TOOL=build/share/page-profile
}

# learned FILE N: a whole profile, of N runs.
learned() {
	grep -qx "learned $2" "$1"
	[ "$(find "${1%/*}" -name '*.partial-*' | wc -l)" = 0 ]
}

@test "each loader writes a profile, and the program is as under exec" {
	for loader in $LOADERS; do
		for guest in hello signal_child process_fork thread_many descriptors; do
			with_options --learn="$P"
			rm -f "$P"
			only_under "${loader##*/}" same_as_native "$GUESTS/glibc-pie/$guest"
			learned "$P" 1
		done
	done
}

@test "the status is the command's, and the profile is whole by then" {
	ran 7 "$TOOL" learn -o "$P" -- bash -c 'exit 7'
	learned "$P" 1
	ran 143 "$TOOL" learn --output="$P" bash -c 'kill -TERM $$'
	learned "$P" 2
}

@test "the key of a program without a build-id is computed once" {
	requires strace
	objcopy --remove-section=.note.gnu.build-id "$GUESTS/glibc-static/prog3" "$PROGRAM"
	strace -o "$P.calls" -e trace=pread64 ./hybrid_loader --guard=none --learn="$P" --record="$P.pages" "$PROGRAM"
	grep -q '^key file:' "$P"
	[ "$(grep -c "^pread64(.*, $(($(stat -c %s "$PROGRAM") - $(getconf PAGE_SIZE)))) = " "$P.calls")" = 1 ]
}

@test "what an older profile knows is kept, and another program's is replaced" {
	./hybrid_loader --learn="$P" "$(type -P env)" true
	learned "$P" 1
	./hybrid_loader --learn="$P" "$(type -P env)" true
	learned "$P" 2
	./hybrid_loader --learn="$P" "$PROGRAM"
	learned "$P" 1
	grep -qx "program $PROGRAM" "$P"
}

@test "the profile is read ahead by, under every loader" {
	./hybrid_loader --learn="$P" "$PROGRAM"
	chmod 644 "$P"
	for loader in $LOADERS; do
		evict "$PROGRAM"
		ran any "$loader" -v --profile="$P" "$PROGRAM"
		[[ $output == *"KiB of 1 file,"* ]]
	done
}

@test "FILE may be a folder, an empty file, or a damaged profile; not another file" {
	mkdir "$BATS_TEST_TMPDIR/folder"
	./hybrid_loader --learn="$BATS_TEST_TMPDIR/folder" "$PROGRAM"
	learned "$BATS_TEST_TMPDIR"/folder/* 1
	for text in "" "page-profile 2"$'\n'"program x"; do
		printf '%s' "$text" >"$P"
		./hybrid_loader --learn="$P" "$PROGRAM"
		learned "$P" 1
	done
	echo text >"$P"
	ran 125 ./hybrid_loader --learn="$P" "$PROGRAM"
	[ "${#lines[@]}" = 1 ]
	[ "$(cat "$P")" = text ]
	ran 125 ./hybrid_loader --learn="$P" --profile=auto "$PROGRAM"
	[[ $output == *"leave out --profile" ]]
}

@test "a program whose file is in memory alone: one sentence, 125, and the older profile is kept" {
	requires user_namespaces
	echo "page-profile 2" >"$P"
	ran 125 unshare --user --map-root-user --mount bash -c 'mount -t tmpfs none /mnt && cp "$1" /mnt/program &&
		exec "$0" --learn="$2" /mnt/program' "$PWD/hybrid_loader" "$PROGRAM" "$P"
	[[ $output == *"nothing is learned: "*"copy it to a disk" ]]
	[ "$(cat "$P")" = "page-profile 2" ]
}

@test "as process 1 of a container, and in one that ends with it" {
	requires user_namespaces
	for loader in $LOADERS; do
		rm -f "$P"
		ran 0 unshare --user --map-root-user --pid --fork --mount-proc "$PWD/${loader##*/}" --learn="$P" "$PROGRAM"
		[[ $output == hello* ]]
		learned "$P" 1
		ran 3 unshare --user --map-root-user --pid --fork --mount-proc bash -c '"$@"; exit $?' - \
			"$PWD/${loader##*/}" --learn="$P" bash -c 'exit 3'
		learned "$P" 1
	done
}

@test "without /proc: one sentence, and the program does not run" {
	requires user_namespaces
	ran 125 unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none /proc && exec "$@"' sh \
		./hybrid_loader --learn="$P" "$PROGRAM"
	[ "${#lines[@]}" = 1 ]
	[[ $output == *"mount /proc" ]]
	[ ! -e "$P" ]
}

@test "a program that runs on is learned from after its start, and again at no time" {
	./hybrid_loader --learn="$P" "$(type -P sleep)" 100 &
	eventually test -s "$P"
	learned "$P" 1
	kill $!
	wait $! || true
	learned "$P" 1
}

@test "page-profile learn: wrong usage, and a command that is not there" {
	while IFS='|' read -r words sentence; do
		# shellcheck disable=SC2086 # words
		run "$TOOL" learn $words
		echo "$words: $status $output"
		[[ $status = 125 && $output == *"$sentence"* ]]
	done <<-END
		|--output is missing
		-o $P|the command to run is missing
		--plot=x -o $P true|learn takes no --plot
	END
	expect "exit 127" "$TOOL" learn -o "$P" -- /nowhere/at/all
	[ ! -e "$P" ]
	# The options after the command are the command's.
	run "$TOOL" learn -o "$P" ls --directory /
	[[ $status = 0 && $output == / ]]
}
