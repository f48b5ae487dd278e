from .commands import (
    CLOSE as CLOSE,
    KGF as KGF,
    OBJECT_VERBS as OBJECT_VERBS,
    OPEN as OPEN,
    PUT_BESIDE as PUT_BESIDE,
    PUT_IN as PUT_IN,
    PUT_ON as PUT_ON,
    PUTS as PUTS,
    SWITCH_OFF as SWITCH_OFF,
    SWITCH_ON as SWITCH_ON,
    TAKE as TAKE,
    ArmStep as ArmStep,
    ArmTarget as ArmTarget,
    Cause as Cause,
    Command as Command,
    ObjectAction as ObjectAction,
    Status as Status,
    StepResult as StepResult,
)
from .decisions import (
    Answer as Answer,
    Decision as Decision,
    Done as Done,
    Evidence as Evidence,
    NoiseReport as NoiseReport,
    NoiseType as NoiseType,
    Participation as Participation,
    SearchView as SearchView,
    Verdict as Verdict,
)
from .episodes import (
    Episode as Episode,
    EpisodePhase as EpisodePhase,
    EpisodeState as EpisodeState,
    Key as Key,
    Phase as Phase,
    Question as Question,
)
from .observations import (
    HANDLE as HANDLE,
    Changes as Changes,
    Detection as Detection,
    Event as Event,
    InstanceLabel as InstanceLabel,
    Link as Link,
    Observation as Observation,
    Point as Point,
    Poses as Poses,
    Posture as Posture,
    Touch as Touch,
)
from .truths import Gathered as Gathered, Truth as Truth, TruthQuestion as TruthQuestion
from .view_shortfalls import (
    FIRST_VIEW_RULE as FIRST_VIEW_RULE,
    NOTHING_TO_SEE as NOTHING_TO_SEE,
    VIEW_RULE as VIEW_RULE,
    ViewShortfall as ViewShortfall,
)
