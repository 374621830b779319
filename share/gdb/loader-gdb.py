# For GDB: debugs a program that runs under one of the loaders.
#
#   gdb -x share/gdb/loader-gdb.py --args ./hybrid_loader ./prog1
#   (gdb) start-guest
#
# start-guest runs the loader up to the program's first instruction and exchanges the loader's symbols for
# the program's. Breakpoints set before count from there on, also those in functions that the loader does not
# have. take-guest does the same from a stop between the loader's last check and its jump.
#
# attach-guest, after `gdb -p PID`, is for a program that runs already, or that --pause holds before its
# first instruction: then it goes there.
#
# The signals by which the loader pages are passed on unseen. A SIGSEGV or SIGBUS that is the program's own
# still stops: resident code is asked what the program wants done about it, and we look on.

import os
import re

import gdb

# The signal of a system call, and registers: those of the last two arguments of actions_claim(), and the base of
# thread-local storage.
PROCESSORS = {
    "i386:x86-64": ("SIGSYS", "$rsi", "$edx", "$fs_base"),
    "aarch64": ("SIGILL", "$x0", "$w1", "$tpidr"),
    "riscv:rv64": ("SIGSYS", "$a1", "$a2", "$tp"),
}
FAULTS = {7: "SIGBUS", 11: "SIGSEGV"}
PAGE = os.sysconf("SC_PAGE_SIZE")
PROT_EXEC = 4
HANDLER_BYTES = 8


def quietly(command):
    return gdb.execute(command, to_string=True)


def unsigned(expression):
    return int(gdb.parse_and_eval("(unsigned long)(%s)" % expression))


def processor():
    return PROCESSORS[gdb.selected_inferior().architecture().name()]


def paging_signals():
    """The signals by which the loader pages."""
    return "SIGSEGV SIGBUS " + processor()[0]


class At(gdb.Breakpoint):
    """Calls a function when an address of the loader is reached, and goes on."""

    def __init__(self, address, function):
        super().__init__("*%#x" % address, internal=True)
        self.silent = True
        self.function = function

    def stop(self):
        self.function()
        return False


class Signals:
    """Which signals stop the program, while some of them are the loader's."""

    def __init__(self):
        actions = gdb.lookup_type("struct process")["actions"]
        self.actions = actions.bitpos // 8
        self.action_bytes = actions.type.target().sizeof
        self.places = {unsigned("&actions_claim"): self.claim,
                       unsigned("&laziness_end"): self.retire}
        self.reasons = [unsigned("&resident_guard.pages_hidden"),
                        unsigned("&resident_guard.names_executable"), unsigned("&resident_guard.reports")]
        self.watches = []
        quietly("handle %s nostop noprint pass" % paging_signals())

    def watch(self):
        """At the program's entry. False if the loader has no handlers: they were not needed after all."""
        if not any(is_true(place) for place in self.reasons):
            return False
        self.watches = [At(place, function) for place, function in self.places.items()]
        return True

    def claim(self):
        # struct kernel_sigaction actions_claim(struct process *, int)
        _, process, number, _ = processor()
        number = unsigned(number)
        if number not in FAULTS:
            return
        place = unsigned(process) + self.actions + number * self.action_bytes
        handler = int.from_bytes(gdb.selected_inferior().read_memory(place, HANDLER_BYTES), "little")
        if handler > 1:
            gdb.write("%s goes to the program's handler at %#x\n" % (FAULTS[number], handler))
        else:
            # The access faults again, and no handler is left to catch it.
            quietly("handle %s stop print pass" % FAULTS[number])

    def retire(self):
        # Where system calls stay intercepted, so do the signals.
        if not any(is_true(place) for place in self.reasons[1:]):
            quietly("handle SIGSEGV SIGBUS stop print pass")

    def forget(self):
        for watch in self.watches:
            if watch.is_valid():
                watch.delete()
        quietly("handle %s stop print pass" % paging_signals())
        quietly("delete mem")


def is_readable(address):
    try:
        gdb.selected_inferior().read_memory(address, 1)
        return True
    except gdb.MemoryError:
        return False


def is_true(address):
    return is_readable(address) and gdb.selected_inferior().read_memory(address, 1)[0] != b"\0"


