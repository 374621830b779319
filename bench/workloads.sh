#!/bin/sh
#
# workloads.sh: real programs at work, a command a line, of those that are installed as static programs.
# Run in the project's folder. What is left out is named on standard error.

set -eu

PATH=$PATH:/usr/local/go/bin

# work NAME ARGUMENT...: the command, if a loader can load what NAME is here.
work() {
	name=$1
	shift
	path=$(command -v "$name") || path=
	case $path in
	/*) if ./hybrid_loader --plan "$path" >/dev/null 2>&1; then
		echo "$path $*"
		return
	fi ;;
	esac
	left_out="${left_out:-} $name"
}

work busybox dd if=/dev/zero of=/dev/null bs=1 count=100000
work busybox sh bench/scripts/pipeline.sh
work busybox md5sum docs/design.md docs/measuring.md
work bash-static bench/scripts/subshells.bash
work zsh-static -fc exit
work go version
work gofmt -l testprogs/go_hello
work gojq -n "[range(20000)]|add"
work shellcheck tests/lint.sh
work shfmt -d tests/lint.sh
work ruff check --isolated --no-cache tests/run.py
work rg -c static common loader
work typos docs
work pandoc docs/design.md -o /dev/null
work ffmpeg -v error -f lavfi -i testsrc=duration=1:size=320x240 -f null -
work esbuild --version
work jq --version
work tcc -v
[ -z "${left_out:-}" ] || echo "left out, not installed or not static:$left_out" >&2
