"""Questions whose answer only some viewpoints show, for a camera that moves in five degrees of freedom (E3VS-Bench)."""
