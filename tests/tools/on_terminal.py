#!/usr/bin/env python3
"""on_terminal.py KEYS COMMAND [ARG]...: runs COMMAND on a terminal of its own and types KEYS.

A key is typed each time the terminal has been silent for a while and nobody on it has anything to do, so
that each one finds somebody waiting, on a busy machine too; when there are no more keys, nothing is typed. Prints all that the terminal showed, and
exits as COMMAND did (128 + N for signal N). \\x03 in KEYS is Ctrl-C.
"""
import os
import pty
import select
import sys
import time

SILENCE = 0.3  # seconds without output that count as waiting
LIMIT = 300  # seconds after which something hangs


def at_work(session):
    """Whether one of its processes runs, or would if it had a processor; also before there is one."""
    found = False
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", errors="replace") as file:
                state, _, _, its_session = file.read().rpartition(")")[2].split()[:4]
        except OSError:  # it has ended meanwhile
            continue
        if int(its_session) == session:
            found = True
            if state in "RD":
                return True
    return not found


def main():
    keys = sys.argv[1].encode().decode("unicode_escape").encode()
    process, terminal = pty.fork()
    if process == 0:
        os.execvp(sys.argv[2], sys.argv[2:])
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], SILENCE)
        if ready:
            try:
                text = os.read(terminal, 65536)
            except OSError:  # EIO: nobody has it open any more
                break
            if not text:
                break
            sys.stdout.buffer.write(text)
        elif keys and not at_work(process):
            os.write(terminal, keys[:1])
            keys = keys[1:]
    else:
        os.kill(process, 9)
        print("on_terminal.py: it hangs")
    sys.stdout.flush()
    _, status = os.waitpid(process, 0)
    sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))


main()
