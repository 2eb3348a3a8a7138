#!/usr/bin/env python3
"""Says which shipped results are older than the code that they depend on. First tests its own digest.

    tests/results.py [ROOT]

A result is what lies beside a `stamp.json` (see inputs/stamps.py).
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "inputs"))
import stamps  # noqa: E402

CODE = '''// A law.
/* of two lines
   of comment */
constexpr double limit = 1'000.5, share = 0.25; // the share
const char* text = "no // comment", quote = '"'; int unsigned count;
'''
# (what, the code changed, whether the digest must change)
CHANGES = [
    ("nothing", CODE, False),
    ("a comment", CODE.replace("A law", "Another law"), False),
    ("a comment of several lines", CODE.replace("of comment", "of more\n comment"), False),
    ("a comment at the end of a line", CODE.replace("// the share", ""), False),
    ("white space", CODE.replace(" = ", "\n  =  "), False),
    ("a number", CODE.replace("0.25", "0.26"), True),
    ("a digit behind a separator", CODE.replace("1'000.5", "1'000.6"), True),
    ("a string with a comment sign", CODE.replace("no // comment", "no // comments"), True),
    ("white space in a string", CODE.replace("no // comment", "no  // comment"), True),
    ("an operator behind a quote", CODE.replace("int unsigned", "long unsigned"), True),
    ("two words made one", CODE.replace("int unsigned", "intunsigned"), True),
]
CASE = '# A case.\nstep = 1e-4 # in seconds\ntitle = "a # sign"\n'
CASE_CHANGES = [
    ("a comment in a case", CASE.replace("in seconds", "of time"), False),
    ("a number in a case", CASE.replace("1e-4", "2e-4"), True),
    ("a string in a case", CASE.replace("a # sign", "a # mark"), True),
]


def test_digest():
    """Wrong answers of the digest, in words."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        law, case = root / "src" / "law.cpp", root / "case.toml"
        law.parent.mkdir()
        depends_on = ["src", "case.toml"]

        def written(code, text):
            law.write_text(code, encoding="utf-8")
            case.write_text(text, encoding="utf-8")
            return stamps.digest(root, depends_on)

        before = written(CODE, CASE)
        tries = [(what, written(code, CASE), changes) for what, code, changes in CHANGES]
        tries += [(what, written(CODE, text), changes) for what, text, changes in CASE_CHANGES]
        written(CODE, CASE)
        law.rename(law.with_name("other.cpp"))
        tries.append(("a file's name", stamps.digest(root, depends_on), True))
        for what, after, changes in tries:
            if (after != before) != changes:
                wrong.append(f"the digest {'does not change' if changes else 'changes'} with {what}")
        wrong += test_check(root)
    return wrong


def test_check(root):
    """A stamp passes, and fails once the code, a result file or the README is another."""
    results = root / "study"
    results.mkdir()
    (results / "README.md").write_text("made by abc1234 with ./study.py", encoding="utf-8")
    (results / "table.csv").write_text("1,2\n", encoding="utf-8")
    stamp = {"result": "the table", "command": "./study.py", "confirm": "./study.py --confirm", "commit": "abc1234",
             "depends_on": ["src"], "digest": stamps.digest(root, ["src"]),
             "files": {"table.csv": stamps.file_digest(results / "table.csv")}}
    stamps.write(results / stamps.NAME, stamp)
    wrong = [f"a good stamp fails: {fault}" for fault in check(root)]
    for path, text, word in [(root / "src" / "other.cpp", "int b;", "older than the code"),
                             (results / "table.csv", "1,3\n", "table.csv"),
                             (results / "README.md", "made by someone", "README.md")]:
        before = path.read_text(encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        faults = check(root)
        if len(faults) != 1 or word not in faults[0] or "./study.py" not in faults[0]:
            wrong.append(f"another {path.name} gives {faults}")
        path.write_text(before, encoding="utf-8")
    return wrong


def check(root):
    """Faults of all stamps below `root`, in words."""
    faults = []
    for path in stamps.find(root):
        stamp = stamps.read(path)
        name = f"{path.parent.relative_to(root).as_posix()}: {stamp['result']}"
        again = f"make it again with `{stamp['command']}`"
        if stamps.digest(root, stamp["depends_on"]) != stamp["digest"]:
            faults.append(f"{name} (commit {stamp['commit']}) is older than the code that it depends on; "
                          f"`{stamp['confirm']}` tells whether the numbers are still the same, else {again}")
        for file, wanted in stamp["files"].items():
            result = path.parent / file
            if not result.exists() or stamps.file_digest(result) != wanted:
                faults.append(f"{name}: {file} is not the file that the study wrote; {again}")
        readme = path.parent / "README.md"
        text = readme.read_text(encoding="utf-8") if readme.exists() else ""
        if stamp["commit"] not in text or stamp["command"] not in text:
            faults.append(f"{name}: README.md does not name commit {stamp['commit']} and `{stamp['command']}`; {again}")
    return faults


def main():
    root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT
    faults = test_digest() + check(root)
    for fault in faults:
        print(fault)
    if not faults:
        print(f"{len(stamps.find(root))} shipped results are as new as the code that they depend on")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
