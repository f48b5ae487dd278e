"""The embedded reasoner: runs programs on the observed scene with three truth values."""
