"""Questions as programs: their kinds, words, generation, false premises, parsing and execution."""
