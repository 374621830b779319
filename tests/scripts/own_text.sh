#!/bin/sh
# Run by busybox sh: whether indirect branches in the shell's own text have to reach landing pads (bt in VmFlags).

text=no some=no others=no
IFS='
'
# shellcheck disable=SC2013 # lines: IFS has no blank
for line in $(cat "/proc/$$/smaps"); do
	case $line in
	[0-9a-f]*-*' r-xp '*/*) text=yes ;;
	[0-9a-f]*-*' '*) text=no ;;
	VmFlags:*' bt'*) [ $text = no ] || some=yes ;;
	VmFlags:*) [ $text = no ] || others=yes ;;
	esac
done
echo "text with landing pads: $some, without: $others"
