#!/usr/bin/env bats
# The documents say what is so; and what checks them finds each kind of mistake, in a small tree.
#

load helpers

# A tree in which nothing is wrong.
setup() {
	TREE=$BATS_TEST_TMPDIR/tree
	CHAPTER=$TREE/docs/course/1-plan.md
	SOLUTIONS=$TREE/docs/course/solutions.md
	TESTS=$TREE/tests/course/chapter_1.bats
	mkdir -p "$TREE/docs/course" "$TREE/tests/course" "$TREE/common"
	write_source >"$TREE/common/plan.c"
	write_chapter >"$CHAPTER"
	printf '%s\n' '# Solutions' '### Solution 1.1' >"$SOLUTIONS"
	printf '%s\n' '# Documents' '[plan](course/1-plan.md)' '[top](../README.md#the-top)' \
		>"$TREE/docs/README.md"
	printf '%s\n' '# The top' >"$TREE/README.md"
	printf '%s\n' '@test "exercise 1.1: it is true" {' '	true' '}' >"$TESTS"
}

write_source() {
	cat <<-'END'
		/* A plan. */
		int plan_make(void)
		{
			int count = 0;

			return count;
		}
	END
}

write_chapter() {
	cat <<-'END'
		# 1. The plan
		**Question.** Which?
		## Picture
		```text
		file ---> plan
		```
		## Walk
		`plan_make`
		(`common/plan.c`) makes it, as `load_elf_binary` (`fs/binfmt_elf.c`) does; [why](#1-the-plan).
		```c
		/* common/plan.c */
		int plan_make(void)
		...
			return count;
		}
		```
		## Experiment
		```console
		$ grep -c . common/plan.c; echo "$TMPDIR" >$TMPDIR/kept
		6
		$ cat $TMPDIR/kept; cat; printf '%s  at 0x%x\n' one 16 two 17 three 18 \
			four 20 && pwd
		$TMPDIR
		one at 0xabc
		...
		four at 0x3
		$PWD
		```
		```console
		# numbers vary: they are the clock's
		$ date +%s
		1
		```
		```console
		# not checked: it takes a year
		$ sleep 31536000
		```
		## Exercises
		### Exercise 1.1
		[Solution](solutions.md#solution-11)
	END
}

check() {
	run python3 "$ROOT/tests/docs_check.py" --root="$TREE" --gcc="$(gcc -dumpversion)"
	echo "status $status: $output"
}

# finds PLACE TEXT: exactly one thing is wrong, there.
finds() {
	check
	[ "$status" -eq 1 ]
	[[ $output == *"$1: "*"$2"* ]]
	[ "$(grep -cv '^ok \|: not checked: ' <<<"$output")" -eq 1 ]
}

@test "README.md and docs/ are right" {
	ran 0 python3 "$ROOT/tests/docs_check.py"
	[[ $output == *"ok README.md"* && $output == *"ok docs/README.md"* ]]
}

@test "documents that count the chapters count right" {
	local words=(none one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen)
	local chapters=("$ROOT"/docs/course/[0-9]*.md) document
	for document in README.md docs/README.md; do
		tr '\n' ' ' <"$ROOT/$document" | grep -qF "${words[${#chapters[@]}]} chapters"
	done
	[ "$(grep -c '^| \[[0-9]*-[a-z-]*\](\.\./course/' "$ROOT/docs/lab/README.md")" = "${#chapters[@]}" ]
}

@test "chapter 5 shows the instructions of the three departure stubs" {
	python3 - "$ROOT" <<-'END'
		import re, sys
		chapter = open(f"{sys.argv[1]}/docs/course/5-jump.md").read()
		block = re.search(r"```text\n( x86-64 +arm64 +riscv64\n.*?)```", chapter, re.S)[1].split("\n")
		head = block[0]
		starts = [head.index(name) for name in ("x86-64", "arm64", "riscv64")] + [None]
		found = 0
		for i, folder in enumerate(("x86_64", "aarch64", "riscv64")):
		    source = open(f"{sys.argv[1]}/loader/resident/arch/{folder}/entry.S").read()
		    stub = source[source.index("\nPLACE(entry_departure_stub)"):source.index("\nPLACE(entry_departure_stub_end)")]
		    stub = [" ".join(line.split("/*")[0].split()) for line in stub.split("\n")]
		    for line in block[2:]:
		        words = " ".join(line[starts[i]:starts[i + 1]].split())
		        found += bool(words)
		        assert not words or words in stub, (folder, words)
		assert found > 12, found
	END
}

# Each entry begins with those that can meet it, in words of its section, and with the loaders that have it.
@test "known differences: the sections go from what everyone meets to what no program does; each entry says first who can meet it" {
	python3 - "$ROOT/docs/quirks.md" <<-'END'
		import re, sys
		WHO = {"Everyone": "Every ", "Users of an option": "Users of ", "On certain systems, or under limits": "Where ",
		    "Debuggers, tracers and monitors": "(Debuggers|Tracers|Monitors) ",
		    "A program that does something rare": "A program (that|whose) ", "No known program": "No known program"}
		sections = [section.split("\n", 1) for section in open(sys.argv[1]).read().split("\n## ")[1:]]
		assert [title for title, _ in sections] == list(WHO), [title for title, _ in sections]
		for title, text in sections:
		    entries = [" ".join(entry.split()) for entry in ("\n" + text).split("\n- ")[1:]]
		    assert entries, title
		    for entry in entries:
		        who = re.match(r"\*\*(.+?)\*\* \*\((all three|lazy|all_at_once_loader|on_demand_loader)\b.*?\)\*", entry)
		        assert who and re.match(WHO[title], who[1]), (title, entry)
	END
}

@test "the check is content with a tree where all is right, and says what it did" {
	check
	[ "$status" -eq 0 ]
	[[ $output == *"ok docs/course/1-plan.md: 1 names, 2 links, 1 exercises, 1 excerpts, 3 runs"* ]]
	[[ $output == *"docs/course/1-plan.md:35: not checked: it takes a year"* ]]
}

@test "one file can be checked by itself" {
	rm "$TESTS"
	ran 0 python3 "$ROOT/tests/docs_check.py" --root="$TREE" --gcc="$(gcc -dumpversion)" "$TREE/README.md"
	[ "$output" = "ok README.md: nothing to check" ]
}

@test "a file that is not there is no document" {
	refuses "NOTHING.md: no file of $TREE" python3 "$ROOT/tests/docs_check.py" --root="$TREE" "$TREE/NOTHING.md"
	refuses "/etc/passwd: no file of $TREE" python3 "$ROOT/tests/docs_check.py" --root="$TREE" /etc/passwd
}

@test "a name that its file does not have is found" {
	sed -i 's/`plan_make`/`plan_mak`/' "$CHAPTER"
	finds docs/course/1-plan.md:8 "common/plan.c has no plan_mak"
}

@test "a name in a file that does not exist is found" {
	sed -i 's/^(`common.plan.c`)/(`common\/plans.c`)/' "$CHAPTER"
	finds docs/course/1-plan.md:8 "there is no file common/plans.c"
}

@test "a test that its file does not have by its whole title is found" {
	echo '`exercise 1.1: it is true` (`tests/course/chapter_1.bats`)' >>"$TREE/README.md"
	check
	[ "$status" -eq 0 ]
	sed -i 's/it is true`/it is`/' "$TREE/README.md"
	finds README.md:2 "tests/course/chapter_1.bats has no exercise 1.1: it is"
}

@test "an excerpt that has been changed is found" {
	sed -i 's/return count;/return  count;/' "$CHAPTER"
	finds docs/course/1-plan.md:14 "return  count;"
}

@test "an excerpt whose source has been changed is found" {
	sed -i 's/int plan_make(void)/long plan_make(void)/' "$TREE/common/plan.c"
	finds docs/course/1-plan.md:12 "int plan_make(void)"
}

@test "an excerpt that leaves out lines without a word is found" {
	sed -i '/^```c$/,/^```$/ { /^\.\.\.$/d }' "$CHAPTER"
	finds docs/course/1-plan.md:13 "return count;"
}

@test "an excerpt out of order is found" {
	sed -i '/^\/\* common/a\}\n...' "$CHAPTER"
	finds docs/course/1-plan.md:14 "int plan_make(void)"
}

@test "an excerpt of a file that does not exist, or of none, is found" {
	sed -i 's|^/\* common/plan.c|/* common/plans.c|' "$CHAPTER"
	finds docs/course/1-plan.md:11 "there is no file common/plans.c"
	sed -i '/^\/\* common/d' "$CHAPTER"
	finds docs/course/1-plan.md:11 "does not begin with"
}

@test "another output is found" {
	sed -i 's/^one at/One at/' "$CHAPTER"
	finds docs/course/1-plan.md:24 "writes: one at #; here is: One at #"
}

@test "a count that is another one is found; not where it is said that numbers vary, nor times and addresses" {
	sed -i 's/^6$/7/' "$CHAPTER"
	finds docs/course/1-plan.md:20 'writes: 6; here is: 7'
	sed -i '/^7$/,/^# numbers vary/{ /^# numbers vary/d; s/^7$/6/ }' "$CHAPTER"
	finds docs/course/1-plan.md:31 'here is: 1'
	python3 - "$ROOT/tests" <<-'END'
		import sys
		sys.dont_write_bytecode = True
		sys.path.insert(0, sys.argv[1])
		from docs_markdown import VARIES, normal
		same = [("took 3.25 ms", "took 4.1 ms"), ("12 us", "9 us"), ("at 0x40f0", "at 0x7fff"), ("0000004011a0", "00007f0012bb"),
		    ("(thread 15984)", "(thread 2)"), ("3992 KB", "3996 KB")]
		other = [("fault 42", "fault 43"), ("8 pages", "9 pages"), ("line 22.", "line 25."), ("1.2 pages 7", "1.3 pages 8"), ("main+0x10 4", "main+0x10 5")]
		for one, two in same:
		    assert normal(one, VARIES) == normal(two, VARIES), (one, two)
		for one, two in other:
		    assert normal(one, VARIES) != normal(two, VARIES), (one, two)
	END
}

@test "an output that is not there after '...' is found" {
	sed -i 's/^four at/five at/' "$CHAPTER"
	finds docs/course/1-plan.md:26 "five at #"
}

@test "an output that is longer or shorter is found" {
	sed -i '/^\$PWD$/d' "$CHAPTER"
	finds docs/course/1-plan.md:27 'writes: $PWD; here is: nothing more'
	sed -i 's/^four at 0x3$/&\n$PWD\nmore/' "$CHAPTER"
	finds docs/course/1-plan.md:28 "writes: nothing more; here is: more"
}

@test "a block of console without a command is found" {
	sed -i 's/^\$ grep/grep/' "$CHAPTER"
	finds docs/course/1-plan.md:19 "does not begin with"
}

@test "an exercise without a test is found, and a test without an exercise" {
	sed -i 's/exercise 1.1: it/it/' "$TESTS"
	check
	[[ $output == *"docs/course/1-plan.md:39: exercise 1.1 has no test"* ]]
	[[ $output == *"tests/course/chapter_1.bats:1: a test without an exercise: it is true"* ]]
	sed -i 's/"it is true/"exercise 1.2: it is true/' "$TESTS"
	check
	[[ $output == *"chapter_1.bats:1: a test without an exercise: 1.2"* ]]
	rm "$TESTS"
	finds docs/course/1-plan.md:39 "exercise 1.1 has no test"
}

@test "an exercise without a solution is found, and a solution without an exercise" {
	echo "### Solution 1.2" >>"$SOLUTIONS"
	finds docs/course/solutions.md:3 "a solution without an exercise: 1.2"
	printf '%s\n' '# Solutions' '### A solution 11' >"$SOLUTIONS"
	sed -i 's/#solution-11/#a-solution-11/' "$CHAPTER"
	finds docs/course/1-plan.md:39 "exercise 1.1 has no solution"
}

@test "an exercise without a link to its solution is found" {
	sed -i 's/#solution-11//' "$CHAPTER"
	finds docs/course/1-plan.md:39 "exercise 1.1 has no link to its solution"
}

@test "a chapter without a figure that can be projected is found" {
	sed -i 's/^file --->.*/& ---------------------------------------------------------------------------------------------/' "$CHAPTER"
	finds docs/course/1-plan.md:5 "its figure has 1 lines of up to 108 characters; a projector shows 30 of 100"
	write_chapter | sed '/^```text/,/^```$/d' >"$CHAPTER"
	check
	[[ $output == *"docs/course/1-plan.md:1: its figure has 0 lines"* ]]
}

@test "an exercise of another chapter is found" {
	sed -i 's/^\(### [ES].*\) 1\.1/\1 2.1/; s/#solution-11/#solution-21/' "$CHAPTER" "$SOLUTIONS"
	sed -i 's/exercise 1\.1/exercise 2.1/' "$TESTS"
	finds docs/course/1-plan.md:39 "exercise 2.1 is in chapter 1"
}

@test "tests of a chapter that does not exist are found" {
	echo >"$TREE/tests/course/chapter_2.bats"
	finds tests/course/chapter_2.bats:1 "there is no such chapter"
}

@test "a section that is missing is found" {
	sed -i '/^## Picture/d' "$CHAPTER"
	finds docs/course/1-plan.md:1 "its sections are Walk, Experiment"
}

@test "a dead link is found, and a link out of the tree" {
	echo '[dead](course/2-gone.md)' >>"$TREE/docs/README.md"
	finds docs/README.md:4 "a link leads nowhere: course/2-gone.md"
	sed -i '4s/.*/[out](..\/..\/tree\/..)/' "$TREE/docs/README.md"
	finds docs/README.md:4 "a link leads nowhere: ../../tree/.."
}

@test "an anchor without a heading is found" {
	sed -i 's/#the-top/#the-bottom/' "$TREE/docs/README.md"
	finds docs/README.md:3 "there is no such heading: ../README.md#the-bottom"
	sed -i 's/#the-bottom//' "$TREE/docs/README.md"
	sed -i 's/(#1-the-plan)/(#the-plan)/' "$CHAPTER"
	finds docs/course/1-plan.md:9 "there is no such heading: #the-plan"
}

@test "a page that cannot be reached from docs/README.md is found" {
	mkdir "$TREE/docs/man"
	echo '.TH TOOL 1' >"$TREE/docs/man/tool.1"
	finds docs/man/tool.1:1 "no links lead here"
	rm "$TREE/docs/man/tool.1"
	sed -i 's/\[plan\].*/`[plan](course\/1-plan.md)` [solutions](course\/solutions.md)/' "$TREE/docs/README.md"
	finds docs/course/1-plan.md:1 "no links lead here"
}
