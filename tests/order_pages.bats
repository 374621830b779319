#!/usr/bin/env bats
#
# pagewise order pages and advice: which pages of its file a run touched, and what a linker's options would change.

load helpers

setup_file() {
	fresh_make -C "$ROOT" pagewise on_demand_loader
}

setup() {
	requires python3 gcc
	cd "$BATS_TEST_TMPDIR" || return
	P=$ROOT/pagewise
}

# A function and a table on each of eight pages. The arguments are which to use, in which order.
program() {
	{
		echo '#include <stdlib.h>'
		for i in {0..7}; do
			echo "__attribute__((aligned(4096))) int on_page_$i(int x) { return x + $i; }"
			echo "__attribute__((aligned(4096))) const int table_${i}[1024] = {$i};"
		done
		echo 'int (*const volatile functions[])(int) = {'
		for i in {0..7}; do echo "on_page_$i,"; done
		echo '}; const int *const volatile tables[] = {'
		for i in {0..7}; do echo "table_$i,"; done
		echo '}; __attribute__((aligned(4096))) int main(int c, char **v) { int s = 0;'
		echo 'for (int i = 1; i < c; i++) { int n = atoi(v[i]); s += functions[n](tables[n][5]); } return s; }'
	} >pages.c
	gcc "$@" -o pages pages.c
}

# traced [ARG]...: run.trace is a run of ./pages.
traced() {
	requires lazy
	"$ROOT/on_demand_loader" --policy=none --trace=run.trace ./pages "$@" || [ $? -lt 125 ]
}

@test "pages: in the order of their first touches, with their functions" {
	program -static
	traced 6 1 6 4
	"$P" order pages run.trace >listed
	diff <(printf 'on_page_%d\n' 6 1 4) <(awk -F '\t' '$3 ~ /text/ { print $6 }' listed | grep -o 'on_page_[0-9]')
	diff <(printf 'table_%d\n' 6 1 4) <(awk -F '\t' '$3 ~ /rodata/ { print $5 }' listed | grep -o 'table_[0-9]')
	# Addresses are those of the file.
	[ "$(awk -F '\t' '$6 ~ /on_page_6/ { print $2 }' listed)" = "$(nm pages | sed -n 's/^0*\(.*\) T on_page_6/\1/p')" ]
}

@test "pages and advice: a script, and a program of PATH" {
	requires lazy
	program -static
	printf '#!%s\n' "$PWD/pages" >script
	chmod +x script
	"$ROOT/on_demand_loader" --policy=none --trace=run.trace ./script 6 || [ $? -lt 125 ]
	"$P" order pages run.trace | grep on_page_6
	mkdir programs
	mv pages programs
	PATH=$PWD/programs:$PATH "$ROOT/on_demand_loader" --policy=none --trace=run.trace pages 6 || [ $? -lt 125 ]
	"$P" order pages run.trace | grep on_page_6
	"$P" order advice run.trace | grep '^.text'
}

# touched SECTION: how many of its pages the table of ./advised has.
touched() {
	awk -v section="$1" '$1 == section { print $3 }' advised
}

@test "advice: the pages that each section's touches cost" {
	program -static
	traced 0
	"$P" order advice run.trace >advised
	text=$(touched .text) constants=$(touched .rodata)
	traced 0 6 1 6 4
	"$P" order advice run.trace >advised
	[ $(($(touched .text) - text)) = 3 ]
	[ $(($(touched .rodata) - constants)) = 3 ]
	grep -q "^.rodata: .* of the $(touched .rodata) touched pages" advised
	[ "$(grep -c 'relative relocations' advised)" = 0 ]
}

@test "lld moves constants that its order file names, as the advice says" {
	requires lld
	program -static -fdata-sections -fuse-ld=lld
	traced 6 1 4
	"$P" order pages run.trace | awk -F '\t' '$3 ~ /rodata/ { print $5 }' | grep -o 'table_[0-9]' >names
	[ "$(nm -n pages | grep -oFf names)" != "$(cat names)" ]
	gcc -static -fdata-sections -fuse-ld=lld -Wl,--symbol-ordering-file=names -o ordered pages.c
	diff names <(nm -n ordered | grep -oFf names)
}

@test "advice: what packed relocations take is what the linker makes of them" {
	requires lld
	program -static-pie -fPIE -fuse-ld=lld
	traced 6
	"$P" order advice run.trace >advised
	all=$(readelf -rW pages | grep -c '_RELATIV')
	gcc -static-pie -fPIE -fuse-ld=lld -Wl,--pack-dyn-relocs=relr -o packed pages.c
	packed=$((0x$(readelf -SW packed | sed -n 's/.* RELR *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/\1/p')))
	[ "$packed" -gt 0 ]
	grep "^$all relative relocations take $((24 * all)) bytes; with -Wl,-z,pack-relative-relocs $packed bytes" advised
}

@test "pages and advice: traces without touches, of other policies, and what is no trace" {
	program -static
	"$ROOT/hybrid_loader" --trace=run.trace ./pages
	expect "exit 125" "$P" order pages run.trace
	is_one_line "pagewise order: " 'no touches of the program.s file; make one with on_demand_loader --policy=none'
	requires lazy
	"$ROOT/on_demand_loader" --policy=next-4 --trace=run.trace ./pages
	expect "exit 0" "$P" order pages run.trace
	grep -q '^pagewise order: .* pages are left out: the policy brought them in' found.err
	expect "exit 125" "$P" order advice pages.c
	is_one_line "pagewise order: " 'pages.c: not a trace'
	expect "exit 125" "$P" order advice
	is_one_line "pagewise order: " 'name one trace after the command'
	rm pages
	expect "exit 125" "$P" order advice run.trace
	is_one_line "pagewise order: " 'pages: No such file'
}

@test "relative relocations of other processors" {
	echo 'static int a, b; int *const pointers[] = {&a, &b, &a};' >pointers.c
	for machine in aarch64 riscv64; do
		type -P "$machine-linux-gnu-gcc" >/dev/null || skip "$machine-linux-gnu-gcc is not installed"
		"$machine-linux-gnu-gcc" -shared -nostdlib -fPIC -o pointers.so pointers.c
		[ "$(readelf -rW pointers.so | grep -c _RELATIVE)" = 3 ]
		[ "$(PYTHONPATH=$ROOT/share/trace python3 -B -c 'import trace_elf
print(len(trace_elf.Elf("pointers.so").relative_relocations()))')" = 3 ]
	done
}
