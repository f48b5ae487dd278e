"""``qa_node``, which answers questions about what the camera has seen, and the client that confirms its corrections."""
