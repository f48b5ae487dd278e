"""What tests of models share."""

from tiny_vlm import tiny_vlm  # noqa: F401
