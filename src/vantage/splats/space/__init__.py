"""Where a body can be in a cloud."""
