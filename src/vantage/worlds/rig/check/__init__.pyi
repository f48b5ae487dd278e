from .check_report import (
    FAILED as FAILED,
    OUTCOMES as OUTCOMES,
    Finding as Finding,
    finding_line as finding_line,
    write_report as write_report,
)
from .rig_check import RigCheck as RigCheck, refuse_unknown as refuse_unknown
