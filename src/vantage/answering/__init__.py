"""Answers from what was seen: how premises are treated, and confidence."""
