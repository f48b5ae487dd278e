"""All looks by name: what surfaces look like before light falls on them, and how they take it."""

from __future__ import annotations

from vantage.splats.painting import materials, pictures
from vantage.splats.painting.finish import Finish
from vantage.splats.painting.materials import mottled, plain

LOOKS: dict[str, Finish] = {
    "": Finish(plain),
    "wood": Finish(materials.wood, gloss=0.05, sharpness=10),
    "metal": Finish(materials.brushed, gloss=0.28, sharpness=12),
    "plastic": Finish(plain, gloss=0.22, sharpness=18),
    "ceramic": Finish(plain, gloss=0.28, sharpness=28),
    "glass": Finish(plain, gloss=0.50, sharpness=36),
    "stone": Finish(materials.stone, gloss=0.12, sharpness=16),
    "fabric": Finish(mottled(0.06, 0.012)),
    "leather": Finish(mottled(0.07, 0.05), gloss=0.14, sharpness=9),
    "paper": Finish(mottled(0.03, 0.03)),
    "paint": Finish(plain),
    # The building.
    "ceiling": Finish(plain, spacing=0.08),
    "wall": Finish(materials.wall, spacing=0.08),
    "boards": Finish(plain, gloss=0.05, sharpness=8),
    "tiles": Finish(plain, gloss=0.06, sharpness=8),
    "carpet": Finish(mottled(0.09, 0.03), spacing=0.08),
    # Textures.
    "wicker": Finish(materials.weave, spacing=0.016),
    "pages": Finish(materials.pages),
    "rug": Finish(materials.rug, spacing=0.028),
    "leaf": Finish(mottled(0.12, 0.02), gloss=0.06, sharpness=8),
    "soil": Finish(mottled(0.25, 0.01)),
    "skin": Finish(mottled(0.04, 0.015), gloss=0.25, sharpness=16),
    "ball": Finish(materials.ball, gloss=0.20, sharpness=14),
    "mesh": Finish(materials.mesh, spacing=0.006),
    "water": Finish(materials.water, spacing=0.02, gloss=0.35, sharpness=24),
    # What shows something of its own.
    "label": Finish(plain, spacing=0.03),
    "sky": Finish(pictures.sky, spacing=0.03, glow=1.0),
    "glow": Finish(pictures.lamp_shade, glow=0.75),
    "light": Finish(plain, glow=1.0),
    "clock face": Finish(pictures.clock_face, spacing=0.008),
    "screen": Finish(pictures.screen, spacing=0.009, glow=0.6),
    "dark screen": Finish(pictures.dark_screen, spacing=0.02, glow=0.3),
    "film": Finish(pictures.film, spacing=0.014, glow=0.65),
    "keys": Finish(pictures.keys, spacing=0.008),
    "painting": Finish(pictures.painting, spacing=0.013),
    "mirror": Finish(pictures.mirror, spacing=0.035, glow=0.3),
    "globe": Finish(pictures.globe, spacing=0.007, gloss=0.20, sharpness=16),
    "days": Finish(pictures.days, spacing=0.010),
    "lines": Finish(pictures.handwriting, spacing=0.012),
    "burner": Finish(pictures.burner, spacing=0.007, glow=0.85),
}
