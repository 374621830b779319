#!/usr/bin/env python3
"""Runs a command where a folder is a FUSE file system whose server never answers.

Usage: silent_fuse.py FOLDER COMMAND [ARG]...
Exit status: that of COMMAND; 77 and a reason where there can be no such file system.
"""

import ctypes
import os
import subprocess
import sys

folder, *command = sys.argv[1:]
try:
    # COMMAND does not get it, so the file system ends with this process.
    device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
except OSError as error:
    print(f"/dev/fuse cannot be opened: {error.strerror}")
    sys.exit(77)
libc = ctypes.CDLL(None, use_errno=True)
options = f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}"
if libc.mount(b"silent", folder.encode(), b"fuse", ctypes.c_ulong(0), options.encode()) != 0:
    print(f"no FUSE file system can be mounted: {os.strerror(ctypes.get_errno())}")
    sys.exit(77)
sys.exit(subprocess.run(command).returncode)
