#!/usr/bin/env python3
# Prepare .venv/ with everything that Vantage needs; `make setup` calls this. Standard library only.
# Kept in syntax that any Python parses, so that a wrong version gets a sentence and not a SyntaxError.
import os
import sys

OLDEST, NEWEST = (3, 10), (3, 13)

if not OLDEST <= sys.version_info[:2] <= NEWEST:
    found = [
        name
        for name in ("python3.13", "python3.12", "python3.11", "python3.10")
        if any(os.path.exists(os.path.join(folder, name)) for folder in os.environ.get("PATH", "").split(os.pathsep))
    ]
    sys.stderr.write(
        "setup: error: {0} is Python {1}.{2}, but Vantage needs Python 3.10 to 3.13; {3}\n".format(  # noqa: UP030
            sys.executable or "python",
            sys.version_info[0],
            sys.version_info[1],
            "run: make setup PYTHON=" + found[0] if found else "install one and run: make setup PYTHON=python3.12",
        )
    )
    sys.exit(1)

from venv_setup.main import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
