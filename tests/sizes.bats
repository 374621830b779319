#!/usr/bin/env bats
#
# Programs that are larger than what there is: the kernel kills them inside execve, for what it maps
# only for a moment while it loads, and a loader says why.

load helpers

@test "far apart, and more .bss than there is: killed natively, refused by the loaders" {
	requires python3 x86_code
	cd "$BATS_TEST_TMPDIR"
	expect_warning
	export EXPECTED_WARNING
	# all_at_once_loader would fill what the kernel only promises.
	python3 - "$ROOT/hybrid_loader" "$ROOT/on_demand_loader" <<-'END'
		import collections, os, struct, subprocess, sys

		ET_EXEC, ET_DYN, PF_RX, PF_RWX, GIB = 2, 3, 5, 7, 1 << 30
		EXIT_0 = bytes([0xb8, 60, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05])
		kinds = collections.Counter()
		warning = os.environb[b"EXPECTED_WARNING"] or b"\n\n"  # which no line has

		def load(offset, address, in_file, in_memory, flags=PF_RWX):
		    return struct.pack("<IIQQQQQQ", 1, flags, offset, address, address, in_file, in_memory, 4096)

		def program(kind, base, *loads):
		    entry = base + 0x3000
		    loads = [*loads, load(0x1000, entry, 0x1000, 0x1000)]
		    head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
		        "<HHIQQQIHHHHHH", kind, 62, 1, entry, 64, 0, 0, 64, 56, len(loads), 0, 0, 0)
		    return (head + b"".join(loads)).ljust(4096, b"\0") + EXIT_0.ljust(4096, b"\0")

		def compare(name, content):
		    with open(name, "wb", opener=lambda path, flags: os.open(path, flags, 0o755)) as file:
		        file.write(content)
		    native = subprocess.run([f"./{name}"], capture_output=True)
		    for loader in sys.argv[1:]:
		        run = subprocess.run([loader, f"./{name}"], capture_output=True)
		        print(name, native.returncode, run)
		        said = b"".join(line for line in run.stderr.splitlines(True) if warning not in line)
		        if native.returncode == 0:
		            assert (run.returncode, run.stdout, said) == (0, b"", b"")
		        else:
		            assert native.returncode == -11 and run.returncode == 126
		            assert said.count(b"\n") == 1 and len(said) <= 250
		    kinds[native.returncode] += 1
		    os.unlink(name)

		for flags in PF_RX, PF_RWX:
		    for far in (GIB, 1 << 40, 1 << 45, 1 << 46, 3 << 45, (1 << 47) - 0x10000):
		        compare(f"first_far_{far:x}_{flags}", program(ET_DYN, 0, load(0, far, 4096, 4096, flags)))
		        compare(f"last_far_{far:x}_{flags}", program(
		            ET_DYN, 0, load(0, 0, 4096, 4096, flags), load(0, far, 4096, 4096, flags)))
		for kind, base in (ET_EXEC, 0x400000), (ET_DYN, 0):
		    for size in (2 * GIB, 1 << 40, 1 << 45):
		        # A later segment takes half of it, so that neither part is too large for heuristics.
		        half = base + 4096 + size // 2
		        compare(f"cut_{size:x}_{kind}", program(
		            kind, base, load(0, base, 4096, 4096), load(0, base + 4096, 4096, size),
		            load(0, half, 4096, size // 2)))
		        compare(f"hidden_{size:x}_{kind}", program(
		            kind, base, load(0, base, 4096, 4096), load(0, base + 4096, 4096, size, PF_RX)))
		print(kinds)
		assert kinds[0] >= 5 and kinds[-11] >= 5
	END
}

# with_memory MEMINFO LIMIT COMMAND...: where the kernel says so about what is available. The limit is that of a control
# group of version 2, or with GROUPS_OF=1 of version 1.
with_memory() {
	local line=0::/some/group folder=/sys/fs/cgroup/some limit=memory.max
	if [ "${GROUPS_OF:-2}" = 1 ]; then
		line=$'5:cpu,cpuacct:/else\n4:memory:/some/group\n0::/'
		folder=/sys/fs/cgroup/memory/some limit=memory.limit_in_bytes
	fi
	printf '%s\n' "$1" >"$BATS_TEST_TMPDIR/meminfo"
	printf '%s\n' "$line" >"$BATS_TEST_TMPDIR/cgroup"
	expect "$STATUS" unshare --user --map-root-user --mount bash -c '
		mount --bind "$0/meminfo" /proc/meminfo && mount --bind "$0/cgroup" /proc/$$/cgroup &&
			mount -t tmpfs none /sys/fs/cgroup && mkdir -p "$1/group" &&
			echo "$3" >"$1/$2" && echo max >"$1/group/$2" || exit 99
		exec "${@:4}"' "$BATS_TEST_TMPDIR" "$folder" "$limit" "${@:2}"
}

@test "all_at_once_loader does not fill more than there is, unless it is told to" {
	requires user_namespaces
	local all=$ROOT/all_at_once_loader plenty=$'MemTotal: 9 kB\nMemAvailable: 900000 kB\nSwapFree: 0 kB'
	local little=$'MemAvailable: 102400 kB\nSwapFree: 1024 kB'
	musl-gcc -static -x c -o "$BATS_TEST_TMPDIR/large" - <<<'static char large[150 << 20]; int main(void) { return large[9]; }'
	cd "$BATS_TEST_TMPDIR"
	STATUS="exit 126" with_memory "$little" max "$all" ./large
	is_one_line "all_at_once_loader: ./large: " \
		"^needs 150 MiB of memory before it starts, and there are 101: use hybrid_loader or on_demand_loader, or --populate=anyway$"
	STATUS="exit 126" with_memory "$plenty" 134217728 "$all" ./large
	is_one_line "all_at_once_loader: ./large: " "and memory.max is 128: use"
	STATUS="exit 126" GROUPS_OF=1 with_memory "$plenty" 134217728 "$all" ./large
	is_one_line "all_at_once_loader: ./large: " "and memory.limit_in_bytes is 128: use"
	STATUS="exit 0"
	with_memory "$little" max "$all" --populate=anyway ./large
	with_memory "$plenty" max "$all" ./large
	GROUPS_OF=1 with_memory "$plenty" 9223372036854771712 "$all" ./large
	with_memory "$little" max "$ROOT/hybrid_loader" ./large
	with_memory "$little" 1 "$all" "$ROOT/prog1"
	with_memory "" "" "$all" ./large
}
