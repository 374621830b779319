#!/usr/bin/env bats
#
# The file of a program that runs: written to, truncated, replaced and removed meanwhile, it must
# come out as under exec.

load helpers

setup() {
	requires static_busybox
	cd "$BATS_TEST_TMPDIR" || return 1
}

# while_running COMMAND... -- CHANGE: starts the command, which is a copy of busybox that waits for
# a line, makes the change, and lets it go on. Prints what became of both.
while_running() {
	local command=() file=$BATS_TEST_TMPDIR/busybox pid
	rm -f input output
	cp "$(command -v busybox)" "$file"
	while [ "$1" != -- ]; do
		command+=("$1")
		shift
	done
	mkfifo input
	"${command[@]}" "$file" sh -c 'echo started; read line; echo "$line"; exec echo again' \
		<input >output 2>&1 3>&- 4>&- &
	pid=$!
	exec 9>input
	while [ ! -s output ]; do sleep 0.01; done
	(FILE=$file bash -c "$2" 2>&1 || true) | sed 's/.*: //'
	echo line >&9
	exec 9>&-
	wait "$pid" && echo "status 0" || echo "status $?"
	cut_warning output
	cat output
	rm -f input output busybox
}

# as_natively CHANGE
as_natively() {
	local loader failed=0
	while_running env -- "$1" >native
	for loader in $LOADERS; do
		while_running "$loader" -- "$1" >loaded
		cmp -s native loaded && continue
		echo "$loader, $1:"
		diff native loaded
		failed=1
	done
	return "$failed"
}

@test "a running program's file can be neither written nor truncated" {
	requires own_executable
	as_natively 'echo x >>"$FILE"'
	grep -q 'Text file busy' native
	as_natively 'truncate -s 0 "$FILE"'
	as_natively 'dd if=/dev/zero of="$FILE" bs=1 count=1 conv=notrunc status=none'
}

@test "it can be removed, renamed and replaced, and the program goes on" {
	as_natively 'rm "$FILE"'
	as_natively 'mv "$FILE" "$FILE.old"; mv "$FILE.old" "$FILE"'
	as_natively 'cp "$(command -v true)" "$FILE.new"; mv "$FILE.new" "$FILE"'
	as_natively 'chmod 0 "$FILE"'
}

@test "a file system that is mounted noexec" {
	requires user_namespaces
	mkdir noexec
	for loader in env $LOADERS; do
		ran 126 unshare -rm sh -c 'mount -t tmpfs -o noexec none noexec && cp "$1" noexec/program &&
			exec "$0" noexec/program' "$loader" "$ROOT/prog1"
		echo "$loader: status $status: $output"
		[ "$(wc -l <<<"$output")" = 1 ]
	done
	[[ $output == *"mounted noexec"* ]]
}

@test "a set-user-ID bit has no effect, and --verbose says so" {
	cp "$ROOT/prog1" program && chmod u+s program
	for loader in $LOADERS; do
		ran 0 "$loader" -v ./program
		[[ $output == *"set-user-ID"*"only exec can give that privilege"*hello!* ]]
		ran 0 "$loader" ./program
		[ "$output" = hello! ]
	done
}

# holding_a_lock FILE COMMAND...: COMMAND by exec, in a process that has a record lock on FILE.
holding_a_lock() {
	local code='import fcntl, os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
os.set_inheritable(fd, True)
fcntl.lockf(fd, fcntl.LOCK_SH)
os.execvp(sys.argv[2], sys.argv[2:])'
	under python3 -c "$code" "$1"
	shift
	same_as_native "$@"
}

@test "a record lock on the program's file, its script or its interpreter is kept" {
	requires python3
	local variant guest=process_record_locks interpreter
	for variant in "${VARIANTS[@]}"; do
		holding_a_lock "$GUESTS/$variant/$guest" "$GUESTS/$variant/$guest" "$GUESTS/$variant/$guest"
		grep -q "by its parent" "$BATS_TEST_TMPDIR/native.out"
	done
	printf '#!%s\n' "$GUESTS/musl-static/$guest" >script && chmod +x script
	holding_a_lock ./script ./script
	grep -q "by its parent" "$BATS_TEST_TMPDIR/native.out"
	interpreter=$(readelf -l "$GUESTS/glibc-dynamic/$guest" | sed -n 's/.*interpreter: \(.*\)]/\1/p')
	holding_a_lock "$interpreter" "$GUESTS/glibc-dynamic/$guest" "$interpreter"
	grep -q "by its parent" "$BATS_TEST_TMPDIR/native.out"
}

@test "a FIFO without a writer, where a file is read: refused at once" {
	mkfifo fifo
	for option in --profile=fifo --placement=exact:fifo; do
		for loader in $LOADERS; do
			expect "exit 125" "$loader" "$option" "$ROOT/prog1"
			is_one_line "${loader##*/}: $ROOT/prog1: " "fifo is (no profile|not a regular file)"
		done
	done
}
