"""Shapes put together from primitives: how they move, touch and contain each other."""
