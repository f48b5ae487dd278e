from .interpreter import GoalInterpreter as GoalInterpreter, Interpretation as Interpretation
from .lessons import Lesson as Lesson, Lessons as Lessons, learn as learn
from .reply_schema import scene_schema as scene_schema
from .task_text import TaskText as TaskText, read_task as read_task
