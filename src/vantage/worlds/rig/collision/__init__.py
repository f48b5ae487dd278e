"""Bodies of a rig against each other and against the room."""
