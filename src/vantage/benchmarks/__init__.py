"""What every benchmark has: its protocol, its registration and the scores of an episode."""
