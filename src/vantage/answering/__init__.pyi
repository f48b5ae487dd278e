from .calibration import (
    SUFFIX as SUFFIX,
    Calibration as Calibration,
    Judged as Judged,
    calibrate as calibrate,
    check_epsilon as check_epsilon,
    read_calibration as read_calibration,
    write_calibration as write_calibration,
)
from .engine import QuestionAnswering as QuestionAnswering, understood as understood
from .factory import SYMBOLIC as SYMBOLIC, make_answering as make_answering
from .protocol import (
    Answering as Answering,
    Assessment as Assessment,
    LookAt as LookAt,
    LookFor as LookFor,
    mode_of as mode_of,
)
