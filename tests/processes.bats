#!/usr/bin/env bats
#
# Programs that start others: fork, clone, vfork, spawn, exec and wait, with everything that the
# kernel reads or stores in pages that the program never touched.

load helpers

PROCESSES=(process_fork process_fork_tree process_vfork process_spawn process_shell process_exec
	process_execveat process_clone process_clone3 process_wait process_name process_daemon
	process_reap process_exit_order process_pipeline process_own_file)

@test "fork: parent and child touch fresh pages" { repeated 5 in_all_variants process_fork; }
@test "a tree of forks" { repeated 5 in_all_variants process_fork_tree; }
@test "vfork: a child that exits, executes, fails to execute, faults" { repeated 5 in_all_variants process_vfork; }
@test "posix_spawn with attributes and file actions" { repeated 5 in_all_variants process_spawn; }
@test "system and popen" { repeated 5 in_all_variants process_shell; }
@test "execve that fails, and one that does not" { repeated 5 in_all_variants process_exec; }
@test "execveat and fexecve" { repeated 5 in_all_variants process_execveat; }
@test "clone of a process: stacks, shared memory, process IDs stored" { repeated 5 in_all_variants process_clone; }
@test "clone3 with a descriptor of the process" { repeated 5 in_all_variants process_clone3; }

@test "no clone3, as in a container" {
	under "$GUESTS/tools/deny" clone3:ENOSYS --
	for guest in process_clone3 process_clone3_checks process_spawn thread_children; do
		in_all_variants "$guest"
	done
}

@test "wait4 and waitid: status, usage, siginfo" { repeated 5 in_all_variants process_wait; }
@test "names of a process and of its threads, and what /proc says of them" { repeated 5 in_all_variants process_name; }

@test "a daemon: an orphan goes on with fresh pages, a thread and a signal" {
	repeated 5 in_all_variants process_daemon
}

@test "fifty children reaped in a handler, also while pages are brought in" { repeated 5 in_all_variants process_reap; }
@test "atexit and destructors in children" { repeated 5 in_all_variants process_exit_order; }
@test "three children joined by pipes" { repeated 5 in_all_variants process_pipeline; }
@test "a program's own file" { repeated 5 in_all_variants process_own_file; }

@test "a program's own file without privileges" {
	drop_privileges
	repeated 5 in_all_variants process_own_file
}

@test "a program's own file without privileges and user namespaces" {
	requires dispatch
	drop_privileges
	under "${UNDER[@]}" "$GUESTS/tools/deny" "clone=$NAMESPACE_CHILD:EPERM" --
	repeated 5 in_all_variants process_own_file
}

@test "processes with every engine" {
	failed=0
	for guest in "${PROCESSES[@]}"; do
		in_every_way in_all_variants "$guest" || failed=1
	done
	return $failed
}

@test "descriptors of processes, and handlers that clone3 resets" { in_every_way in_all_variants process_pidfd; }
@test "Syscall User Dispatch of the program's own" { repeated 5 in_all_variants process_dispatch; }
@test "an execve that fails changes nothing" { repeated 5 in_all_variants process_exec_errors; }
@test "a program executes itself, paths and strings untouched" { repeated 5 in_all_variants process_exec_self; }
@test "execve by another thread than the first" { repeated 5 in_all_variants process_exec_thread; }
@test "parent and child write to the same pages in turn" { repeated 5 in_all_variants process_fork_pages; }
@test "clone without stack, with other signals, shared descriptors" { repeated 5 in_all_variants process_raw_clone; }
@test "handlers shared between processes" { repeated 5 in_all_variants process_shared_handlers; }

@test "processes that share memory are killed in the middle of a fault" {
	repeated 10 in_all_variants process_killed_child memory 1000
}

@test "processes that share handlers are killed, before they begin or later" {
	for after in 0 1000 3000; do
		repeated 5 in_all_variants process_killed_child handlers "$after"
	done
}

@test "processes that share handlers are killed where kcmp is denied, as in containers" {
	under "${UNDER[@]}" "$GUESTS/tools/deny" kcmp:EPERM --
	in_all_variants process_killed_child handlers 1000
}

@test "processes that share handlers are killed while they leave lazy paging" {
	with_options --retire=never
	repeated 2 only_under on_demand_loader,hybrid_loader in_all_variants process_killed_leaving
}

@test "a child in a PID namespace of its own shares memory and handlers" {
	in_all_variants process_namespace clone
	in_all_variants process_namespace unshare
}

@test "processes that share all memory" { repeated 5 in_all_variants process_shared_memory; }
@test "process IDs stored on fresh pages" { repeated 5 in_all_variants process_tids; }

@test "fresh pages under seccomp filters of the program's own" {
	for way in strict filter refuse trap; do
		in_every_way in_all_variants process_seccomp "$way"
	done
}
