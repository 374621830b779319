#!/usr/bin/env bats
#
# The exercises of docs/course/11-cold.md: what is in memory, who asks, and who has seen it.

load ../helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export XDG_CACHE_HOME=$BATS_TEST_TMPDIR
}

@test "exercise 11.1: to ask whether a page is in memory is to begin reading it" {
	requires nowait
	head -c 1000000 /dev/urandom >file
	sync file
	[ "$(stat -f -c %T .)" != tmpfs ] || skip "files here are always in memory"
	evict file
	# A fast disk has the page there before the kernel looks, and the answer is yes. mincore asks without reading.
	python3 - <<-'END'
		import ctypes, mmap, os, time
		file = os.open("file", os.O_RDWR)
		memory = mmap.mmap(file, 1000000)
		start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
		pages = (ctypes.c_ubyte * (-(-1000000 // mmap.PAGESIZE)))()
		libc = ctypes.CDLL(None)
		def there():
		    assert libc.mincore(ctypes.c_void_p(start), ctypes.c_size_t(1000000), pages) == 0
		    return pages[-1] & 1
		assert not there()
		time.sleep(0.2)
		assert not there(), "it came before it was asked for"
		try:
		    print(os.preadv(file, [bytearray(1)], 999999, os.RWF_NOWAIT))
		except BlockingIOError:
		    print("not there")
		for _ in range(100):
		    time.sleep(0.1)
		    if there():
		        break
		else:
		    raise SystemExit("it never came")
		assert os.preadv(file, [bytearray(1)], 999999, os.RWF_NOWAIT) == 1
	END
}

profile() {
	find pagewise -type f ! -name '*.partial-*' 2>/dev/null | grep .
}

@test "exercise 11.2: Python's modules leave no mapping, but their names" {
	requires python3
	python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
	"$ROOT/pagewise" learn -o learned -- "$python" -c 'import argparse'
	"$ROOT/pagewise" profile show learned >shown
	cat shown
	grep -q ' mapped .*/libc[.-][^/]*$' shown
	grep -q ' read .*argparse' shown
}

@test "exercise 11.3: whoever waits for any child of the program's is told of none" {
	requires python3 learner
	python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
	ran any "$ROOT/hybrid_loader" --profile=auto "$python" -c 'import os; os.waitpid(-1, 0x40000000 | os.WNOHANG)'
	[[ $output == *ChildProcessError* ]]
	eventually profile
}
