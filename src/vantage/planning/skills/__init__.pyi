from .body import Body as Body, HouseBody as HouseBody
from .closing import CloseAll as CloseAll
from .door import Guard as Guard, SkillDoor as SkillDoor
from .freeing import GetFree as GetFree
from .going import GoTo as GoTo, LookAround as LookAround
from .going_near import GoNear as GoNear, Nearby as Nearby
from .holding import Pick as Pick, PutBack as PutBack
from .opening import Close as Close, Open as Open
from .putting import Put as Put
from .reach_check import KnownPlace as KnownPlace, NearlyFree as NearlyFree, within_reach as within_reach
from .results import Failure as Failure, SkillResult as SkillResult
from .situation import Situation as Situation, Skill as Skill, space_of as space_of
from .unit_steps import UnitSteps as UnitSteps
from .watched_put import WatchedPut as WatchedPut
from .weighing import Weigh as Weigh, neighbours as neighbours
