from .motion_checks import EPISODE as EPISODE, RigSafety as RigSafety
from .routes import Routes as Routes
from .watchdog import PERIOD as PERIOD, Watchdog as Watchdog
