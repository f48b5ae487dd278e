"""Makes the nets of ``test/nets`` anew: what users see of the program, as files that the tests compare with.

Only for a change of what users see that is wanted; see docs/developing.md::

    python tools/make_nets.py                # all of them, from the recorded bags
    python tools/make_nets.py traces frames  # some of them
    python tools/make_nets.py --bags scores  # records the bags anew as well; needs ROS
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from vantage.errors import VantageError

SUPPORT = Path(__file__).resolve().parents[1] / "test" / "support"


def main(arguments: list[str] | None = None) -> int:
    """Make nets; 1 where one cannot be made."""
    for folder in (SUPPORT, SUPPORT.parent / "ros"):
        sys.path.insert(0, str(folder))
    making = importlib.import_module("golden_texts.making")
    parser = argparse.ArgumentParser(description="Make the files anew that hold what users see.")
    parser.add_argument("nets", metavar="NET", nargs="*", help=f"any of {', '.join(making.NAMES)} (default: all)")
    parser.add_argument("--bags", action="store_true", help="record the golden bags anew first; needs ROS")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.nets) - set(making.NAMES))
    if unknown:
        parser.error(f"there is no net '{unknown[0]}'; choose any of {', '.join(making.NAMES)}")
    try:
        if options.bags:
            making.record()
        making.make(options.nets or list(making.NAMES))
    except VantageError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
