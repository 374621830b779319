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

# refused KIND FILE [COMMAND]...: each option of each loader, and nothing is changed or made. COMMAND, with
# the loader after it, opens descriptors.
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
			refused "an ELF file" "$name/7" bash -c "exec 7${mode}kept; exec \"\$@\"" bash
		done
	done
}

@test "what was hardly meant: --trace ./prog1 ./prog2" {
	requires lazy
	for loader in "$ROOT/on_demand_loader" "$ROOT/hybrid_loader"; do
		for option in --trace --record; do
			says 125 "$option would overwrite ./kept, an ELF file" "$loader" "$option" ./kept ./good
		done
	done
	cmp kept before/kept
}

@test "a file whose name is -" {
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			says 125 "$option took - as its file; write ./- if that is meant, or /dev/stdout" "$loader" "$option=-" ./good
		done
	done
	[ ! -e ./- ]
}

@test "no output is touched if one is refused" {
	requires lazy
	echo old >statistics && cp statistics before
	for words in "--stats=statistics --trace=kept" "--record=new --stats=script" \
		"--trace=statistics --record=kept" "--trace=new --record=script"; do
		loader=$ROOT/hybrid_loader
		# shellcheck disable=SC2086 # several words
		says 125 "would overwrite" "$loader" $words ./good
		cmp statistics before/statistics
		[ "$(ls -A)" = "$(printf '%s\n' before good kept script statistics)" ]
	done
}

@test "two outputs of one name" {
	requires lazy
	echo old >statistics && cp statistics before
	ln -s statistics link
	loader=$ROOT/hybrid_loader
	for words in "--stats=statistics --trace=statistics" "--record=new --trace=./new" "--layout=link --stats=statistics"; do
		# shellcheck disable=SC2086 # several words
		says 125 "would both be written to" "$loader" $words ./good
		cmp statistics before/statistics
		[ "$(ls -A)" = "$(printf '%s\n' before good kept link script statistics)" ]
	done
	works "$loader" --stats=/dev/null --trace=/dev/null ./good
}

@test "a file that may be written but not read" {
	chmod 222 kept
	drop_privileges ./good
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			says 125 "$option would overwrite ./kept, which cannot be read and may be a program" \
				"$loader" "$option=./kept" ./good
		done
	done
	chmod 755 kept
	cmp kept before/kept
}

# unwritten REASON FILE: no output can go there.
unwritten() {
	local option
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			expect "exit 125" "$loader" "$option=$2" ./good || return
			is_one_line "${loader##*/}: ./good: " "$1" || return
		done
	done
}

@test "names that are too long, and another process's descriptor" {
	# Of --record, to whose name more may be added, there is another message.
	unwritten "too long" "$(printf '%05000d' 0)"
	mkdir folder
	# The link's text fits where a path does, but not after the name of the folder that it is in.
	(cd folder && ln -s "$(printf 'y/%.0s' {1..2045})" link)
	unwritten "cannot be written to ./folder/link: File ?name too long; name another file" ./folder/link
	sleep 1000 7>other 3>&- 4>&- &
	until [ "$(readlink "/proc/$!/fd/7")" = "$PWD/other" ]; do sleep 0.02; done
	unwritten "Permission denied; name another file" "/proc/$!/fd/7"
	kill $!
	[ ! -s other ]
}

@test "another user's file, where all may write" {
	requires root
	mkdir sticky open
	chmod 1777 sticky
	chmod 777 open
	echo old >sticky/output
	chown 1 sticky/output
	# As the kernel, which has fs.protected_regular for O_CREAT.
	unwritten "Permission denied; name another file" sticky/output
	grep -qx old sticky/output
	drop_privileges ./good
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			rm -f open/output
			(umask 0 && echo old >open/output)
			works "$loader" "$option=open/output" ./good
			[ "$(stat -c %u:%a open/output)" = 65534:666 ]
			[ "$(grep -cx old open/output)" = 0 ]
		done
	done
}

@test "the folder of an output is gone at the end: status 125, and a line" {
	requires busybox
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			rm -rf moved && mkdir folder
			expect "exit 125" "$loader" "$option=folder/output" "$(command -v busybox)" mv folder moved
			is_one_line "${loader##*/}: " "cannot be written to folder/output: No such file or directory; name another file$"
			[ ! -e moved/output ]
		done
	done
}

