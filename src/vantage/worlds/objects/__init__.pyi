from .acting_home import ActingHome as ActingHome, home_of as home_of
from .home_picture import HomePicture as HomePicture
from .home_state import HELD_DEPTH as HELD_DEPTH, HomeState as HomeState
from .rules import Deed as Deed, Fault as Fault, HandRules as HandRules, judged as judged
