from .batch import (
    Job as Job,
    Worker as Worker,
    describe as describe,
    make_agent as make_agent,
    prepared as prepared,
    run_set as run_set,
    run_sets as run_sets,
    shared_out as shared_out,
)
from .confirmation import (
    Confirm as Confirm,
    Ruling as Ruling,
    Terminal as Terminal,
    at_terminal as at_terminal,
    awaits_person as awaits_person,
    ruled as ruled,
    unconfirmed as unconfirmed,
    withheld as withheld,
)
from .episode import EpisodeRunner as EpisodeRunner
from .gathering import Gathering as Gathering
from .gold import GoldData as GoldData
from .moved_things import MovedThings as MovedThings
from .permission import (
    Permit as Permit,
    let_manipulate as let_manipulate,
    may_manipulate_freely as may_manipulate_freely,
)
from .priors import counted_answers as counted_answers, language_of_set as language_of_set
from .progress import Remaining as Remaining, Tell as Tell, paced as paced, quiet as quiet
from .resuming import remaining as remaining, remove_bags as remove_bags
from .sampling import Sample as Sample
from .setup import (
    check_place as check_place,
    rehearse as rehearse,
    rehearse_models as rehearse_models,
    require_server as require_server,
)
from .starts import standing_starts as standing_starts
from .task_pictures import with_pictures as with_pictures
from .unanswered import Unanswered as Unanswered
