"""Lines of sight through scenes, traced by compiled code."""
