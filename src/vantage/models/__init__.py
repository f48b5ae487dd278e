"""Language and vision models behind one protocol, with prompts, budgets and a cache."""