@test "older outputs are overwritten, executable or not" {
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			for mode in 640 755; do
				echo "an older one" >output && chmod "$mode" output
				works "$loader" "$option=output" ./good
				[ -s output ]
				! grep -q "an older one" output
				[ "$(stat -c %a output)" = "$mode" ]
			done
			: >empty
			works "$loader" "$option=empty" ./good
			[ -s empty ]
			(umask 027 && works "$loader" "$option=new" ./good)
			[ "$(stat -c %a new)" = 640 ]
			rm new
		done
	done
}

FIRST_LINES='{\|page-trace 1\|page-profile 1\|vma:.*'

# begins FILE: what an output begins with, whichever it is.
begins() {
	head -n 1 "$1" | grep -qx "$FIRST_LINES"
}

@test "pipes, sockets and descriptors are written to as they are" {
	requires python3
	mkfifo pipe
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			cat ./pipe >events 3>&- 4>&- &
			works "$loader" "$option=pipe" ./good
			wait $!
			begins events
			[ -p pipe ]
			"$loader" "$option=/dev/stdout" ./good | grep -vx 'hello!' >events
			begins events
			# The output is written after what the descriptor has written already, and before
			# what comes next.
			{ echo first && "$loader" "$option=/dev/fd/7" ./good && echo last >&7; } >events 7>&1
			[ "$(head -n 1 events)" = first ]
			[ "$(tail -n 1 events)" = last ]
			grep -q 'hello!' events
			grep -qx "$FIRST_LINES" events
			python3 - "$loader" "$option=/dev/stdout" >events <<-'END'
				import socket, subprocess, sys
				near, far = socket.socketpair()
				run = subprocess.Popen([*sys.argv[1:], "./good"], stdout=far)
				far.close()
				print(near.makefile().read().replace("hello!\n", ""), end="")
				sys.exit(run.wait())
			END
			begins events
			says 125 "cannot be written to /dev/fd/7: Bad file descriptor" \
				bash -c 'exec "$@" 7</dev/null' bash "$loader" "$option=/dev/fd/7" ./good
			# The program's file has the number that standard output would have.
			says 125 "cannot be written to /dev/stdout: Bad file descriptor; name another file" \
				bash -c 'exec "$@" >&-' bash "$loader" "$option=/dev/stdout" ./good
			says 125 "cannot be written to /dev/fd/77: No such file" "$loader" "$option=/dev/fd/77" ./good
		done
	done
}

@test "a device stays one, through a link, too, and whoever writes" {
	requires root
	mknod null c 1 3 && ln -s null link
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			for file in null link; do
				works "$loader" "$option=$file" ./good
				[ -c null ]
				[ -L link ]
			done
		done
	done
	[ "$(ls -A)" = "$(printf '%s\n' before good kept link null script)" ]
}

@test "a FIFO that nobody reads is waited for, and that is said" {
	mkfifo pipe
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			rm -f out err
			"$loader" "$option=pipe" ./good >out 2>err 3>&- 4>&- &
			until grep -qs "^${loader##*/}: ./good: the .* waits for a reader of the FIFO pipe$" err; do
				sleep 0.05
			done
			[ ! -s out ]
			cat pipe >events
			wait $!
			begins events
			[ "$(cat out)" = hello! ]
		done
	done
}

@test "through links: what they lead to is replaced or made, and they stay" {
	mkdir far
	for loader in $LOADERS; do
		for option in $(outputs_of "$loader"); do
			ln -sfn far/there link && ln -sfn "$PWD/link" link_to_link && ln -sfn turning round && ln -sfn round turning
			works "$loader" "$option=link_to_link" ./good
			begins far/there
			echo "an older one" >far/there
			works "$loader" "$option=link" ./good
			begins far/there
			[ -L link ]
			[ -L link_to_link ]
			[ "$(ls -A far)" = there ]
			rm far/there
			says 125 "ymbolic link" "$loader" "$option=round" ./good
			mkdir folder && ln -sfn folder link
			[ "$option" = --record ] || says 125 "Is a directory" "$loader" "$option=link" ./good
			rmdir folder
		done
	done
}
