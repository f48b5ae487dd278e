"""Worlds in which a camera moves: splat scenes, rigs, and none at all; their protocol and limits."""
