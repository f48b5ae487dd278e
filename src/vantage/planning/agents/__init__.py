"""The policies: what to look at next, and when to answer."""
