"""Stamps of shipped results: which commit, command and machine made them, and a digest of the code they depend on.

A stamp is a file `stamp.json` beside its results. `tests/results.py` checks every stamp in the repository.

  result      what was made, in words
  command     makes it again
  confirm     a quick command that reruns a sample and, if the numbers are the same, renews the digest
  commit      of the program that made it
  machine     processor, and what the program was compiled for
  date        when it was made
  confirmed   commit and date of the last successful `confirm`, or null
  depends_on  files and folders of the repository that decide the numbers
  digest      of the code in them, see `digest`
  files       SHA-256 of every result file
"""

import datetime
import hashlib
import json
import re
import subprocess
from pathlib import Path

NAME = "stamp.json"
# Folders that hold no sources: builds, results of runs, and what tools leave.
SKIPPED = re.compile(r"^(build.*|output|__pycache__|\..*)$")

# Order matters: a comment sign within a string is no comment, and 1'000 begins no character.
CXX_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<string>R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+')
      | (?P<space>\s+)""",
    re.VERBOSE | re.DOTALL)
HASH_TOKEN = re.compile(
    r'''(?P<comment>\#[^\n]*)
      | (?P<string>""".*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|'[^'\n]*')
      | (?P<space>\s+)''',
    re.VERBOSE | re.DOTALL)
TOKENS = {".hpp": CXX_TOKEN, ".cpp": CXX_TOKEN, ".h": CXX_TOKEN, ".toml": HASH_TOKEN}


def code_of(text, suffix):
    """The text without comments, and without white space but where it parts two words or stands in a string."""
    token = TOKENS.get(suffix)
    if token is None:
        return text
    plain = token.sub(lambda found: found.group() if found.group("string") else "\0", text)
    plain = re.sub(r"(?<=\w)\0+(?=\w)", " ", plain)
    return plain.replace("\0", "")


def sources_of(root, depends_on):
    """All files that the entries name, sorted."""
    files = []
    for entry in depends_on:
        path = Path(root) / entry
        if path.is_file():
            files.append(path)
        elif path.is_dir():
            files += [f for f in path.rglob("*") if f.is_file() and f.suffix in TOKENS]
        else:
            raise FileNotFoundError(f"{path} is not there; mend depends_on in the stamp")
    return sorted(set(files))


def digest(root, depends_on):
    """Changes with the code and the names of the sources, not with comments and white space."""
    whole = hashlib.sha256()
    for path in sources_of(root, depends_on):
        code = code_of(path.read_text(encoding="utf-8"), path.suffix)
        whole.update(f"{path.relative_to(root).as_posix()}\0{code}\0".encode())
    return whole.hexdigest()


def file_digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def processor():
    """Model and number of the processor, because a model name alone may hide its generation."""
    fields = {}
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(":")
        fields.setdefault(key.strip(), value.strip())
    return (f"{fields.get('model name', 'unknown processor')} "
            f"(family {fields.get('cpu family', '?')}, model {fields.get('model', '?')})")


def version_of(tamp):
    """Commit of the program, as `tamp --version` says it."""
    text = subprocess.run([str(tamp), "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return text.strip().rpartition("(")[2].rstrip(")")


def machine_of(tamp):
    """Processor, and what the program was compiled for where its build folder tells."""
    cache = Path(tamp).resolve().parent / "CMakeCache.txt"
    arch = [line.partition("=")[2] for line in cache.read_text(encoding="utf-8").splitlines()
            if line.startswith("TAMP_ARCH:")] if cache.exists() else []
    return processor() + (f", compiled for {arch[0]}" if arch else "")


def today():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")


def find(root):
    """All stamps below `root`."""
    stamps, folders = [], [Path(root)]
    while folders:
        for path in sorted(folders.pop().iterdir()):
            if path.is_dir() and not path.is_symlink() and not SKIPPED.match(path.name):
                folders.append(path)
            elif path.name == NAME:
                stamps.append(path)
    return sorted(stamps)


def read(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def write(path, stamp):
    Path(path).write_text(json.dumps(stamp, indent=2) + "\n", encoding="utf-8")
