from .fast_downward import (
    require_planner as require_planner,
    search_plan as search_plan,
)
from .interpreter import GoalInterpreter as GoalInterpreter, Interpretation as Interpretation
from .lessons import Lesson as Lesson, Lessons as Lessons, learn as learn
from .plain_plans import plain_plan as plain_plan
from .planner import (
    TIMEOUT as TIMEOUT,
    WrittenProblem as WrittenProblem,
    plan_goal as plan_goal,
    write_problems as write_problems,
)
from .plans import (
    ABLE as ABLE,
    Outcome as Outcome,
    Plan as Plan,
    PlannedAction as PlannedAction,
    PlanningTask as PlanningTask,
    Situation as Situation,
    Verb as Verb,
)
from .reply_schema import scene_schema as scene_schema
