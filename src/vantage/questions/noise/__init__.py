"""Questions with false premises, by NoisyEQA's taxonomy, and their true twins."""
