from .board_views import (
    ViewFolder as ViewFolder,
    board_facing as board_facing,
    load_views as load_views,
    viewing_positions as viewing_positions,
)
from .charuco import Board as Board
from .lens_calibration import LensModel as LensModel
from .rig_calibration import calibrate_rig as calibrate_rig
