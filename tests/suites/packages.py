"""Where suites come from: the system's packages and their sources."""
import pathlib
import re
import subprocess


def install(*packages):
    missing = [name for name in packages if subprocess.run(["dpkg", "-s", name], capture_output=True, check=False).returncode]
    if missing:
        subprocess.run(["apt-get", "install", "-y", "-q", *missing], check=True, stdout=subprocess.DEVNULL)


def source_lists(folder):
    """apt's options for lists of sources, which the system need not have."""
    lists, parts = folder / "lists", folder / "parts"
    for path in (parts, lists / "partial"):
        path.mkdir(parents=True, exist_ok=True)
    for path in pathlib.Path("/etc/apt/sources.list.d").glob("*.sources"):
        (parts / path.name).write_text(re.sub(r"^Types:.*", "Types: deb-src", path.read_text(), flags=re.M))
    old = pathlib.Path("/etc/apt/sources.list")
    if old.exists():
        (parts / "old.list").write_text(re.sub(r"^deb\b", "deb-src", old.read_text(), flags=re.M))
    options = ["-oDir::Etc::sourcelist=/dev/null", f"-oDir::Etc::sourceparts={parts}", f"-oDir::State::lists={lists}"]
    subprocess.run(["apt-get", "-q", *options, "update"], check=True, stdout=subprocess.DEVNULL)
    return options


def source(package, folder):
    """Where the sources of a package are, as the distribution has changed them: the newest that can be had."""
    here = folder / "sources" / package
    found = [path for path in here.glob("*/") if path.is_dir()]
    if found:
        return found[0]
    here.mkdir(parents=True, exist_ok=True)
    options = source_lists(folder)
    listed = subprocess.run(["apt-cache", *options, "showsrc", package], check=True, capture_output=True, text=True).stdout
    for version in reversed(re.findall(r"^Version: (\S+)", listed, re.M)):
        if not subprocess.run(["apt-get", "-q", *options, "source", f"{package}={version}"], cwd=here,
                              capture_output=True, check=False).returncode:  # fmt: skip
            return next(path for path in here.glob("*/") if path.is_dir())
    raise RuntimeError(f"the sources of {package} cannot be had; is deb-src of this system on its mirror?")


def build(place, made, *commands):
    """Commands in a folder, if what they make is not there yet. What they say is shown if one fails."""
    if (place / made).exists():
        return
    for command in commands:
        done = subprocess.run(command, shell=True, cwd=place, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{command}: {(done.stdout + done.stderr)[-2000:]}")
