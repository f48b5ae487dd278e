"""How .venv/ is prepared: small steps, each with a stamp, each error one sentence. Standard library only."""
