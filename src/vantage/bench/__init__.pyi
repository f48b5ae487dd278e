from .calls import bench_calls as bench_calls
from .exploring import bench_explore as bench_explore
from .flipped_bags import bench_flipped_bags as bench_flipped_bags
from .guard import bench_guard as bench_guard
from .guard_pairs import bench_pairs as bench_pairs, sheet as sheet
from .hostile_clients import bench_hostile_clients as bench_hostile_clients
from .hostile_files import bench_hostile_files as bench_hostile_files
from .hostile_sizes import bench_sizes as bench_sizes
from .house_step import bench_house_step as bench_house_step
from .killed_runs import (
    SIZE as SIZE,
    KillCampaign as KillCampaign,
    bench_kills as bench_kills,
    make_fault_set as make_fault_set,
    repeated as repeated,
    small_pictures as small_pictures,
)
from .looks import bench_looks as bench_looks, looks_table as looks_table
from .memory import resident_mb as resident_mb
from .observe import bench_observe as bench_observe, observe_table as observe_table
from .oracle_labels import bench_labels as bench_labels
from .permission_claims import bench_permission_texts as bench_permission_texts, permission_texts as permission_texts
from .plans import bench_plans as bench_plans
from .question_answering import (
    BOUND_MS as BOUND_MS,
    bench_engine as bench_engine,
    bench_views as bench_views,
    make_engine as make_engine,
    measure_live as measure_live,
    restamped as restamped,
)
from .render import FULL as FULL, QUICK as QUICK, bench_render as bench_render, render_table as render_table
from .rig_faults import bench_faults as bench_faults
from .rig_limits import bench_limits as bench_limits
from .search import bench_search as bench_search
from .skill_trials import KINDS as KINDS
from .skills import bench_skills as bench_skills, skills_table as skills_table
from .step import (
    bench_episode as bench_episode,
    bench_step as bench_step,
    stepping as stepping,
    still_world as still_world,
)
from .stopwatch import Times as Times, measure as measure, measure_in_turn as measure_in_turn
from .text_legibility import bench_print as bench_print, lens_of as lens_of, read_shares as read_shares
from .training import bench_training as bench_training
from .view import bench_view as bench_view
from .view_runs import (
    bench_table as bench_table,
    bench_timeline as bench_timeline,
    many_bags as many_bags,
    record_one as record_one,
)
