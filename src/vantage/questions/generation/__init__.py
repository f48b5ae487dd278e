"""Questions about a scene graph, with gold answers, in everyday English."""
