from .edits import TextField as TextField, edit_problems as edit_problems, text_fields as text_fields
from .item import (
    Outline as Outline,
    ReviewItem as ReviewItem,
    ViewFigure as ViewFigure,
    picture_of as picture_of,
)
from .marks import ItemMarks as ItemMarks, check_belongs as check_belongs
from .questions import question_episodes as question_episodes, question_items as question_items
from .review_file import ReviewFile as ReviewFile
from .reviews import (
    ACCEPT as ACCEPT,
    EDIT as EDIT,
    MOST_TEXT as MOST_TEXT,
    REJECT as REJECT,
    Judgement as Judgement,
    Reviewer as Reviewer,
    Reviews as Reviews,
    judgement_of as judgement_of,
    read_reviews as read_reviews,
)
from .set_review import SetReview as SetReview
