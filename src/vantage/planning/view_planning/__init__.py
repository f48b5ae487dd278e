"""Which view to take next: what it would reveal, and how the camera gets there."""
