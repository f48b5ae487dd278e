"""Serves an emulated controller until it is told to end: ``python -m vantage.worlds.rig.emulators.grbl``."""

from vantage.worlds.rig.emulators.grbl.emulator import main

raise SystemExit(main())
