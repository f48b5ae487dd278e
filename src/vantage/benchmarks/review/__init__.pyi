from .item import (
    Outline as Outline,
    ReviewItem as ReviewItem,
    ViewFigure as ViewFigure,
    picture_of as picture_of,
)
from .marks import ItemMarks as ItemMarks
from .questions import question_episodes as question_episodes, question_items as question_items
from .set_review import SetReview as SetReview
