"""From which size, share and angle on readers can tell what a picture shows.

Each is where readers of a panel are right in nine of ten cases (``vantage panel``, docs/validity.md). The judge of
views and the reasoner that chooses its last look both go by them, each with its own measurements.

Pixels are those that a thing would cover in the middle of the picture. A letter counts as the side of the square that
it fills: its height times the square root of the cosine of the angle at which it is seen.
"""

import math

SIZE_PIXELS = 190.0
STATE_PIXELS = 560.0
VISIBLE_SHARE = 0.15
LETTER_PIXELS = 3.9
PRINT_ANGLE = math.radians(80.0)
PART_SHARE = 0.1
FRONT_ANGLE = math.radians(72.0)
CONTENTS_ELEVATION = math.radians(26.0)
