"""Emulated controllers, behind the port that their driver opens."""
