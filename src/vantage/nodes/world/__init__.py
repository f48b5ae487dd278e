"""``world_node``, which serves a world over topics, and ``RosWorld``, which is that world for its clients."""
