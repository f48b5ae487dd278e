from .belief import Belief as Belief, Effect as Effect, believed as believed
from .bodies import OBJECT_VERBS as OBJECT_VERBS, PUTS as PUTS, ActionBody as ActionBody
from .house_body import SkillBody as SkillBody
from .kinematic_body import BEARING as BEARING, KinematicBody as KinematicBody
from .outcomes import effects_after as effects_after, gone_after as gone_after, is_dropped as is_dropped
from .permits import Permit as Permit, permit_for as permit_for
from .pose_body import PoseBody as PoseBody
