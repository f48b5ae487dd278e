"""``evaluator_node``, which records episodes into bags and scores them."""
