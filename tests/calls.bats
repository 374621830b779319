#!/usr/bin/env bats
#
# System calls that are given addresses: each guest must see the same natively and under the loaders.
# What it hands to the kernel are pages that it never touched.

load helpers

@test "vectors, process_vm_readv, /proc/self/mem" { in_all_variants call_vectors; }
@test "sendmsg, recvmsg, sendmmsg, recvmmsg" { in_all_variants call_messages; }
@test "memory that is good at first and then is not" { in_all_variants call_short_counts; }

@test "shadow stacks, tagged addresses, tiles: lazy paging ends" {
	requires lazy
	for option in 0x5001 0x4002 0x1023; do
		in_all_variants call_arch_prctl $option
		for loader in on_demand_loader "hybrid_loader --engine=guard"; do
			# shellcheck disable=SC2086
			"$ROOT/"$loader --retire=never "--stats=$BATS_TEST_TMPDIR/stats" \
				"$GUESTS/musl-static/call_arch_prctl" $option
			grep -q '"retired_call": 158,' "$BATS_TEST_TMPDIR/stats"
			for told in --stats --explain; do
				# shellcheck disable=SC2086
				"$ROOT/"$loader --retire=never $told "$GUESTS/musl-static/call_arch_prctl" \
					$option 2>"$BATS_TEST_TMPDIR/told" >&2
				grep -q 'lazy paging end.*: one system call, arch_prctl$' "$BATS_TEST_TMPDIR/told"
			done
		done
	done
}

@test "get_mempolicy, kcmp" { in_every_way in_all_variants call_places; }
@test "instructions that the kernel carries out" { in_every_way in_all_variants call_emulated; }
@test "poll, select, epoll" { in_all_variants call_polling; }
@test "paths across pages, structures of files" { in_all_variants call_files; }
@test "clocks, sleeps, timers" { in_all_variants call_clocks; }
@test "limits, identities, the machine" { in_all_variants call_limits; }
@test "sockets: addresses, options, a filter" { in_all_variants call_sockets; }
@test "ioctl, with addresses in structures" { in_all_variants call_ioctl; }
@test "futexes, futex_waitv, words that the kernel clears" { in_all_variants call_futex; }
@test "semaphores and message queues" { in_all_variants call_ipc; }
@test "io_uring, io_submit, numbers that do not exist" { in_all_variants call_aio; }
@test "extended attributes" { in_all_variants call_xattr; }
@test "every harmless system call with bad addresses" { in_all_variants call_raw_numbers; }

@test "the same with every engine, paging ending early and never" {
	local guest failed=0
	for guest in vectors messages short_counts polling files clocks limits sockets ioctl futex \
		ipc aio xattr; do
		in_every_way in_all_variants "call_$guest" || failed=1
	done
	return $failed
}
