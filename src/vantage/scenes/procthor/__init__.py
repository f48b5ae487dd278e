"""Houses of ProcTHOR, read as specifications and written from them."""
