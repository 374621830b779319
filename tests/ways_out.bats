#!/usr/bin/env bats
#
# Every error names the way out: the message holds it, and where a test can follow it, it helps.

load helpers
load ways_out

# build NAME FLAG...: a program without libc that says the same, at any address.
build() {
	cat >hello.c <<-'END'
		#include <stdint.h>
		#include <sys/syscall.h>
		#include "syscall.h"

		void _start(void)
		{
			raw_syscall6(SYS_write, 1, (uint64_t)"hello!\n", 7, 0, 0, 0);
			raw_syscall6(SYS_exit_group, 0, 0, 0, 0, 0, 0);
		}
	END
	gcc -O1 -fPIC -no-pie -nostdlib -static -I"$ROOT/common/arch/$(uname -m)" -o "$1" "${@:2}" hello.c
}

# the_flag: the linker's flag that the message suggests.
the_flag() {
	found err | grep -o -e '-Wl,-Ttext-segment=0x[0-9a-f]*'
}

@test "not found: check the path, or the one that was meant" {
	echo text >readable.txt && chmod +x readable.txt
	says 127 "no such file: check its path" @ ./missing
	says 127 "no such file: check its path" @ "$PWD/missing/prog" argument
	says 127 "no such file in PATH: check its name" env PATH=/nonexistent @ xyzzy
	# PATH is given, since a directory that one may not search would make the status
	# 126, as with env(1).
	says 127 "no such file in PATH: check its name" env PATH=/usr/bin:/bin @ no_such_program_anywhere
	says 127 "no such file in PATH: did you mean ./good?" env PATH=/nonexistent @ good
	says 127 "no such file in PATH: did you mean ./good?" env PATH=/nonexistent @ goood
	# A name in this folder that is no program: why, so that ./NAME need not be tried.
	says 127 "no such file in PATH, and ./readable.txt is text, not an ELF file: a script needs" env PATH=/nonexistent @ readable.txt
	cp good closed && chmod -x closed && mkdir folder
	says 127 "no such file in PATH, and ./closed may not be executed: permission is missing; chmod +x it" env PATH=/nonexistent @ closed
	says 127 "no such file in PATH, and ./folder is a directory: name a program in it" env PATH=/nonexistent @ folder
	says 127 "no such file in PATH: if that is a program with arguments, leave out the quotes" env PATH=/nonexistent @ "xyzzy -l"
	says 127 "no such file in PATH: to set a variable, write env A=1 before the program" env PATH=/nonexistent @ A=1 ./good
	says 127 "no such file: did you mean $PWD/good?" @ "$PWD/godo"
	says 127 "no such file in PATH: did you mean good?" env "PATH=/nonexistent:$PWD" @ goood
	works env "PATH=/nonexistent:$PWD" @ good
	says 127 "the program's name is empty: name one" @ ""
	works @ ./good
}

@test "a path that leads nowhere: check it" {
	ln -s one two && ln -s two one
	says 126 "; check its path" @ ./good/prog
	says 126 "; check its path" @ ./one
}

@test "no program: a directory, a FIFO, a device, text, nothing" {
	mkdir folder && cp good folder/prog
	mkfifo pipe executable && chmod +x executable
	echo "just text, longer than the sixty-four bytes that an ELF header has in a 64-bit file" >text
	echo "just text" >short
	: >empty
	patched magic 1 'X'
	head -c 1 good >letter
	chmod +x text short empty letter
	for name in ./folder ./ /tmp; do
		says 126 "is a directory: name a program in it" @ "$name"
	done
	works @ ./folder/prog
	for name in ./pipe ./executable /dev/null; do
		says 126 "standard input, as in LOADER - <FILE" @ "$name"
	done
	for loader in $LOADERS; do
		cat good >pipe 3>&- 4>&- &
		works bash -c 'exec "$0" - <pipe' "$loader"
		wait $!
	done
	says 126 "is text, not an ELF file: a script needs a first line such as #!/bin/sh" @ ./text
	says 126 "is text, not an ELF file: a script needs a first line such as #!/bin/sh" @ ./short
	for name in ./empty ./letter ./magic; do
		says 126 "is not an ELF file: name $A_PROGRAM" @ "$name"
	done
}

@test "may not be executed: chmod +x" {
	chmod -x good
	says 126 "permission is missing; chmod +x it" @ ./good
	chmod +x good
	works @ ./good
}

@test "may not be executed, and is no program: what it is" {
	echo "just text" >text
	: >empty
	printf '#!/bin/sh\n' >script
	says 126 "is text, not an ELF file: a script needs a first line such as #!/bin/sh" @ ./text
	says 126 "is text, not an ELF file: a script needs a first line such as #!/bin/sh" @ /etc/passwd
	says 126 "is not an ELF file: name $A_PROGRAM" @ ./empty
	says 126 "permission is missing; chmod +x it" @ ./script
}

@test "may not be executed, and is another user's: a copy, or ask" {
	requires root
	mkdir -m 777 open
	drop_privileges ./good
	chmod 644 good
	says 126 "it is another user's; chmod +x a copy of it" @ ./good
	"${UNDER[@]}" cp good open/copy && "${UNDER[@]}" chmod +x open/copy
	works @ open/copy
	chmod 600 good
	says 126 "may neither be executed nor read by this user: ask its owner for both" @ ./good
}

