from .protocol import (
    AnswerMark as AnswerMark,
    Benchmark as Benchmark,
    Option as Option,
    Stratum as Stratum,
    Told as Told,
    read_areas as read_areas,
)
from .registered import (
    all_benchmarks as all_benchmarks,
    benchmark_of as benchmark_of,
    make_benchmark as make_benchmark,
    order_problems as order_problems,
    phase_problems as phase_problems,
)
from .sections import Section as Section
from .setup_tables import Setup as Setup, setup_section as setup_section
