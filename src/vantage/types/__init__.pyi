from .commands import (
    CLOSE as CLOSE,
    KGF as KGF,
    OPEN as OPEN,
    ArmStep as ArmStep,
    ArmTarget as ArmTarget,
    Cause as Cause,
    Command as Command,
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
