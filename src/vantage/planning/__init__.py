"""Where to go and what to do next: agents, the choice of views, and how steps are counted."""
