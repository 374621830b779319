#!/usr/bin/env bats
#
# Programs that nobody wrote for this: busybox, bash, Go.

load helpers

setup() {
	under env -i "PATH=$PATH" HOME=/nonexistent
	seq 1 3000 >"$BATS_TEST_TMPDIR/numbers"
	cd "$BATS_TEST_TMPDIR" || return
}

@test "busybox echo hi" {
	requires static_busybox
	same_as_native busybox echo hi
}

@test "busybox applets" {
	requires static_busybox
	while read -ra words; do
		same_as_native busybox "${words[@]}"
	done <<-END
		cat numbers
		sort -rn numbers
		md5sum numbers
		awk {n+=\$1}END{print(n)} numbers
		grep -c 7 numbers
		ls -l numbers
		expr 6 * 7
		printf %s\\n one two
		false
		no_such_applet
	END
}

@test "busybox sh with builtins, a pipe and a command substitution" {
	requires static_busybox
	# shellcheck disable=SC2016
	same_as_native busybox sh -c \
		'i=0; while [ $i -lt 50 ]; do i=$((i+1)); done; echo $i | { read x; echo "$(echo got $x)"; }; exit 9'
}

@test "bash -c with builtins" {
	requires bash-static
	# shellcheck disable=SC2016
	same_as_native bash-static -c \
		'declare -A a; for i in {1..200}; do a[k$i]=$i; done; echo ${#a[@]} ${a[k42]}
		printf "%05.2f %q\n" 3.14159 "a b"; [[ abc =~ ^a(.)c$ ]] && echo ${BASH_REMATCH[1]}
		f() { local x=$1; (( x > 1 )) && echo $(( x * $(f $((x-1))) )) || echo 1; }; f 8
		trap "echo leaving" EXIT; exit 12'
}

@test "bash -c with pipes, subshells and other programs" {
	requires bash-static
	# shellcheck disable=SC2016
	same_as_native bash-static -c \
		'sort -rn numbers | head -3; (exit 5); echo $?; cat <<<"here"; kill -TERM $$; sleep 5'
}

@test "bash -c reading a file line by line" {
	requires bash-static
	# shellcheck disable=SC2016
	same_as_native bash-static -c \
		'while read -r n; do (( s += n )); done <numbers; echo $s'
}

@test "a Go program: goroutines, maps, a recovered fault" {
	requires go
	# Its own SIGSEGV handler takes the place of the one that brings in pages.
	only_under all_at_once_loader same_as_native "$GUESTS/go/go_hello" one two
}