def text_of(plan):
    """The ranges of the program's that are executable."""
    mappings = [plan["mappings"][i] for i in range(int(plan["count"]))]
    return [(int(m["address"]), int(m["address"]) + int(m["length"]))
            for m in mappings if int(m["protection"]) & PROT_EXEC]


def text_of_process(pid):
    """The same of a process that runs already."""
    path = os.readlink("/proc/%d/exe" % pid)
    lines = [line.rstrip("\n").split(None, 5) for line in open("/proc/%d/maps" % pid)]
    return [tuple(int(address, 16) for address in line[0].split("-"))
            for line in lines if "x" in line[1] and line[-1] == path]


def use_hardware(ranges):
    """Where pages are hidden GDB cannot write a breakpoint: GDB uses the processor's there."""
    for start, end in ranges:
        if not all(is_readable(page) for page in range(start, end, PAGE)):
            quietly("mem %#x %#x ro" % (start, end))


class Pending:
    """A breakpoint in a function that is not there yet, while the program's symbols are not.

    GDB would ask whether it is to wait, and answer no by itself in batch mode. Whoever has set
    `set breakpoint pending` to on or off keeps that."""

    def __init__(self):
        self.is_ours = False
        self.wait()

    def wait(self):
        if gdb.parameter("breakpoint pending") is None:
            quietly("set breakpoint pending on")
            self.is_ours = True

    def ask(self):
        if self.is_ours and gdb.parameter("breakpoint pending"):
            quietly("set breakpoint pending auto")
        self.is_ours = False


pending = Pending()


class Guest:
    """The program, from the commit point of the loader to its end."""

    def __init__(self):
        self.loader = self.paths = self.signals = None
        gdb.events.exited.connect(self.forget)

    def run(self):
        self.forget(None)
        # After a run in which GDB followed the child, the program is inferior 2.
        if gdb.selected_inferior().num != 1:
            quietly("inferior 1")
        return self.run_to_fork() and self.run_to("process_take_name", "continue")

    def run_to_fork(self):
        """--stats, --record, --trace and --explain go on in a child of the loader's."""
        fork = gdb.Breakpoint("supervise", internal=True, temporary=True)
        mapping = gdb.Breakpoint("objects_map", internal=True, temporary=True)
        fork.silent = mapping.silent = True
        gdb.execute("run", to_string=True)
        forks, reached = not fork.is_valid(), not mapping.is_valid()
        for place in (fork, mapping):
            if place.is_valid():
                place.delete()
        if not forks:
            return self.is_there(reached)
        mode = gdb.parameter("follow-fork-mode")
        quietly("set follow-fork-mode child")
        reached = self.run_to("objects_map", "continue")
        quietly("set follow-fork-mode " + mode)
        return reached

    def run_to(self, place, command):
        stop = gdb.Breakpoint(place, internal=True, temporary=True)
        stop.silent = True
        gdb.execute(command, to_string=True)
        reached = not stop.is_valid()
        if not reached:
            stop.delete()
        return self.is_there(reached)

    def is_there(self, reached):
        if reached and gdb.selected_inferior().pid != 0:
            return True
        gdb.write("the loader has not started the program in this process\n")
        return False

    def take(self):
        """At the commit point: everything is mapped, and nothing can fail any more."""
        guest = caller_variable("guest")
        # The program, and its interpreter if it has one: the process begins in the last.
        objects = [guest["objects"][i] for i in range(int(guest["object_count"]))]
        files = [(o["file"]["path"].string(), int(o["plan"]["load_bias"])) for o in objects]
        entry = int(objects[-1]["plan"]["entry"])
        text = [part for o in objects for part in text_of(o["plan"])]
        needs_guard = bool(guest["needs_guard"])
        if not self.run_to("*&entry_depart", "continue"):
            return
        if needs_guard:
            self.signals = Signals()
        self.loader = gdb.current_progspace().filename
        self.paths = [os.path.realpath(path) for path, bias in files]
        # symbol-file alone would move the program as the kernel has moved the loader.
        quietly("symbol-file")
        for path, bias in files:
            quietly('add-symbol-file "%s" -o %#x' % (path, bias))
        pending.ask()
        delete_library_events()
        gdb.write("%s, entry %#x\n" % (", ".join("%s at load bias %#x" % file for file in files), entry))
        # The page of the entry is never hidden. GDB takes stops at signals for those of a hardware
        # breakpoint that has just been deleted, so none is set.
        if self.run_to("*%#x" % entry, "continue"):
            if self.signals and not self.signals.watch():
                self.signals.forget()
                self.signals = None
            use_hardware(text)
            gdb.execute("frame")

    def forget(self, event):
        """Another run begins with the loader."""
        if self.signals:
            self.signals.forget()
        if self.loader:
            for path in self.paths:
                quietly('remove-symbol-file "%s"' % path)
            quietly('symbol-file "%s"' % self.loader)
            pending.wait()
        self.loader = self.paths = self.signals = None


