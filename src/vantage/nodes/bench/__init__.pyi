from .hostile_arms import bench_hostile_arms as bench_hostile_arms
from .interference import bench_interference as bench_interference
from .message_flood import bench_message_flood as bench_message_flood
from .qa_memory import bench_day as bench_day
from .qa_soak import bench_soak as bench_soak
from .question_latency import bench_service as bench_service
from .step_latency import bench_transport as bench_transport
from .transitions import bench_transitions as bench_transitions
