from .clear_contrasts import clearly_other as clearly_other
from .false_descriptions import DESCRIBED_TYPES as DESCRIBED_TYPES, falsified_questions as falsified_questions
from .false_premises import noisy_question as noisy_question
from .model_noise import noise_by_model as noise_by_model
from .noisy_pairs import drafted_pairs as drafted_pairs
from .pair_templates import WORDINGS as WORDINGS, Wording as Wording
from .pairing import NoisyPair as NoisyPair
from .usual_claims import UsualClaims as UsualClaims
