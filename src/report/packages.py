"""What cannot be done without, from the Python in the path or from the system's."""

import importlib.util
import os
import sys

from problems import FileProblem

SYSTEM_PYTHON = "/usr/bin/python3"


def require_packages(what: str, names=("matplotlib", "numpy", "PIL", "tomllib")) -> None:
    """Another Python in the path (of pyenv, conda or a module) may lack what the system's has."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if not missing:
        return
    if not os.environ.get("TAMP_SECOND_PYTHON") and os.access(SYSTEM_PYTHON, os.X_OK) \
            and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM_PYTHON):
        os.environ["TAMP_SECOND_PYTHON"] = "1"
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-B", *sys.argv])
    raise FileProblem(f"{what} needs packages that {sys.executable} lacks: "
                      f"{', '.join(missing)} (tomllib comes with Python 3.11); install the Debian package python3-matplotlib, or "
                      "load a module that has them")
