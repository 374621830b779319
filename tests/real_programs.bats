#!/usr/bin/env bats
#
# Programs that nobody wrote for this: busybox, bash, zsh, Go.

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

@test "scripts with subshells, traps, coprocesses and pipelines" {
	requires static_busybox bash-static zsh-static
	same_as_native busybox sh "$ROOT/tests/scripts/jobs.sh"
	same_as_native bash-static "$ROOT/tests/scripts/jobs.bash"
	same_as_native zsh-static -f "$ROOT/tests/scripts/jobs.zsh"
}

@test "the same with every engine, twenty times" {
	requires static_busybox bash-static zsh-static
	for _ in {1..20}; do
		in_every_way same_as_native busybox sh "$ROOT/tests/scripts/jobs.sh"
	done
	in_every_way same_as_native bash-static "$ROOT/tests/scripts/jobs.bash"
	in_every_way same_as_native zsh-static -f "$ROOT/tests/scripts/jobs.zsh"
}

@test "busybox sh finds its applets without privileges and without user namespaces" {
	requires static_busybox
	drop_privileges
	cd "$(mktemp -d -p "$BATS_RUN_TMPDIR")"
	chmod 777 . "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR"/..
	same_as_native busybox sh "$ROOT/tests/scripts/jobs.sh"
	under "${UNDER[@]}" "$GUESTS/tools/deny" clone=0x10004100:EPERM --
	same_as_native busybox sh "$ROOT/tests/scripts/jobs.sh"
}

@test "a Go program: goroutines, maps, a recovered fault" {
	requires go
	in_every_way same_as_native "$GUESTS/go/go_hello" one two
}

@test "Go: threads, garbage, processes, signals, faults, sockets, timers" {
	requires go
	for part in goroutines garbage processes signals faults sockets timers die; do
		in_every_way same_as_native "$GUESTS/go/go_guest" $part
	done
}

@test "Go's own tests of strings, sync, os/exec and os/signal run under each loader" {
	requires go
	GO=$(command -v go || echo /usr/local/go/bin/go)
	export HOME=$BATS_TEST_TMPDIR GOCACHE=$ROOT/build/go-cache GOFLAGS=-mod=mod CGO_ENABLED=0
	cd "$("$GO" env GOROOT)/src"
	"$GO" test -short strings sync os/exec os/signal
	for loader in $LOADERS; do
		"$GO" test -short -count=1 -exec "$loader" strings sync os/exec os/signal
	done
}

@test "C++: threads, exceptions that cross them, thread-local objects" {
	for _ in {1..20}; do
		in_all_variants cpp_threads
	done
	in_every_way in_all_variants cpp_threads
}
