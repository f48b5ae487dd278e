"""The camera's lens and its place on the rig, from views of a board."""
