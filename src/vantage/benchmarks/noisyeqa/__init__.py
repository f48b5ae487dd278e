"""Questions with a false premise beside their clean twins (NoisyEQA)."""
