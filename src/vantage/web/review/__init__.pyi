from .review_pages import review_server as review_server
from .review_session import LEAD as LEAD, ReviewSession as ReviewSession
