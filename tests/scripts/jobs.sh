#!/bin/sh
# Run by busybox sh: its applets start through /proc/self/exe.

trap 'echo leaving' EXIT
trap 'echo caught HUP' HUP

seq 1 50 | grep 7 | sort -rn | head -n 3
for i in 1 2 3 4 5; do
	(echo "sub $i" && exit "$i")
	echo "ended $?"
done
cat <<END | tr "[:lower:]" "[:upper:]"
here is a document of $(echo three four | wc -w) words
END
sleep 0 &
wait $!
echo "job $?"
echo one two three | (
	read -r a b c
	echo "$c $b $a"
)
# Comes after the reads: after a signal that was caught, a child's read never ends with busybox
# 1.38.
kill -HUP $$
mkdir dir && cd dir || exit 1
echo text >file
cp file copy && gzip -c copy | gunzip | cmp - file && echo same
tar cf - file copy | tar tf -
find . -type f | sort | xargs md5sum
awk 'BEGIN { for (i = 0; i < 5; i++) s += i; print s }'
cd .. && rm -r dir
exit 6
