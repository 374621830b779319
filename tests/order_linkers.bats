#!/usr/bin/env bats
#
# pagewise order: what linkers make of what it writes.

load helpers

setup_file() {
	fresh_make -C "$ROOT" pagewise
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	P=$ROOT/pagewise
	cp "$ROOT/tests/data/order.c" "$ROOT/tests/data/order.cc" "$ROOT/tests/data/order.rs" "$ROOT/tests/data/order.zig" .
}

# functions PROGRAM: the names in the order of their addresses, one a line.
functions() {
	nm -n "$1" | sed -n 's/^[0-9a-f]* [tTwWi] //p'
}

# take_order PROGRAM: its order; LIST are the first names of the functions that it called, of its own sections.
take_order() {
	requires dispatch
	"$P" run --order=order "./$1" >/dev/null
	awk -F '\t' 'NF >= 5 && $4 != "crtstuff.c" && $5 !~ /^_(start|init|fini)$/ { print $5 }' order >list
	[ -s list ]
}

# links FORMAT COMMAND...: the command links ./ordered from the exported file, without a word, and it prints what ./plain
# does. The functions that were called are side by side, but for SPARE others, in their order.
links() {
	local format=$1
	shift
	"$P" order export "--format=$format" --program=plain -o exported order
	"$@" >warnings 2>&1 || true
	cat warnings
	[ ! -s warnings ]
	[ "$(./plain)" = "$(./ordered)" ]
	functions ordered | grep -nxFf list | sed 's/:.*//' >lines
	[ $(($(tail -n 1 lines) - $(head -n 1 lines))) -lt $(($(wc -l <list) + SPARE)) ]
	diff list <(functions ordered | grep -xFf list)
}

@test "C: lld, gold, GNU ld 2.43" {
	gcc -O2 -ffunction-sections -o plain order.c
	take_order plain
	[ "$(cat list)" != "$(functions plain | grep -xFf list)" ]
	SPARE=6 # other_name, and those of crtstuff.c
	for linker in lld gold new_ld; do
		(
			requires "$linker"
			case $linker in
			lld) links lld gcc -O2 -ffunction-sections -fuse-ld=lld -Wl,--symbol-ordering-file=exported -o ordered order.c ;;
			gold) links gold gcc -O2 -ffunction-sections -fuse-ld=gold -Wl,--section-ordering-file=exported -o ordered order.c ;;
			*) links ld gcc -O2 -ffunction-sections "-B$ROOT/build/linkers" -Wl,--section-ordering-file=exported -o ordered order.c ;;
			esac
		)
	done
}

@test "C++: lld, gold, GNU ld 2.43" {
	requires g++
	g++ -O2 -ffunction-sections -o plain order.cc
	take_order plain
	SPARE=8 # aliases of constructors and destructors
	for linker in lld gold new_ld; do
		(
			requires "$linker"
			case $linker in
			lld) links lld g++ -O2 -ffunction-sections -fuse-ld=lld -Wl,--symbol-ordering-file=exported -o ordered order.cc ;;
			gold) links gold g++ -O2 -ffunction-sections -fuse-ld=gold -Wl,--section-ordering-file=exported -o ordered order.cc ;;
			*) links ld g++ -O2 -ffunction-sections "-B$ROOT/build/linkers" -Wl,--section-ordering-file=exported -o ordered order.cc ;;
			esac
		)
	done
}

@test "C and C++: llvm-bolt, which moves functions of a linked program" {
	requires g++ llvm-bolt
	local language options=(-O2 -fno-reorder-blocks-and-partition '-Wl,--emit-relocs')
	SPARE=8
	for language in c cc; do
		g++ -x "${language/cc/c++}" "${options[@]}" -o plain "order.$language"
		take_order plain
		[ "$(cat list)" != "$(functions plain | grep -xFf list)" ]
		# It writes what it does to standard output.
		links bolt sh -c '"$0" plain -o ordered --reorder-functions=user --function-order=exported >bolt.out' \
			"$ROOT/build/linkers/llvm-bolt"
	done
}

@test "Rust: lld" {
	requires cargo lld
	rustc -O -o plain order.rs
	take_order plain
	SPARE=6
	links lld rustc -O -Clink-arg=-fuse-ld=lld -Clink-arg=-Wl,--symbol-ordering-file=exported -o ordered order.rs
}

