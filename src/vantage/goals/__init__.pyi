from .changes import (
    HAND as HAND,
    HOLDS as HOLDS,
    PUT_RELATIONS as PUT_RELATIONS,
    carried_by as carried_by,
    changed as changed,
    room_of as room_of,
    rooms_of as rooms_of,
)
from .conflicts import RESTING as RESTING, contradictions as contradictions
from .errands import Deed as Deed, End as End, Errand as Errand
from .facts import (
    Fact as Fact,
    SceneFacts as SceneFacts,
    SceneObject as SceneObject,
    kind_of as kind_of,
    object_key as object_key,
    word_key as word_key,
)
from .formulas import Formula as Formula, atoms as atoms, read_formula as read_formula
from .goal_json import (
    facts_from_json as facts_from_json,
    facts_to_json as facts_to_json,
    goal_from_json as goal_from_json,
    goal_to_json as goal_to_json,
)
from .goals import (
    ActionGoal as ActionGoal,
    Alternative as Alternative,
    EdgeGoal as EdgeGoal,
    Goal as Goal,
    Literal as Literal,
    NodeGoal as NodeGoal,
    objects_of as objects_of,
    renamed as renamed,
)
from .grounding import Fault as Fault, FaultKind as FaultKind, fault_of as fault_of, ungrounded as ungrounded
from .monitors import Monitor as Monitor, Step as Step, Verdict as Verdict
from .replies import (
    ACTIONS as ACTIONS,
    Reading as Reading,
    ReplyForm as ReplyForm,
    read_reply as read_reply,
    reply_text as reply_text,
    require_mending as require_mending,
)
from .rulings import (
    Feasibility as Feasibility,
    Reason as Reason,
    ReasonKind as ReasonKind,
    Ruling as Ruling,
)
from .scene_text import read_scene as read_scene, scene_lines as scene_lines
from .task_text import TaskText as TaskText, read_task as read_task
from .task_truths import TaskTruth as TaskTruth, task_from_json as task_from_json, task_to_json as task_to_json
from .traces import formula_of as formula_of, holds_in as holds_in, step_of as step_of
from .vocabulary_text import read_known as read_known, vocabulary_lines as vocabulary_lines
