"""Who marks answers: rules, or a model that is asked."""
