#!/usr/bin/env bats
#
# Programs that nobody wrote for this: busybox, bash, zsh, Go.

load helpers

setup() {
	GO=$(command -v go || echo /usr/local/go/bin/go)
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
		cat numbers nowhere
		sort -rn numbers
		sort -k1.2,1.3 numbers
		md5sum numbers
		sha256sum numbers
		cksum numbers
		awk {n+=\$1}END{print(n)} numbers
		sed -n /99\$/p numbers
		sed s/1/one/g numbers
		wc numbers
		head -n 7 numbers
		tail -n 7 numbers
		tail -c 100 numbers
		od -An -tx1 numbers
		hexdump -C numbers
		dd if=numbers bs=7 skip=3 count=100 status=noxfer
		dd if=numbers of=/dev/null bs=1 count=3000 status=noxfer
		cut -c 2 numbers
		fold -w 13 numbers
		split -l 1000 numbers
		diff numbers xaa
		cmp numbers xab
		tar cf numbers.tar numbers xaa
		tar tf numbers.tar
		gzip -kf numbers
		gunzip -c numbers.gz
		bzip2 -kf numbers
		bunzip2 -c numbers.bz2
		find . -type f -name x*
		stat -c %F-%s-%a numbers
		xargs -a numbers -n 400 echo
		seq 1 3 20
		env
		nproc
		id
		nice -n 3 nice
		xargs -a numbers -n 400 false
		grep -c 7 numbers
		ls -l numbers
		expr 6 * 7
		printf %s\\n one two
		false
		no_such_applet
	END
	by_signal same_as_native busybox timeout 0.1 sleep 20
}

@test "busybox sh with builtins, a pipe and a command substitution" {
	requires static_busybox
	same_as_native busybox sh -c \
		'i=0; while [ $i -lt 50 ]; do i=$((i+1)); done; echo $i | { read x; echo "$(echo got $x)"; }; exit 9'
}

@test "bash -c with builtins" {
	requires bash-static
	same_as_native bash-static -c \
		'declare -A a; for i in {1..200}; do a[k$i]=$i; done; echo ${#a[@]} ${a[k42]}
		printf "%05.2f %q\n" 3.14159 "a b"; [[ abc =~ ^a(.)c$ ]] && echo ${BASH_REMATCH[1]}
		f() { local x=$1; (( x > 1 )) && echo $(( x * $(f $((x-1))) )) || echo 1; }; f 8
		trap "echo leaving" EXIT; exit 12'
}

@test "bash -c with pipes, subshells and other programs" {
	requires bash-static
	by_signal same_as_native bash-static -c \
		'sort -rn numbers | head -3; (exit 5); echo $?; cat <<<"here"; kill -TERM $$; sleep 5'
}

@test "bash -c reading a file line by line" {
	requires bash-static
	same_as_native bash-static -c \
		'while read -r n; do (( s += n )); done <numbers; echo $s'
}

# run_scripts SUFFIX SHELL...: all scripts of tests/scripts that are for that shell. Some end by a signal to themselves.
run_scripts() {
	# shellcheck disable=SC2034 # helpers.bash reads ENDED_BY
	local script failed=0 ENDED_BY='*'
	for script in "$ROOT"/tests/scripts/*."$1"; do
		in_every_way same_as_native "${@:2}" "$script" || failed=1
	done
	return $failed
}

@test "scripts of busybox sh: applets, jobs, traps, the language" {
	requires static_busybox
	run_scripts sh busybox sh
}

@test "scripts of bash: subshells, coprocesses, traps, arrays" {
	requires bash-static
	run_scripts bash bash-static
}

@test "scripts of zsh: subshells, coprocesses, traps, arrays" {
	requires zsh-static
	run_scripts zsh zsh-static -f
}

@test "one of them with every engine, twenty times" {
	requires static_busybox
	for _ in {1..20}; do
		in_every_way same_as_native busybox sh "$ROOT/tests/scripts/jobs.sh"
	done
}

@test "busybox sh finds its applets without privileges and without user namespaces" {
	requires static_busybox
	drop_privileges
	cd "$(mktemp -d -p "$BATS_RUN_TMPDIR")"
	[ "$(id -u)" != 0 ] || chmod 777 .
	same_as_native busybox sh "$ROOT/tests/scripts/jobs.sh"
	under "${UNDER[@]}" "$GUESTS/tools/deny" "clone=$NAMESPACE_CHILD:EPERM" --
	same_as_native busybox sh "$ROOT/tests/scripts/jobs.sh"
}

@test "a Go program: goroutines, maps, a recovered fault" {
	requires go_guests
	in_every_way same_as_native "$GUESTS/go/go_hello" one two
}

@test "Go: threads, garbage, processes, signals, faults, sockets, timers, files" {
	requires go_guests
	for part in goroutines garbage processes faults sockets timers files; do
		in_every_way same_as_native "$GUESTS/go/go_guest" $part
	done
	by_signal in_every_way same_as_native "$GUESTS/go/go_guest" signals
}

@test "Go: a panic, a nil pointer that nobody recovers, SIGKILL" {
	requires go_guests
	for part in panic crash; do
		in_every_way same_as_native "$GUESTS/go/go_guest" $part
	done
	by_signal in_every_way same_as_native "$GUESTS/go/go_guest" die
}

@test "Go's own tools: large programs with threads" {
	requires go_guests
	compile=$("$GO" tool -n compile)
	has_interpreter "$GO" || in_every_way same_as_native "$GO" version
	! has_interpreter "$compile" || skip "the compiler is not static here"
	for i in {1..300}; do
		echo "func F$i(a []int) (s int) { for i, n := range a { s += n * $i >> (i & 7) }; return }"
	done | sed '1i package p' >p.go
	in_every_way same_as_native "$compile" -p p -S -o p.o p.go
	echo 'func f() int { return "text" }' >>p.go
	same_as_native "$compile" -p p -o p.o p.go
}

# go_verdicts [OPTION]...: what `go test` says of each package and of tests that fail, without times.
go_verdicts() {
	"$GO" test -short -timeout=100s "$@" strings sync os/exec os/signal >go_test 2>&1 || true
	sed -nE 's/^(ok|FAIL|[?])[[:space:]]+([^[:space:]]+).*/\1 \2/p
		s/^ *--- (FAIL: [^ ]+).*/\1/p' go_test | sort
}

@test "Go's own tests of strings, sync, os/exec and os/signal run under each loader" {
	requires go_guests
	export HOME=$BATS_TEST_TMPDIR GOCACHE=$ROOT/build/go-cache GOFLAGS=-mod=mod CGO_ENABLED=0
	go_verdicts >native
	cat go_test
	grep '^ok' native
	for loader in $LOADERS; do
		go_verdicts -count=1 -exec "$loader $LOADER_OPTIONS" >loaded
		cat go_test
		diff native loaded
	done
}

@test "C++: threads, exceptions that cross them, thread-local objects" {
	for _ in {1..20}; do
		in_all_variants cpp_threads
	done
	by_signal in_all_variants cpp_threads uncaught
	in_every_way in_all_variants cpp_threads
}
