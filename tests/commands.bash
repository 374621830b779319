# shellcheck shell=bash
#
# What soak.sh and kernels.sh run: guests, with the words that they may be given, and scripts. They set $root.
# shellcheck disable=SC2154

# why_left_out GUEST: prints why these scripts do not run it. Fails for a guest that they run.
why_left_out() {
	case ${1##*/} in
	random_bytes | load_address | auxv | maps | stack_layout | program_break | break_address) echo "its output is different each time" ;;
	every_second_page | huge_bss | memory_many_mappings) echo "it takes long, or 1 GiB of memory" ;;
	placed-*) echo "the loaders refuse it" ;;
	process_poke | proc_* | signal_status) echo "it notices that a loader started it, or its paging: docs/quirks.md" ;;
	memory_counted) echo "it counts page faults" ;;
	thread_leave_futex) echo "it waits for the end of lazy paging" ;;
	signal_continue) echo "it stops until another process continues it" ;;
	signal_group) echo "it sends signals to its process group" ;;
	*) false ;;
	esac
}

# words_of GUEST: what it may be given, one a line; each guest is also run without.
words_of() {
	case $1 in
	hello) echo 'one two' ;;
	cpp_*) echo uncaught ;;
	wild_access)
		printf '%s\n' write_null write_text write_constant unmapped non_canonical kernel_half jump_null \
			jump_non_canonical execute_{data,bss,stack} stack_overflow divide_by_zero illegal_instruction ;;
	process_trace_child) printf '%s\n' stopped attach seize calls ;;
	signal_overflow) echo exit ;;
	signal_bus | signal_pipe) echo default ;;
	signal_sent) printf '%s\n' {handled,ignored,blocked,killed,queued,unblocked}\ {4,5,7,8,11,31} ;;
	signal_fatal)
		printf '%s\n' handled ignored blocked default reset no_alternate_stack \
			bad_alternate_stack bad_stack_pointer ;;
	signal_abort) printf '%s\n' default returns jumps ignored blocked handler fault ;;
	signal_exec) printf '%s\n' caught ignored blocked pending fork vfork spawn system ;;
	thread_ends) printf '%s\n' robust main_first exit fault ;;
	go_guest)
		printf '%s\n' goroutines garbage processes signals faults sockets timers files panic \
			crash die ;;
	esac
}

# list_commands GUEST...: each of them with every choice of words, then scripts with their shells; one a
# line. The guests are paths from $root on.
list_commands() {
	local guest script
	for guest in "$@"; do
		if [ ! -x "$guest" ] || why_left_out "$guest" >/dev/null; then
			continue
		fi
		echo "$root/$guest"
		words_of "${guest##*/}" | sed "s|^|$root/$guest |"
	done
	for script in "$root"/tests/scripts/*; do
		case $script in
		*.sh) echo "busybox sh $script" ;;
		*.bash) echo "bash-static $script" ;;
		*.zsh) echo "zsh-static -f $script" ;;
		esac
	done | while read -r shell words; do
		! command -v "$shell" >/dev/null || echo "$shell $words"
	done
}
