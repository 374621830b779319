"""The oracle for --order, a script of GDB's: gdb -batch -x first_calls.py --args PROGRAM [ARG]...

Puts a breakpoint on each function of .symtab, at its first byte, and prints the addresses of the functions
in the order of their first execution, as they are in the file. Environment: FIRST_CALLS names the output,
FUNCTIONS a file with an address a line, hexadecimal.
"""
import os

import gdb

gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set breakpoint pending off")
gdb.execute("set startup-with-shell off")
gdb.execute("handle all nostop noprint pass")
gdb.execute("handle SIGTRAP stop print nopass")
gdb.execute("starti", to_string=True)

# Where the program is, and where its file says that it is.
entry = int(os.environ["ENTRY"], 16)
auxv = gdb.execute("info auxv", to_string=True)
at_entry = next(line.split()[-1] for line in auxv.splitlines() if "AT_ENTRY" in line)
bias = int(at_entry, 16) - entry

places = [int(line, 16) for line in open(os.environ["FUNCTIONS"])]
breakpoints = {}
for place in places:
    breakpoints[place + bias] = gdb.Breakpoint(f"*{place + bias:#x}", internal=True)

found = []


def note(place):
    if place in breakpoints:
        found.append(place - bias)
        breakpoints.pop(place).delete()


note(int(gdb.parse_and_eval("(unsigned long)$pc")))
while True:
    gdb.execute("continue", to_string=True)
    if not gdb.selected_inferior().pid:
        break
    note(int(gdb.parse_and_eval("(unsigned long)$pc")))

with open(os.environ["FIRST_CALLS"], "w") as out:
    out.writelines(f"{place:x}\n" for place in found)
