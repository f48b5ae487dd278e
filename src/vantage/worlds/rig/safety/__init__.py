"""Checks before a motion, routes around obstacles, and the watchdog that stops a motion."""
