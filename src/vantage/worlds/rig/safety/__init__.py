"""What is checked before anything moves, and what stops a motion."""
