"""From which size, share and angle on readers can tell what a picture shows.

Most come from a panel of readers (``vantage panel``, docs/validity.md): the value from which they are right in nine of
ten cases. The judge of views and the reasoner that chooses its last look both go by them, each with its own
measurements.

Pixels are those that a thing would cover in the middle of the picture. A letter counts as the side of the square that
it fills: its height times the square root of the cosine of the angle at which it is seen.
"""

import math

SIZE_PIXELS = 215.0  # of a thing to be recognised
COLOUR_PIXELS = 125.0
MATERIAL_PIXELS = 75.0
COUNT_PIXELS = 85.0  # of the smallest thing to be counted; all replies were right, so it is an upper bound
STATE_PIXELS = 520.0
LETTER_PIXELS = 3.6
PRINT_ANGLE = math.radians(80.0)  # all replies were right up to 82 degrees
PART_SHARE = 0.05  # of a door, lid or drawer
FRONT_ANGLE = math.radians(77.0)  # off the front of a screen
CONTENTS_ELEVATION = math.radians(21.5)  # above the rim
VISIBLE_SHARE = 0.35  # of what a thing turns to the camera: the upper end of an interval that is wide
TOP_SHARE = 0.61  # of the top of what nothing is said to be on
PLACE_SHARE = 0.3  # of the top of what things are counted or compared on; readers who vouch for a number want 0.6
