"""Serial chains: where they put the camera, how they get there, and how they move."""
