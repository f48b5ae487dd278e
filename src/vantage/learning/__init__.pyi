from .comparison import GOAL_REWARD as GOAL_REWARD, Comparison as Comparison, compare as compare
from .episode_env import ALL as ALL, EpisodeEnv as EpisodeEnv, small_pictures as small_pictures
from .registration import require_gymnasium as require_gymnasium, require_training as require_training
from .training import Training as Training, TrainingPlan as TrainingPlan, surroundings_of as surroundings_of
from .visual_features import VisualFeatures as VisualFeatures
