"""``planner_node``, which runs episodes, and what it asks people."""
