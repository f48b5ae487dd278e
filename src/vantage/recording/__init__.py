"""What a run leaves behind: topics, messages, one bag per episode, and what a recorded episode says."""