@test "Zig: its lld, by the recipe as it is printed" {
	requires zig
	mv order.zig main.zig
	export ZIG_LOCAL_CACHE_DIR=$PWD/cache
	local path="$ROOT/build/linkers:$ROOT:$PATH"
	"$P" order recipe zig | sed '/^pagewise/,$d' >build
	"$P" order recipe zig | sed -n '/^pagewise/,$p' >relink
	PATH=$path bash -e build
	mv PROGRAM plain
	take_order plain
	cp plain PROGRAM
	SPARE=6
	links lld env PATH="$path" bash -c "bash -e relink >out && mv PROGRAM ordered"
	[ "$(functions plain | grep -xFf list)" != "$(functions ordered | grep -xFf list)" ]
}

@test "a static program: an order has the same names and source files from GNU ld and from lld, which makes hidden functions local" {
	requires lld
	printf '%s\n' '__attribute__((visibility("hidden"), noinline)) int aa(int x) { return x + 1; }' \
		'int bb(int) __attribute__((alias("aa")));' '__attribute__((noinline)) static int cc(int x) { return aa(x); }' \
		'int main(int c, char **v) { return cc(c); }' >hidden.c
	local linker
	for linker in bfd lld; do
		gcc -static "-fuse-ld=$linker" -o hidden hidden.c
		expect "exit 2" "$P" run --order="$linker" ./hidden
		grep -P '\t(aa|bb|cc|main)$' "$linker" | cut -f 4- >"$linker.names"
	done
	[ "$(readelf -sW hidden | grep -cE 'LOCAL +HIDDEN .* aa$')" = 1 ]
	diff bfd.names lld.names
	diff bfd.names <(printf '%s\n' $'-\tmain' $'hidden.c\tcc' $'-\taa\tbb')
}

# order_of NAME...: an order file of these functions, of program p.
order_of() {
	local name address=4096
	printf 'page-order\t1\nprogram\tp\nbuild-id\t%s\nfunctions\t9\norder\t%d\n' "${ID:--}" $#
	for name in "$@"; do
		printf '%x\t16\t.text\t-\t%s\n' "${ADDRESS:-$((address += 16))}" "$name"
	done
	printf 'end\texit\n'
}

@test "merge: by the mean of places; what only some runs call comes last" {
	order_of a b c d >one
	order_of a c b e >two
	order_of c a b >three
	"$P" order merge -o merged one two three
	[ "$(awk -F '\t' 'NF >= 5 { print $5 }' merged | tr '\n' ' ')" = "a c b d e " ]
	# Those of the same runs are side by side.
	order_of a p r >one
	order_of a q p s >two
	order_of a q r s >three
	"$P" order merge -o merged one two three
	[ "$(awk -F '\t' 'NF >= 5 { print $5 }' merged | tr '\n' ' ')" = "a p r q s " ]
	# Of one build, functions are told apart by their addresses.
	ID=ab order_of same same >one
	"$P" order merge one one >merged
	diff one merged
}

@test "compare: functions in one alone, and how many are in the same order" {
	order_of a b c d >one
	order_of b a d e >two
	"$P" order compare one two >compared
	diff - compared <<-'END'
		3 functions in both, 2 of them in the same order; 1 and 1 in one alone
		- c
		+ e
	END
}

# in_file FILE NAME...: as order_of, but of local functions in a source file.
in_file() {
	order_of "${@:2}" | awk -F '\t' -v OFS='\t' -v file="$1" 'NF >= 5 { $4 = file } { print }'
}

@test "merge, compare: the source file counts only where a run has two functions of one name" {
	# As linkers of different builds write it for hidden functions, or for objects without a file.
	order_of a b >one
	in_file last.c a b >two
	[ "$("$P" order compare one two)" = "2 functions in both, 2 of them in the same order; 0 and 0 in one alone" ]
	"$P" order merge one two | grep -x "$(printf 'order\t2')"
	{
		in_file one.c a b | sed 's/^order.*/order\t4/; /^end/d'
		in_file two.c a b | grep -P '^1...\t|^end'
	} >both
	[ "$("$P" order compare both two | head -n 1)" = "0 functions in both, 0 of them in the same order; 4 and 2 in one alone" ]
	[ "$("$P" order merge both two | grep -c -P '\t(one|two|last)\.c\t')" = 6 ]
}

