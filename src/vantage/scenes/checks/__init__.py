"""Whether a scene could stand like this."""
