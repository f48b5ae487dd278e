"""Episode sets: folders of episodes, gold data and scenes."""
