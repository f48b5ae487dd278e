from .actions import (
    OFFSETS as OFFSETS,
    PITCH as PITCH,
    YAW as YAW,
    ActionSpace as ActionSpace,
    GantryActions as GantryActions,
    Offset as Offset,
    further_sizes as further_sizes,
    make_actions as make_actions,
    rotations as rotations,
)
from .answer_prior import AnswerPrior as AnswerPrior
from .controls import (
    BIRD as BIRD,
    GOAL as GOAL,
    SCHEMA as SCHEMA,
    START as START,
    STARTS as STARTS,
    Control as Control,
    allowed_actions as allowed_actions,
    check_axes as check_axes,
    check_controls as check_controls,
    control_text as control_text,
    controls_of as controls_of,
    prompt_version as prompt_version,
)
from .language_prior import LanguagePrior as LanguagePrior
from .needs import (
    Need as Need,
    check_named_model as check_named_model,
    model_needs_gold as model_needs_gold,
    needs_of as needs_of,
)
from .protocol import Agent as Agent, Knowing as Knowing, Participating as Participating, Warranted as Warranted
from .restricted_actions import axes_named as axes_named
from .task_pictures import (
    BOTH as BOTH,
    IMAGE as IMAGE,
    TEXT as TEXT,
    ShownTask as ShownTask,
    TaskPictures as TaskPictures,
)
