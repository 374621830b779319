#!/usr/bin/env bats
#
# What programs do with their own memory: each guest must see the same natively and under the loaders,
# whether it touched the pages before or not.

load helpers

@test "mprotect" { in_all_variants memory_protect; }
@test "munmap of parts of arrays" { in_all_variants memory_unmap; }
@test "mremap elsewhere, back, growing, shrinking" { in_all_variants memory_remap; }
@test "MAP_FIXED over arrays, MAP_FIXED_NOREPLACE" { in_all_variants memory_fixed; }
@test "madvise, guard markers of its own included" { in_all_variants memory_advise; }
@test "mlock, mlock2, munlock, mlockall" { in_all_variants memory_lock; }
@test "mincore, msync, named parts of arrays" { in_all_variants memory_core; }
@test "the break after an untouched .bss" { in_all_variants memory_break; }
@test "each kind of access to an untouched page, also from text that cannot be read" {
	in_all_variants memory_accesses
	in_all_variants memory_accesses unreadable
}
@test "8 MiB read into untouched arrays" { in_all_variants memory_huge_read; }
@test "a guard page of the program's own, in .bss" { in_every_way in_all_variants memory_guard process; }

@test "guard pages of the program's own, moved to .bss, and by an odd number" {
	in_every_way in_all_variants memory_guard moved
	in_every_way in_all_variants memory_guard int
}

@test "a guard page of the program's own, and advice, elsewhere" {
	in_every_way in_all_variants memory_advice_elsewhere
}

@test "the end of .data is the file's" { in_every_way in_all_variants memory_data_end; }

@test "the end of .data is the file's, in a run from which the loader learns" {
	local engine
	for engine in $(engines_here); do
		LOADER_OPTIONS="--engine=$engine --learn=$BATS_TEST_TMPDIR/$engine" \
			only_under on_demand_loader,hybrid_loader in_all_variants memory_data_end
	done
}

@test "scattered pages, 20000 mappings, 50 threads" {
	requires one_gigabyte
	in_all_variants memory_many_mappings
}

@test "no more address space: pages, signals, children and threads go on" {
	of_variants_that_leave in_every_way in_all_variants memory_limit
}

@test "shared memory by mmap and shmat, and children" { in_all_variants memory_shared; }

@test "the same with every engine, paging ending early and never" {
	local guest engine failed=0
	for guest in protect unmap fixed advise lock core break huge_read shared; do
		in_every_way in_all_variants "memory_$guest" || failed=1
	done
	# Not with mmap: its pages are mappings of their own, which cannot grow together.
	for engine in $(engines_of guard mprotect userfaultfd); do
		LOADER_OPTIONS="--engine=$engine --retire=never" \
			only_under on_demand_loader,hybrid_loader in_all_variants memory_remap || failed=1
	done
	return $failed
}

@test "machine code that the program makes in untouched arrays" { repeated 5 in_all_variants memory_code; }
@test "sealed pages that were not touched yet" { repeated 5 in_all_variants memory_seal; }
@test "userfaultfd of the program's own" { repeated 5 in_all_variants memory_userfault; }

@test "a file in the middle of untouched pages, pages dropped from elsewhere" {
	in_every_way in_all_variants memory_between
}

@test "what is left of an array at the end: unreadable, replaced, moved or unmapped" {
	in_every_way in_all_variants memory_left
	by_signal in_every_way in_all_variants memory_left 11
}

@test "memory with tags" { in_every_way in_all_variants memory_tags; }
@test "protection keys" { in_every_way in_all_variants memory_keys; }
