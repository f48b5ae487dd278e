from .budget import (
    PROCESS_LEDGER as PROCESS_LEDGER,
    Usage as Usage,
    check_cutoff as check_cutoff,
    cutoff as cutoff,
)
from .call_log import CallRecord as CallRecord, noted as noted
from .json_replies import fault as fault
from .model_factory import make_model as make_model, shared_model as shared_model
from .prompts import Prompt as Prompt, prompt as prompt, version_of as version_of
from .protocol import (
    Backend as Backend,
    Call as Call,
    Deadline as Deadline,
    Limiting as Limiting,
    Model as Model,
    Reply as Reply,
    SeesSeveral as SeesSeveral,
    ThinksAloud as ThinksAloud,
    Turn as Turn,
)
from .third_party_errors import told as told
from .thoughts import apart as apart
