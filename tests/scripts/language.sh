#!/bin/sh
# Run by busybox sh: the language itself, here documents, substitutions, functions, loops.

# What a function prints goes through a pipe each time.
factorial() {
	if [ "$1" -le 1 ]; then
		echo 1
	else
		echo $(($1 * $(factorial $(($1 - 1)))))
	fi
}
factorial 12

i=0
while [ $i -lt 300 ]; do
	i=$((i + 1))
	[ $((i % 2)) = 0 ] && continue
	sum=$((sum + i))
done
echo "$sum"

path=/usr/local/lib/name.tar.gz
echo "${path##*/} ${path%/*} ${path%%.*} ${path#*.} ${#path} ${none-default} ${path:+set}"
case $path in
*.zip) echo zip ;;
*.tar.*) echo tar ;;
esac

cat <<END
$(for word in one two three; do echo "word $word"; done)
$((0x10 << 2 | 3)) $((7 % 4)) $((1 ? 5 : 6))
END
cat <<-'END' | while read -r first rest; do echo "$rest|$first"; done
	a b c
	$HOME d e
END

set -- x "y z" ''
for argument; do printf '<%s>' "$argument"; done
echo " $#"
IFS=:
set -- $path:a:b
unset IFS
echo "$# $2"

out=$( (echo to stdout; echo to stderr >&2) 2>&1 >/dev/null)
echo "$out"
exec 3>kept 4>&1
echo "through 3" >&3
echo "through 4" >&4
exec 3>&- 4>&-
cat kept && rm kept
seq 1 20000 | (read -r first && echo "$first" && cat | tail -n 1)
yes | head -n 5000 | wc -l
eval "$(printf 'echo %s\n' a b)"
echo 'echo "sourced $1"' >sourced
# shellcheck disable=SC1091 # written above
. ./sourced && sh ./sourced argument && rm sourced
printf '%5.2f|%-6s|%06d|%x|%o|%c|%b\n' 2.5 ab 42 255 8 xyz 'a\tb'
getopts ab: option -b value && echo "$option $OPTARG"
echo "no newline at the end" | tr -d '\n' | while read -r line || [ -n "$line" ]; do echo "$line"; done
no_such_command 2>/dev/null
echo "$?"
(set -e; false; echo "not here")
echo "$?"
# shellcheck disable=SC2154
(set -u; echo "${never_set}") 2>/dev/null
echo "$?"
(ulimit -f 1; exec sh -c 'exit 17')
echo "$?"
exec sh -c 'exit 23'
