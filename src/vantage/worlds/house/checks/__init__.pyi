from .joint_runs import carried_by as carried_by, run_part as run_part
from .rest_check import (
    RestFault as RestFault,
    RestReport as RestReport,
    check_rest as check_rest,
    hand_reaches as hand_reaches,
)
