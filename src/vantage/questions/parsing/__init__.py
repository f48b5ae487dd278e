"""From English to programs: tokens, then noun phrases and what is said of them, then forms of questions."""
