"""A controller that speaks the Grbl 1.1 dialect on a pseudo-terminal, in real time, with the faults of real ones."""