@test "an order file may be a pipe" {
	order_of f{1..9999} >one
	[ "$(wc -c <one)" -gt 131072 ]
	"$P" order merge <(cat one) >merged
	diff one merged
	refused 'is no order file' show <(printf '')
}

@test "export: a name that several functions have is written once" {
	order_of a same b same >one
	diff <(printf '%s\n' a same b) <("$P" order export --format=lld one)
	[ "$("$P" order export --format=gold one | sort | uniq -d)" = "" ]
}

@test "export: entries of the PLT, which mold names, are left out" {
	order_of a "puts\$plt" b | sed '/puts/s/\.text/.plt/' >one
	for format in lld bolt; do
		diff <(printf '%s\n' a b) <("$P" order export --format="$format" one)
	done
	for format in gold ld; do
		[ "$("$P" order export --format="$format" one | grep -c puts)" = 0 ]
	done
}

@test "export --program: names that another build has no more, and those that differ in what compilers add" {
	cat >p.c <<-'END'
		int kept(int x) { return x + 1; }
		int changed(int x) __asm__("changed.constprop.1");
		int changed(int x) { return x + 2; }
		int hashed(int x) __asm__("_ZN1p6hashed17h0123456789abcdefE");
		int hashed(int x) { return x + 3; }
		int main(void) { return 0; }
	END
	gcc -o p p.c
	order_of changed.constprop.0.llvm.77 gone kept _ZN1p6hashed17hfedcba9876543210E main >one
	"$P" order export --format=lld --program=p one >exported 2>warning
	diff exported <(printf '%s\n' changed.constprop.1 kept _ZN1p6hashed17h0123456789abcdefE main)
	[ "$(cat warning)" = "pagewise order: 1 of 5 functions are not in p, and are left out" ]
}

@test "show: pages that functions begin on, and would take" {
	order_of {a..z} >one
	ADDRESS=4096 order_of a >two
	"$P" order show one | grep -x 'they begin on 1 page; side by side they take 1'
}

# refused PATTERN [ARG]...
refused() {
	expect "exit 125" "$P" order "${@:2}"
	is_one_line "pagewise order: " "$1"
}

@test "linkers without such an option, other words, damaged files" {
	order_of a b >one
	refused 'mold takes no order of functions' export --format=mold one
	refused "Go's linker has no such option" export --format=go one
	refused '--format=.* is unknown; there are lld gold ld bolt' export --format=lldd one
	refused '--format is missing' export one
	refused '--output, --format and --program need a value' export --format
	refused 'did you mean merge' merg one
	refused 'two order files after the command' compare one
	refused 'no recipe for vi; there are lld' recipe vi
	refused 'is no order file; make one with pagewise run --order=FILE' show "$ROOT/README.md"
	sed 's/^order.*/order\t3/' one >short
	refused 'short is damaged at line 8; make it again' show short
	for word in lld gold ld bolt rust zig cmake meson; do
		"$P" order recipe "$word" | grep -q .
	done
}

@test "order-demo counts the pages of text that a program touches" {
	requires ptrace
	fresh_make -C "$ROOT" build/order-demo/count_pages
	# A function on each of 64 pages.
	{
		echo '#include <stdlib.h>'
		for i in {0..63}; do echo "__attribute__((aligned(4096))) int on_page_$i(int x) { return x + $i; }"; done
		echo 'int (*const volatile functions[])(int) = {'
		for i in {0..63}; do echo "on_page_$i,"; done
		echo '}; int main(int c, char **v) { for (int i = 0; i < atoi(v[c - 1]); i++) functions[i * 5 % 64](i); return 3; }'
	} >pages.c
	gcc -static -o pages pages.c
	local counts=() number
	for number in 8 40; do
		"$ROOT/build/order-demo/count_pages" out touched ./pages "$number"
		counts+=("$(cut -d ' ' -f 1 out)")
	done
	[ $((counts[1] - counts[0])) = 32 ]
	# The kernel maps more than what is touched.
	"$ROOT/build/order-demo/count_pages" out mapped ./pages 8
	[ "$(cut -d ' ' -f 1 out)" -gt "${counts[0]}" ]
}
