from .mark_pages import mark_server as mark_server
from .review_pages import review_server as review_server
from .review_session import LEAD as LEAD, ReviewSession as ReviewSession, reviewer_names as reviewer_names
