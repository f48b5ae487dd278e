"""Serves an emulated controller until a signal ends it: ``python -m vantage.worlds.rig.emulators.grbl``."""

from vantage.worlds.rig.emulators.grbl.emulator import main

raise SystemExit(main())
