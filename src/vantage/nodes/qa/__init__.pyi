from .confirm_client import open_confirm_client as open_confirm_client
from .correction_messages import correction_message as correction_message
from .observed_views import ObservedViews as ObservedViews
from .pending_corrections import Correction as Correction, Key as Key
from .qa_node import GROUPS as GROUPS, QaNode as QaNode
from .view_filter import ViewFilter as ViewFilter
