"""How a doer divides the steps of a task: looking, opening, exploring, and what is kept back to close things."""

from __future__ import annotations

SEARCH = 0.75  # share of the steps that may go into looking for what the words name
OPENING = 0.2  # from which on closed things are opened to look into, where looks still show something elsewhere
OPENING_ANY = 0.4  # from which on it is also looked into what seldom keeps such a thing
EXPLORING = 30  # commands that go into looking for furniture in a room into which something is brought
LOOKED_IN = 0.1  # of the worth of a look into something open, below which it was looked into
KEPT = 8  # steps that are kept back to close something near that was opened in search
CLOSER = 0.85  # share of the steps that may have gone when it is looked at from near
