"""Question answering by a language or vision model, with its verdicts checked."""
