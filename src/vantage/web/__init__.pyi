from .extra import require_web as require_web
from .gate import LARGEST_BODY as LARGEST_BODY, VISITOR as VISITOR, Bounds as Bounds, Gate as Gate
from .opened import Opened as Opened
from .page import framed as framed, visitor_of as visitor_of
from .painter import Painter as Painter
from .pictures import Canvas as Canvas, Pictures as Pictures
from .server import LOOPBACK as LOOPBACK, WebServer as WebServer
