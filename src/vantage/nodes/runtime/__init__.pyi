from .callbacks import callbacks_of as callbacks_of, every as every, on_executor as on_executor, serve as serve
from .diagnostics import Diagnostics as Diagnostics, Health as Health
from .frame_buffer import (
    Frame as Frame,
    FrameBuffer as FrameBuffer,
    camera_topics as camera_topics,
    frame_viewpoint as frame_viewpoint,
    observation as observation,
)
from .job_queue import JobQueue as JobQueue
from .lifecycle import ManagedNode as ManagedNode
from .parameters import (
    check_choice as check_choice,
    declare as declare,
    declare_settings as declare_settings,
    overrides as overrides,
)
from .rclpy_messages import RclpyFactory as RclpyFactory, interface as interface
from .recent_failures import TOLD_FOR as TOLD_FOR, FailureLog as FailureLog
from .running import (
    DISCOVERY_TIME as DISCOVERY_TIME,
    Spinner as Spinner,
    destroyed_on_failure as destroyed_on_failure,
    halt as halt,
    refuse_taken_names as refuse_taken_names,
    ros_context as ros_context,
    run_node as run_node,
    start as start,
)
from .shared_memory import YOUNG as YOUNG, find_leftovers as find_leftovers, remove_leftovers as remove_leftovers
from .topics import advertise as advertise, listen as listen, profile as profile
from .warrant_key import shared_key as shared_key