def delete_library_events():
    """GDB's own breakpoint in a loader with glibc, whose place is unmapped soon."""
    for number in re.findall(r"^(-\d+) +shlib events", quietly("maint info breakpoints"), re.M):
        gdb.set_convenience_variable("internal", int(number))
        quietly("delete $internal")


def caller_variable(name):
    """A variable of this function or one of its callers."""
    frame = gdb.selected_frame()
    while frame is not None:
        try:
            return frame.read_var(name)
        except (ValueError, RuntimeError):
            frame = frame.older()
    raise gdb.GdbError("no caller has a variable %s: not at the commit point of a loader" % name)


class TakeGuest(gdb.Command):
    """Go on from the commit point of a loader to the first instruction of the program."""

    guest = Guest()

    def __init__(self, name="take-guest"):
        super().__init__(name, gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        quietly("set confirm off")
        quietly("set mem inaccessible-by-default off")
        others = [b for b in gdb.breakpoints() or () if b.enabled]
        for breakpoint in others:
            breakpoint.enabled = False
        try:
            if self.reach(argument):
                self.guest.take()
        finally:
            for breakpoint in others:
                if breakpoint.is_valid():
                    breakpoint.enabled = True

    def reach(self, argument):
        return True


class StartGuest(TakeGuest):
    """Run the loader up to the first instruction of the program, with the program's symbols.
start-guest [ARGUMENTS OF THE LOADER]"""

    def __init__(self):
        super().__init__("start-guest")

    def reach(self, argument):
        if argument:
            quietly("set args " + argument)
        return self.guest.run()


class IsCaught(gdb.Function):
    """Whether the process has a handler for a signal: the loader's, or the program's own."""

    def __init__(self):
        super().__init__("_is_caught")

    def invoke(self, number):
        with open("/proc/%d/status" % gdb.selected_thread().ptid[1]) as status:
            caught = re.search(r"^SigCgt:\s*(\w+)", status.read(), re.M)[1]
        return int(caught, 16) >> (int(number) - 1) & 1


class AttachGuest(gdb.Command):
    """Debug a program that runs under a loader already, from its first instruction if --pause holds it.
attach-guest [PID]"""

    def __init__(self):
        super().__init__("attach-guest", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        quietly("set mem inaccessible-by-default off")
        if argument:
            quietly("attach " + argument)
        pid = gdb.selected_inferior().pid
        if pid == 0:
            raise gdb.GdbError("no process: attach-guest PID, or gdb -p PID before")
        pending.ask()
        quietly("handle %s nostop noprint pass" % paging_signals())
        # The loader takes its handler back when it finds that an access is the program's own fault.
        quietly("catch signal SIGSEGV SIGBUS")
        quietly("condition $bpnum !$_is_caught($_siginfo.si_signo)")
        use_hardware(text_of_process(pid))
        delete_library_events()
        # A C library sets the base of thread-local storage first of all; the loader leaves 0.
        if unsigned(processor()[3]) == 0:
            quietly("tbreak *%s" % re.search(r"AT_ENTRY .* (0x\w+)$", quietly("info auxv"), re.M)[1])
            quietly("continue")
        gdb.write("%s, process %d\n" % (os.readlink("/proc/%d/exe" % pid), pid))
        gdb.execute("frame")


TakeGuest()
StartGuest()
IsCaught()
AttachGuest()