@test "may not be executed or read, for an ordinary user: chmod" {
	mkdir closed && cp good closed/good
	[ "$(id -u)" != 0 ] || whose="ask its owner to "
	drop_privileges ./good
	chmod 600 closed
	says 126 "a directory above it may not be searched by this user; ask its owner for chmod +x" @ ./closed/good
	chmod 755 closed
	works @ ./closed/good
	chmod 111 good
	says 126 "a loader has to read it: ${whose}chmod +r it" @ ./good
	chmod +r good
	works @ ./good
}

@test "mounted noexec: copy it to another file system" {
	requires user_namespaces
	mkdir noexec
	says 126 "mounted noexec; copy it to another" unshare -rm sh -c \
		'mount -t tmpfs -o noexec none noexec && cp good noexec && exec "$0" noexec/good' @
}

@test "a script whose interpreter is missing: the first line" {
	printf '#!/nowhere/sh\necho "hello!"\n' >script && chmod +x script
	says 127 "its interpreter /nowhere/sh: no such file: check the first line of the script" @ ./script
	printf '#!/bin/sh\necho "hello!"\n' >script
	works @ ./script
}

@test "an interpreter that is missing: link with -static; one that is broken: which file that is" {
	gcc -o dynamic -Wl,--dynamic-linker=/nowhere/ld.so "$ROOT/testprogs/prog1.c"
	gcc -o broken -Wl,--dynamic-linker="$PWD/text" "$ROOT/testprogs/prog1.c"
	gcc -static -o static "$ROOT/testprogs/prog1.c"
	echo text >text && chmod +x text
	works @ ./static
	says 127 "its interpreter /nowhere/ld.so: no such file: install its C library, name another ld.so with --interpreter=FILE, or link it with -static" env "PATH=:/bin" @ ./dynamic
	says 127 "its interpreter /nowhere/ld.so: no such file: install its C library, name another ld.so with --interpreter=FILE, or link it with -static" env "PATH=:/bin" @ dynamic
	INPUT=dynamic says 127 "or link it with -static" @ -
	works @ --interpreter="$(interpreter_of "$GUESTS/glibc-dynamic/hello")" ./dynamic
	says 126 "its interpreter $PWD/text: is text, not an ELF file" @ ./broken
}

@test "an object file: link it" {
	gcc -c -o object.o "$ROOT/testprogs/prog1.c" && chmod +x object.o
	gcc -static -o linked object.o
	says 126 "link it into a program" @ ./object.o
	works @ ./linked
}

@test "built for something else, or damaged: what to do about the file" {
	patched i386 18 '\3'
	patched i386-32 18 '\3' && printf '\1' | dd of=i386-32 bs=1 seek=4 conv=notrunc status=none
	patched x86-64 18 '\76\0'
	patched arm64 18 '\267\0'
	patched riscv 18 '\363\0'
	patched s390 18 '\0\26' && printf '\2' | dd of=s390 bs=1 seek=5 conv=notrunc status=none
	patched unknown 18 '\377\377'
	patched core 16 '\4'
	patched phentsize 54 '\70\1'
	patched phnum 56 '\0\0'
	patched phoff 32 '\377\377\377\377\377\377\377\177'
	patched many 56 '\377\377'
	# p_filesz of the first PT_LOAD: the program headers begin at 64, and have 56 bytes each
	patched filesz $((64 + 56 * $(readelf -lW good | awk '$2 ~ /^0x/ { if ($1 == "LOAD") exit; n++ } END { print n + 0 }') + 32)) '\0\0\0\0\1'
	lengths="4 10 50 63 64 65 100 120 300"
	for length in $lengths; do
		head -c "$length" good >"cut_$length" && chmod +x "cut_$length"
	done
	[ "$MACHINE" != x86-64 ] || says 126 "build it for x86-64 (-m64)" @ ./i386
	[ "$MACHINE" != x86-64 ] || says 126 "build it for x86-64 (-m64)" @ ./i386-32
	[ "$MACHINE" = x86-64 ] || says 126 "is for another machine: x86-64 (e_machine 62); build it for $MACHINE" @ ./x86-64
	[ "$MACHINE" = arm64 ] || says 126 "is for another machine: AArch64 (e_machine 183); build it for $MACHINE" @ ./arm64
	[ "$MACHINE" = riscv64 ] || says 126 "is for another machine: RISC-V (e_machine 243); build it for $MACHINE" @ ./riscv
	says 126 "is for another machine: s390 (e_machine 22); build it for $MACHINE" @ ./s390
	says 126 "is for another machine: e_machine is 65535, not $(od -An -tu2 -j18 -N2 good | tr -d ' '); build it for $MACHINE" @ ./unknown
	says 126 "name the program that dumped it" @ ./core
	for name in phentsize phnum phoff many filesz; do
		says 126 "is damaged; build it or copy it again" @ "./$name"
	done
	for length in $lengths; do
		says 126 "is cut off; build it or copy it again" @ "./cut_$length"
	done
}

