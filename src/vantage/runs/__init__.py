"""Episodes as they run: the loop of agent and world, its events, processes, and many episodes at once."""
