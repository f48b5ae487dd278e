from .bag_story import read_story as read_story
from .cameras import Orbit as Orbit
from .extra import require_web as require_web
from .gate import LARGEST_BODY as LARGEST_BODY, VISITOR as VISITOR, Bounds as Bounds, Gate as Gate
from .opened import Opened as Opened
from .page import framed as framed, visitor_of as visitor_of
from .page_check import check_pages as check_pages, chromium as chromium
from .page_client import PageClient as PageClient
from .painter import Painter as Painter
from .pictures import Canvas as Canvas, Pictures as Pictures
from .places import HOUSE as HOUSE, SPLAT as SPLAT, Place as Place, places_at as places_at
from .runs_index import bags_of as bags_of
from .scenes import Scenes as Scenes
from .server import LOOPBACK as LOOPBACK, WebServer as WebServer
from .viewer import Viewer as Viewer, Wish as Wish
