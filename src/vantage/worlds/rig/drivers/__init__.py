"""Drivers of motor controllers."""
