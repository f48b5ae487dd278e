"""What tests of panels share."""

from small_panel import drawn_panel, panel, panel_scenes, panel_set  # noqa: F401
