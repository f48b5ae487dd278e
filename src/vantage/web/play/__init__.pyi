from .bare_world import bare_steps as bare_steps
from .pages import PlayPages as PlayPages
from .seat_server import play_server as play_server
from .seats import CONSENT as CONSENT, Seat as Seat, digest_of as digest_of, make_seats as make_seats
from .study import (
    STATE as STATE,
    Study as Study,
    StudyEpisode as StudyEpisode,
    Trial as Trial,
    study_episodes as study_episodes,
)
from .trial_run import TrialRun as TrialRun, try_out as try_out
