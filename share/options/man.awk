# man.awk TABLE PAGE: `.It @--NAME@` begins an option's entry: the tag becomes the way the option is written, as
# the table of print.c has it. With @--NAME=@ the words that its value may be stand in place of the value's name.
# Left out are entries of options that are neither for all loaders nor for those of -v lazy=KIND; the last one
# is every loader's.

BEGIN { FS = "\t" }

NR == FNR {
	if ($4 != "all" && $4 != lazy) {
		other[$1]
		next
	}
	before = $2 == "-" ? "Fl -" $1 : "Fl " $2 " , -" $1
	before = before ($3 == "=" ? " Ns = Ns " : $3 == "[=" ? " Ns Op = Ns " : "")
	words = $6
	gsub(/ /, " | ", words)
	written["@--" $1 "@"] = before ($3 == "-" ? "" : "Ar " tolower($5))
	written["@--" $1 "=@"] = before "Cm " words
	missing[$1]
	next
}

/^\.It @--/ {
	tag = $0
	sub(/^\.It /, "", tag)
	sub(/@[^@]*$/, "@", tag)
	name = tag
	gsub(/^@--|=?@$/, "", name)
	left_out = name in other
	if (!left_out && !(tag in written))
		fail(tag ": there is no such option")
	else if (!left_out && !(name in missing))
		fail(tag ": has an entry already")
	delete missing[name]
	sub(tag, written[tag])
}

/^\.Sh / { left_out = 0 }

!left_out

END {
	for (name in missing)
		fail("--" name " has no entry")
	exit failed
}

function fail(text)
{
	print "the man page: " text > "/dev/stderr"
	failed = 1
}
