"""Name the test files that a change can affect, nearest first: `python tools/changed_tests.py --since origin/main`.

Nearest is a test that changed itself, then tests that mirror what changed, then those that import it, each import
further away. Imports through the faces of packages are followed to the module that defines a name, and a name of the
registry that a test mentions counts as an import. What takes longer than `--seconds` in all is left to `make test`,
which is said.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from source_checks.reach import Reach, chosen
from source_checks.trees import ROOT


class CommitError(Exception):
    """Git does not know what is asked for."""


def git(*words: str, root: Path = ROOT) -> list[str]:
    """The lines that a git command prints.

    Raises:
        CommitError: it failed.
    """
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        raise CommitError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"git {words[0]} failed")
    return done.stdout.splitlines()


def usual_start(root: Path = ROOT) -> str:
    """Where this branch left main, if it has commits of its own; else HEAD, for what is not committed yet."""
    for main in ("origin/main", "main"):
        try:
            base = git("merge-base", main, "HEAD", root=root)[0]
        except CommitError:
            continue
        return base if base != git("rev-parse", "HEAD", root=root)[0] else "HEAD"
    return "HEAD"


def changed_files(since: str, root: Path = ROOT) -> list[str]:
    """Files that differ from a commit, by their path from the root: committed or not, new and deleted ones too."""
    changed = git("diff", "--name-only", "--no-renames", since, "--", root=root)
    return sorted({*changed, *git("ls-files", "--others", "--exclude-standard", root=root)})


def main() -> int:
    parser = argparse.ArgumentParser(prog="changed_tests", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--since", default="", help="a commit (default: where the branch left main, else HEAD)")
    parser.add_argument(
        "--seconds", type=float, default=150.0, help="of tests at most, after the nearest (%(default)s)"
    )
    options = parser.parse_args()
    try:
        since = options.since or usual_start()
        changed = changed_files(since)
    except CommitError as error:
        print(f"check: {options.since or 'the commit to compare with'} cannot be used: {error}", file=sys.stderr)
        return 2
    try:
        tests, told = chosen(Reach(ROOT).distances(changed), ROOT, options.seconds)
    except SyntaxError as error:
        print(f"check: {error.filename}:{error.lineno}: {error.msg}", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"check: {error}", file=sys.stderr)
        return 2
    print(f"check: {len(changed)} files changed since {since[:12]}; {told}", file=sys.stderr)
    print("\n".join(tests))
    return 0


if __name__ == "__main__":
    sys.exit(main())
