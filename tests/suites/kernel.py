"""The kernel's own selftests: those that are programs, each built on its own, static where it can be."""
import subprocess

from driver import Test, lines_of
from packages import install

TARGETS = """breakpoints capabilities clone3 core exec filesystems futex/functional ipc kcmp membarrier memfd mincore mqueue
openat2 pidfd prctl proc ptrace rlimits rseq sched seccomp sigaltstack signal size splice static_keys sync
syscall_user_dispatch sysctl timens timers tmpfs user vDSO vm x86""".split()  # fmt: skip

# Not run: what changes the whole machine, or loads modules; and shell scripts that only run the programs once more.
LEFT_OUT = {"breakpoints/step_after_suspend_test", "memfd/run_hugetlbfs_test.sh", "static_keys/test_static_keys.sh",
            "sysctl/sysctl.sh", "user/test_user_copy.sh", "vm/run_vmtests.sh", "futex/functional/run.sh",
            "rseq/run_param_test.sh"}  # fmt: skip
# These run a descriptor that is closed on exec, for which the kernel starts nothing that binfmt_misc names.
LEFT_OUT |= {"exec/execveat", "proc/proc-pid-vm"}
# Of vm, whose programs are started by a script that sets huge pages for the machine: those that need none.
VM = """madv_populate map_fixed_noreplace map_populate memfd_secret mlock-random-test mlock2-tests mrelease_test
mremap_dontunmap mremap_test on-fault-limit protection_keys_64 soft-dirty va_128TBswitch""".split()  # fmt: skip
PARTS = ("tools/testing/selftests", "tools/include", "tools/scripts", "tools/arch", "scripts", "include",
         "arch/x86/include", "mm/gup_test.h", "Makefile")  # fmt: skip


def selftests(folder):
    """The tree of the kernel's sources, of which only the tests and what they include are taken."""
    here = folder / "sources" / "kselftest"
    if not here.exists():
        package = subprocess.run(["apt-cache", "depends", "linux-source"], capture_output=True, text=True, check=True).stdout
        name = package.split("Depends: ")[1].split()[0]
        (folder / "kernel").mkdir(exist_ok=True)
        subprocess.run(["apt-get", "-q", "download", name], cwd=folder / "kernel", check=True, capture_output=True)
        (folder / "sources" / "kselftest.part").mkdir(exist_ok=True)
        parts = " ".join(f"'{name}/{part}'" for part in PARTS)
        subprocess.run(f"dpkg-deb --fsys-tarfile {folder}/kernel/{name}_*.deb | tar -xO ./usr/src/{name}.tar.xz | "
                       f"tar -xJ --strip-components=1 -C {here}.part {parts}", shell=True, check=True)  # fmt: skip
        (folder / "sources" / "kselftest.part").rename(here)
    return here


def kselftest(folder):
    install("libcap-dev", "libcap-ng-dev")
    root = selftests(folder)
    suite = root / "tools/testing/selftests"
    tests = []
    results = lines_of(r"^(?:# *)?(?P<word>not ok|ok|\[OK\]|\[FAIL\]|\[SKIP\]|\[RUN\])\s+(?P<name>.*)$")
    for target in TARGETS:
        place = suite / target
        if not (place / "Makefile").exists():
            continue
        if not (place / "list.built").exists():
            for flags in ("LDFLAGS=-static", ""):
                subprocess.run(f"make -k -s -j2 -C {place} {flags}", shell=True, capture_output=True, check=False)
            listed = subprocess.run(f"make -s -C {place} emit_tests COLLECTION=t", shell=True, capture_output=True,
                                    text=True, check=False)  # fmt: skip
            (place / "list.built").write_text(listed.stdout)
        listed = {line[2:] for line in (place / "list.built").read_text().splitlines() if line.startswith("t:")}
        for name in VM if target == "vm" else sorted(listed):
            if (place / name).exists() and f"{target}/{name}" not in LEFT_OUT:
                words = ["sh", name] if name.endswith(".sh") else [f"./{name}"]
                tests.append(Test(f"{target}/{name}", place, words, results))
    return tests
