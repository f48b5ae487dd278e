"""From which size, share and angle on readers can tell what a picture shows.

Each is where readers of a panel are right in nine of ten cases (``vantage panel``, docs/validity.md). The judge of
views and the reasoner that chooses its last look both go by them, each with its own measurements.

Pixels are those that a thing would cover in the middle of the picture. A letter counts as the side of the square that
it fills: its height times the square root of the cosine of the angle at which it is seen.
"""

import math

SIZE_PIXELS = 215.0  # of a thing to be recognised
COLOUR_PIXELS = 125.0
MATERIAL_PIXELS = 215.0
COUNT_PIXELS = 85.0  # of the smallest thing to be counted
STATE_PIXELS = 520.0
VISIBLE_SHARE = 0.2  # of what a thing turns to the camera
TOP_SHARE = 0.75  # of the top of a support on which something is said to be absent
PLACE_SHARE = 0.5  # of the top of a support of which the things are counted or compared
LETTER_PIXELS = 3.6
PRINT_ANGLE = math.radians(80.0)
PART_SHARE = 0.05  # of a door, lid or drawer
FRONT_ANGLE = math.radians(77.0)  # off the front of a screen
CONTENTS_ELEVATION = math.radians(21.5)  # above the rim
