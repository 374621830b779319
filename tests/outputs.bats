#!/usr/bin/env bats
#
# What the loaders write never takes the place of a program.

load helpers
load ways_out

setup() {
	mkdir "$BATS_TEST_TMPDIR/work" && cd "$BATS_TEST_TMPDIR/work" || return
	cp "$ROOT/prog1" good
	cp "$ROOT/prog2" kept
	printf '#!/bin/sh\necho "hello!"\n' >script && chmod +x script
	mkdir before && cp -p kept script before
}

# outputs_of LOADER: its options that write a file.
outputs_of() {
	echo --stats
	[ "${1##*/}" = all_at_once_loader ] || printf '%s\n' --trace --record
}

# refused KIND FILE [COMMAND]...: each option of each loader, and nothing is changed or made. COMMAND, with
# the loader behind it, opens descriptors.
refused() {
	local kind=$1 file=$2 option names
	shift 2
	names=$(ls -A)
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			says 125 "$option would overwrite $file, $kind; name another file" \
				"$@" "$loader" "$option=$file" ./good || return
			cmp kept before/kept && cmp script before/script || return
			[ "$(ls -A)" = "$names" ] || return
		done
	done
}

@test "an ELF file, and the program itself" {
	refused "an ELF file" ./kept
	refused "an ELF file" ./good
	refused "an ELF file" "$PWD/kept"
	# Whether it may be executed does not matter, nor how much of it there is.
	chmod 644 kept
	refused "an ELF file" kept
	printf '\177ELF' >stump
	refused "an ELF file" stump
}

@test "a script" {
	refused "a script" ./script
	chmod 644 script
	refused "a script" script
}

@test "through links" {
	ln -s kept link && ln -s link link_to_link && ln kept hard
	refused "an ELF file" link_to_link
	refused "an ELF file" hard
}

@test "through a descriptor" {
	[ -e /dev/fd/0 ] || skip "no /dev/fd here"
	for mode in '<' '>>' '<>'; do
		for name in /proc/self/fd /dev/fd; do
			# shellcheck disable=SC2016 # the other shell expands it
			refused "an ELF file" "$name/7" bash -c "exec 7${mode}kept; exec \"\$@\"" bash
		done
	done
}

@test "what was hardly meant: --trace ./prog1 ./prog2" {
	for loader in "$ROOT/on_demand_loader" "$ROOT/hybrid_loader"; do
		for option in --trace --record; do
			says 125 "$option would overwrite ./kept, an ELF file" "$loader" "$option" ./kept ./good
		done
	done
	cmp kept before/kept
}

@test "no output is touched if one is refused" {
	echo old >statistics && cp statistics before
	for words in "--stats=statistics --trace=kept" "--record=new --stats=script" \
		"--trace=statistics --record=kept" "--trace=new --record=script"; do
		loader=$ROOT/hybrid_loader
		# shellcheck disable=SC2086 # several words
		says 125 "would overwrite" "$loader" $words ./good
		cmp statistics before/statistics
		[ ! -e new ] && [ ! -e new.new ]
	done
}

@test "where a profile is written first" {
	mv kept profile.new
	for loader in "$ROOT/on_demand_loader" "$ROOT/hybrid_loader"; do
		says 125 "--record would overwrite profile.new, an ELF file" "$loader" --record=profile ./good
		cmp profile.new before/kept
	done
}

@test "a FIFO and a device are not replaced by a profile" {
	mkfifo pipe pipes.new && ln -s /dev/null link
	for loader in "$ROOT/on_demand_loader" "$ROOT/hybrid_loader"; do
		for file in pipe link; do
			says 125 "--record would replace $file, which is no regular file; name another file" \
				"$loader" "--record=$file" ./good
		done
		says 125 "--record would replace pipes.new, which is no" "$loader" --record=pipes ./good
	done
	[ -p pipe ] && [ -p pipes.new ] && [ -L link ]
	[ "$(ls -A)" = "$(printf '%s\n' before good kept link pipe pipes.new script)" ]
}

@test "a file that may be written but not read" {
	chmod 711 "$BATS_TEST_TMPDIR"
	chmod 222 kept
	drop_privileges ./good
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			says 125 "$option would overwrite ./kept, which may not be read to see if it is a program" \
				"$loader" "$option=./kept" ./good
		done
	done
	chmod 755 kept
	cmp kept before/kept
}

@test "older outputs are overwritten, executable or not; by --stats and --trace devices and FIFOs, too" {
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			for mode in 644 755; do
				echo "an older one" >output && chmod "$mode" output
				works "$loader" "$option=output" ./good
				[ -s output ] && ! grep -q "an older one" output
			done
			: >empty
			works "$loader" "$option=empty" ./good
			[ -s empty ]
		done
		works "$loader" --stats=/dev/null ./good
	done
	mkfifo pipe
	cat ./pipe >events 3>&- 4>&- &
	works "$ROOT/hybrid_loader" --trace=pipe ./good
	wait $!
	grep -q '^page-trace' events
}
