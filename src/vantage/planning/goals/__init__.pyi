from .fast_downward import (
    planner_command as planner_command,
    require_planner as require_planner,
    search_plan as search_plan,
)
from .planner import (
    TIMEOUT as TIMEOUT,
    WrittenProblem as WrittenProblem,
    plan_goal as plan_goal,
    write_problems as write_problems,
)
from .plans import (
    Capabilities as Capabilities,
    Outcome as Outcome,
    Plan as Plan,
    PlannedAction as PlannedAction,
    PlanningTask as PlanningTask,
    Situation as Situation,
    Verb as Verb,
)