@test "linked where something is, or beyond all addresses: link it elsewhere" {
	requires setarch
	# Here the stack's end is the same in each run.
	under setarch -R
	local end
	end=0x$(setarch -R sed -n 's/.*-\([0-9a-f]*\) .*\[stack\]$/\1/p' /proc/self/maps)
	build stack "-Wl,-Ttext-segment=$(printf '0x%x' $((end - 0x13000)))"
	build far "-Wl,-Ttext-segment=$(printf '0x%x' $((end + 0x1000)))"
	for loader in $LOADERS; do
		for name in stack far; do
			says 126 "link it" "$loader" "./$name"
			build "$name-again" "$(the_flag)"
			works "$loader" "./$name-again"
		done
	done
}

# Where its own code lies among a program's is another place in each build of it; often that of most programs.
@test "linked where proot is: link it elsewhere" {
	requires proot
	under proot
	# Not by cat: that of Ubuntu 26.04 goes by the name of what proot has started.
	place=$(proot sed -n 's/-.*prooted-.*//p' /proc/self/maps | head -n 1)
	[ -n "$place" ] || skip "proot runs no program here"
	build there "-Wl,-Ttext-segment=0x$place"
	for loader in $LOADERS; do
		says 126 "or proot already is: link it elsewhere" "$loader" ./there
		build elsewhere "$(the_flag)"
		works "$loader" ./elsewhere
	done
}

@test "linked below vm.mmap_min_addr: link it higher" {
	[ "$(cat /proc/sys/vm/mmap_min_addr)" -gt 0 ] || skip "vm.mmap_min_addr is 0"
	build low -Wl,-Ttext-segment=0
	drop_privileges ./good
	for loader in $LOADERS; do
		says 126 "link it higher" "$loader" ./low
		build high "$(the_flag)"
		works "$loader" ./high
	done
}

@test "no memory: raise the limits" {
	local loader limit little
	for loader in $LOADERS; do
		for limit in v d; do
			says 126 "raise the limits of memory (ulimit -v, ulimit -d)" \
				bash -c 'ulimit "-$0" 4000; exec "$1" "$2"' "$limit" "$loader" ./good
			works bash -c 'ulimit "-$0" 40000; exec "$1" "$2"' "$limit" "$loader" ./good
		done
		# glibc itself does not start with less.
		[[ $("$loader" --version) != *glibc* ]] || continue
		# Room for the loader, which is larger on arm64, and for little else.
		little=$(($(size "$loader" | awk 'NR == 2 { print $4 }') / 1024 + 480))
		says 126 "raise the limits of memory (ulimit -v, ulimit -d)" bash -c 'ulimit -v "$2"; exec "$0" "$1"' \
			"$loader" "$GUESTS/musl-pie/hello" "$little"
	done
}

# fails_somewhere REMEDY COMMAND...: one of its first calls named $DENIED is denied, and then it says this.
DENIED=mprotect
fails_somewhere() {
	local remedy=$1 n
	shift
	for ((n = 1; n <= 12; n++)); do
		record found "$GUESTS/tools/fail_call" "$DENIED" "$n" EPERM -- "$@"
		! grep -qF "$remedy" "$BATS_TEST_TMPDIR/found.err" || return 0
	done
	return 1
}

@test "executable memory is denied: -z noexecstack, or no ban" {
	build wants -z execstack
	build without -z noexecstack
	for loader in $LOADERS; do
		fails_somewhere "wants an executable stack: Operation not permitted; link it with -z noexecstack" "$loader" ./wants
		! fails_somewhere "executable stack" "$loader" ./without
		works "$loader" ./without
		fails_somewhere "lift the ban on memory made executable (MemoryDenyWriteExecute=, PR_SET_MDWE)" \
			"$loader" ./good
	done
}

@test "executable memory is denied, and files have to be short: the limit of files" {
	says 125 "cannot be made executable: File too large; raise the limit of files (ulimit -f)" \
		bash -c 'ulimit -f 1; exec "$@"' bash "$GUESTS/musl-static/memory_mdwe" @ ./good
}

@test "a mapping is denied: its place is not to blame" {
	for loader in $LOADERS; do
		DENIED=mmap fails_somewhere "cannot be mapped at 0x401000-0x403000: Operation not permitted; lift the ban on" \
			"$loader" ./good
		DENIED=mmap fails_somewhere "cannot be mapped at 0x403000-0x404000: Operation not permitted; see mmap(2)" "$loader" ./good
		if DENIED=mmap fails_somewhere "vm.mmap_min_addr" "$loader" ./good; then return 1; fi
	done
}

@test "standard input: redirect it, or name a file" {
	says 125 "as in LOADER - <PROGRAM" bash -c '"$0" - <&-' @
	INPUT=good works @ -
	INPUT=. says 125 "name a file instead" @ -
	INPUT=good says 125 "name a file instead" "$GUESTS/tools/deny" memfd_create:EPERM -- @ -
	works "$GUESTS/tools/deny" memfd_create:EPERM -- @ ./good
}
