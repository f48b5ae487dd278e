"""Every setting with its default, unit and range; one name for each, in files, in ROS and on the command line.

``config/vantage.yaml`` is a ROS parameter file (``vantage.parameter_files``). A key such as ``camera.width`` is a ROS
parameter of the nodes that use it and an argument of ``--set camera.width=320``.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from vantage.decoding import plain_value, truth
from vantage.errors import ConfigError, UnknownNameError
from vantage.registry import did_you_mean
from vantage.wording import shown

_LONGEST = 100  # characters of a value that is a number, or true or false


FRAMES = ("world", "heading", "camera")


def setting(
    default: Any,
    description: str,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] | None = None,
    shared: bool | tuple[str, ...] = False,
) -> Any:
    """A dataclass field with a description and an inclusive range, or the only values that it may have.

    Args:
        shared: whether files from elsewhere, such as episode sets, may say it, or which of its values they may say; see
            ``vantage.shared_settings``. Nothing that names a file, an address, a model or a program is shared.
    """
    limits = {"low": low, "high": high, "choices": choices, "shared": shared}
    return field(default=default, metadata={"description": description, **limits})


@dataclass(frozen=True)
class CameraSettings:
    width: int = setting(640, "image width, pixels", 1, 8192, shared=True)
    height: int = setting(480, "image height, pixels", 1, 8192, shared=True)
    horizontal_fov: float = setting(1.2, "horizontal field of view, rad", 0.01, 3.1, shared=True)


@dataclass(frozen=True)
class WorldSettings:
    scenes: str = setting("", "folder of scene folders, or one scene folder or splat file")
    body_radius: float = setting(0.15, "radius of the body sphere around the camera, m", 0.0, 10.0, shared=True)
    voxel: float = setting(0.1, "edge of an occupancy voxel, m", 0.01, 1.0, shared=True)
    linear_speed: float = setting(0.5, "simulated camera speed, m/s", 0.001, 100.0)
    angular_speed: float = setting(1.5, "simulated turn rate, rad/s", 0.001, 100.0)
    instances: bool = setting(True, "render instance ids (simulation)")
    renderer: str = setting("auto", "cpu, gsplat (needs an NVIDIA GPU), or auto: gsplat where it can run")
    threads: int = setting(2, "threads of the cpu renderer", 1, 256)
    hand_reach: float = setting(1.5, "in splat homes: from the camera to what is opened or taken, m", 0.0, 100.0)
    hand_load: float = setting(5.0, "in splat homes: the heaviest that is taken, kg", 0.0, 1000.0)


GRASPS = ("assisted", "friction")
WEIGHINGS = ("grasp", "wrist")
PICTURES = ("all", "color", "none")


@dataclass(frozen=True)
class HouseSettings:
    """Of the world ``house``; the size of color images is that of ``camera``."""

    robot: str = setting("", "YAML file that describes the robot (empty: config/robot.yaml)")
    grasp: str = setting("assisted", "what holds things: assisted (what the hand touches) or friction", choices=GRASPS)
    weighing: str = setting("grasp", "how weight is felt: by the force of a grasp, or at the wrist", choices=WEIGHINGS)
    wrist_noise: float = setting(0.03, "standard deviation of forces at the wrist, share of the force", 0.0, 1.0)
    wrist_offset: float = setting(0.01, "the same beside that, kg", 0.0, 10.0)
    pictures: str = setting("all", "all (color, depth, ids), color, or none (black, no GL needed)", choices=PICTURES)
    depth_width: int = setting(400, "width of depth and ids, pixels", 1, 8192, shared=True)
    depth_height: int = setting(300, "height of depth and ids, pixels", 1, 8192, shared=True)
    random_light: bool = setting(False, "light that differs with the seed of the episode")
    random_texture: bool = setting(False, "textures that differ with the seed of the episode")
    timestep: float = setting(0.004, "of the physics, s", 0.0005, 0.01)
    max_hand_translation: float = setting(100.0, "longest way of the hand of one command, m", 0.001, 100.0, shared=True)
    max_hand_rotation: float = setting(100.0, "largest turn of the hand of one command, rad", 0.001, 100.0, shared=True)


@dataclass(frozen=True)
class LimitSettings:
    pitch_min: float = setting(-math.pi / 3, "lowest pitch, rad", -math.pi / 2, math.pi / 2, shared=True)
    pitch_max: float = setting(math.pi / 3, "highest pitch, rad", -math.pi / 2, math.pi / 2, shared=True)
    max_translation: float = setting(0.5, "longest move of one command, m", 0.001, 100.0, shared=True)
    max_rotation: float = setting(1.0, "largest turn of one command, rad", 0.001, 6.3, shared=True)


@dataclass(frozen=True)
class ActionSettings:
    translation: float = setting(0.25, "translation of one action, m", 0.001, 10.0, shared=True)
    rotation: float = setting(math.pi / 6, "rotation of one action, rad", 0.001, math.pi, shared=True)
    space: str = setting("gantry", "registered name of the action space", shared=True)
    frame: str = setting(
        "world", "whose axes translations follow: world, heading (yaw) or camera", choices=FRAMES, shared=True
    )
    hand_step: float = setting(
        0.05, "move of the hand or the lift of one action (space mobile), m", 0.001, 1.0, shared=True
    )
    wrist_turn: float = setting(
        math.pi / 12, "turn of the wrist of one action (mobile), rad", 0.001, math.pi, shared=True
    )
    force_step: float = setting(0.05, "by which the forces of grasps differ (mobile), kgf", 0.001, 10.0, shared=True)
    force_max: float = setting(5.0, "the firmest grasp (mobile), kgf", 0.001, 100.0, shared=True)


@dataclass(frozen=True)
class AgentSettings:
    name: str = setting("search", "who decides where to look")
    perception: str = setting(
        "privileged", "through which perceiver it sees", shared=("none", "privileged", "degraded")
    )
    min_pixels: int = setting(120, "pixels below which an object is not made out", 1, 10**6)
    open_space: bool = setting(False, "pixels without a depth looked through free space (captures of single things)")
    confidence: float = setting(0.8, "confidence at which the search stops, 0..1", 0.0, 1.0)
    last_look: bool = setting(
        False, "before it answers, the search goes where one view shows what the answer rests on", shared=True
    )
    mode: str = setting("nacot", "how premises are treated: plain (trusted), nap (checked) or nacot (step by step)")
    model: str = setting("symbolic", "who answers: symbolic, or NAME:WHICH such as openai:llama or transformers:FOLDER")
    views_asked: str = setting(
        "news", "views that a model is asked about: news, or every one as in NoisyEQA", choices=("news", "every")
    )
    hidden_contents: bool = setting(
        False, "what is inside closed things counts, and weight is felt (worlds with a hand)", shared=True
    )
    program_model: str = setting("", "NAME:WHICH of a model that puts questions into programs which the parser leaves")
    calibration: str = setting("", "file of `vantage calibrate` that confidence is read by (empty: as it is)")
    require_confirmation: bool = setting(False, "answer a corrected question only after a person confirmed it")
    confirmation_timeout: float = setting(60.0, "after which an open correction lapses, s", 0.1, 86400.0)
    replans: int = setting(3, "times that a task is planned anew after an action failed (agent doer)", 0, 20)
    hands_off: bool = setting(False, "it touches nothing (agents with a hand)")
    step_discount: float = setting(5e-4, "by which a step of re-entry lessens what it wins (k)", 0.0, 1.0, shared=True)
    prior: str = setting(
        "",
        "file of `vantage episodes prior` for agents prior and language (empty: the set train beside that to be run)",
    )
    checkpoint: str = setting("", "folder that `vantage train` wrote, or a checkpoint in it (agent learned)")


INPUTS = ("text", "image", "both")
MITIGATIONS = ("none", "kaf", "scw", "schema", "guard")
PROMPT_KINDS = ("full", "paper")


@dataclass(frozen=True)
class ControlSettings:
    """Conditions under which agents are compared; every bag and score names those that are not the default."""

    start: str = setting("start", "where episodes begin: their start, goal (the answer is seen) or bird (from above)")
    frames: int = setting(1, "pictures that a pilot is shown at each step: the current one and those before it", 1, 16)
    prompt: str = setting(
        "full",
        "what a model that looks round is told at each step: full (pose, limits, what counts as shown, all earlier "
        "actions) or paper (the fields of E3VS-Bench alone)",
        choices=PROMPT_KINDS,
    )
    dof: str = setting("", "axes that move: some of x,y,z,yaw,pitch, or yaw_pitch, planar or full (empty: full)")
    crops: int = setting(4, "parts of the picture that agent crop may look at before it answers", 0, 64)
    retries: int = setting(2, "times that a pilot is asked again after a reply without one known action", 0, 10)
    mitigation: str = setting(
        "none",
        "what becomes of an interpreter's reply: none, kaf (it is told that it contradicts the scene), scw (it is told "
        "what is not there), schema (it is kept to names and states of the scene while it is made) or guard (a goal "
        "that cannot be pursued is held back)",
        choices=MITIGATIONS,
    )
    mitigation_rounds: int = setting(1, "times that it is told so, while its reply contradicts the scene", 1, 10)
    mitigation_always: bool = setting(False, "it is told so even where its reply contradicts nothing (kaf)")
    input: str = setting(
        "text",
        "what an interpreter's model is given of a scene: text, image (pictures, and names for goals) or both",
        choices=INPUTS,
    )
    robot: str = setting("household", "robot of config/robots whose capabilities and rules a guard goes by, or a file")


@dataclass(frozen=True)
class ModelSettings:
    """For models; what is spent is counted over the life of a process. 0: no bound."""

    url: str = setting("http://127.0.0.1:8000/v1", "of an OpenAI-compatible server")
    key_variable: str = setting("OPENAI_API_KEY", "environment variable that holds its key")
    device: str = setting("auto", "cpu, cuda, or auto: cuda where there is one (transformers)")
    timeout: float = setting(60.0, "deadline of one call, retries included, s", 0.1, 3600.0)
    retries: int = setting(3, "further trials after a busy or failing server", 0, 100)
    max_new_tokens: int = setting(512, "longest reply, tokens", 1, 100000)
    pictures: int = setting(4, "most pictures in one question; one where its server takes no more", 1, 16)
    thinking: str = setting("", "on or off: whether a thinking model thinks before it replies (empty: as it is)")
    max_calls: int = setting(0, "calls that may be made", 0, 10**9)
    max_tokens: int = setting(0, "tokens that may be sent and received", 0, 10**12)
    max_seconds: float = setting(0.0, "time that calls may take together, s", 0.0, 1e9)
    max_cost: float = setting(0.0, "money that may be spent, in the currency of the prices", 0.0, 1e9)
    price_in: float = setting(0.0, "of a million tokens sent", 0.0, 1e6)
    price_out: float = setting(0.0, "of a million tokens received", 0.0, 1e6)
    cache: str = setting("", "folder where replies are kept by content (empty: not kept)")


@dataclass(frozen=True)
class PixelSettings:
    """For perceivers that see nothing but pictures."""

    detector: str = setting("", "name or folder of a zero-shot detector of transformers (perception detector)")
    labels: str = setting("", "what it looks for, with commas between (empty: every kind of thing that homes have)")
    threshold: float = setting(0.2, "score from which on a box counts, 0..1", 0.0, 1.0)
    model: str = setting("", "NAME:WHICH of the model that looks (perception vlm; empty: agent.model)")


@dataclass(frozen=True)
class RelationSettings:
    touch: float = setting(0.03, "gap between two things that touch, m", 0.0, 1.0, shared=True)
    beside: float = setting(0.4, "largest gap between things next to each other, m", 0.0, 10.0, shared=True)
    near: float = setting(1.0, "largest gap between things near each other, m", 0.0, 100.0, shared=True)
    overlap: float = setting(
        0.3, "least shared footprint of things above and below each other, share of the smaller", 0.0, 1.0, shared=True
    )
    direction: float = setting(
        0.9, "half the angle in which a thing is left, right, before or behind, rad", 0.05, 1.57, shared=True
    )
    reach: float = setting(
        2.5, "largest gap at which a thing is left, right, before or behind another, m", 0.0, 100.0, shared=True
    )
    ratio: float = setting(1.1, "least ratio of sizes or masses of which one is called larger", 1.0, 10.0, shared=True)


@dataclass(frozen=True)
class DegradedSettings:
    """Errors of the ``degraded`` perceiver for an object that covers ``reference_pixels``; they grow as it shrinks."""

    reference_pixels: int = setting(2000, "pixels at which the rates below hold", 1, 10**6)
    miss: float = setting(0.02, "share of things that a view shows and the perceiver misses", 0.0, 1.0)
    label: float = setting(0.02, "share of things taken for another kind", 0.0, 1.0)
    color: float = setting(0.03, "share of colors misread", 0.0, 1.0)
    material: float = setting(0.04, "share of materials misread", 0.0, 1.0)
    state: float = setting(0.03, "share of states misread", 0.0, 1.0)
    position: float = setting(0.015, "standard deviation of a position, m", 0.0, 1.0)
    growth: float = setting(0.5, "exponent with which errors grow as pixels shrink", 0.0, 2.0)


@dataclass(frozen=True)
class RigSettings:
    file: str = setting("", "YAML file that describes the rig (empty: config/rig.yaml)")
    mode: str = setting("hardware", "hardware, emulated (its controller runs here) or simulated (time is simulated)")
    dry_run: bool = setting(False, "check every motion and say what it would do, but move nothing")
    confirmed: bool = setting(False, "the first motion after connecting needs no confirmation by a person")
    unwind_speed: float = setting(0.75, "fastest turn of a joint in an unwind, rad/s", 0.01, 10.0)


@dataclass(frozen=True)
class LearningSettings:
    """For learned agents and their training."""

    t5: str = setting("", "folder of the T5 that answers (empty: that of the checkpoint; in training a tiny one)")
    clip: str = setting("", "folder of the CLIP model of features clip")


@dataclass(frozen=True)
class RunSettings:
    step_timeout: float = setting(10.0, "deadline of one command, s", 0.1, 3600.0)
    reset_timeout: float = setting(60.0, "deadline of a reset, scene loading included, s", 0.1, 3600.0)
    rate_hz: float = setting(5.0, "camera frames per second between commands", 0.1, 240.0)
    record_raw: bool = setting(False, "keep raw images in bags, not only compressed ones")
    record_depth: bool = setting(False, "keep depth images in bags")
    record_instances: bool = setting(False, "keep instance images in bags")
    record_markers: bool = setting(
        True, "keep what RViz draws of a search in bags; in long episodes that is most of them"
    )
    jpeg_quality: int = setting(90, "of compressed pictures, on topics and in bags", 10, 100)


@dataclass(frozen=True)
class JudgeSettings:
    retries: int = setting(2, "further trials after a model's reply that holds no clear mark", 0, 20)


@dataclass(frozen=True)
class TrainingSettings:
    """Of `vantage train`; what the paper's appendices decide and nobody else knows."""

    size: int = setting(84, "edge of the pictures that the policy sees, pixels", 36, 1024)
    belief: int = setting(128, "size of the belief and of the hidden layers of what reads it", 1, 8192)
    prefix: int = setting(4, "vectors that the belief puts before a question", 1, 1024)
    learning_rate: float = setting(1e-3, "of Adam", 0.0, 1.0)
    discount: float = setting(0.99, "of rewards, a step", 0.0, 1.0)
    trace: float = setting(0.95, "lambda of generalized advantage estimation", 0.0, 1.0)
    clip: float = setting(0.2, "by which PPO lets the probability of an action change, share", 0.0, 1.0)
    entropy: float = setting(0.01, "weight of the entropy bonus", 0.0, 10.0)
    critic: float = setting(0.5, "weight of the critic's loss", 0.0, 100.0)
    answering: float = setting(1.0, "weight of the cross-entropy of answers", 0.0, 100.0)
    gradient_norm: float = setting(1.0, "largest norm of a gradient", 1e-6, 1e6)
    episodes: int = setting(8, "episodes of a round, between updates", 1, 10000)
    segment: int = setting(32, "steps through which gradients of the belief run", 1, 10000)
    batch: int = setting(8, "segments of a minibatch", 1, 100000)
    epochs: int = setting(4, "times that a round is learned from", 1, 1000)
    lessons: int = setting(256, "pairs of a step and a question, by lot, in a minibatch (0: all)", 0, 10**7)
    answer_every: int = setting(16, "steps between beam searches for r_QA (1: after every step)", 1, 10**6)
    beams: int = setting(2, "of these searches", 1, 64)
    checkpoint_every: int = setting(1, "rounds between checkpoints", 1, 10**6)


@dataclass(frozen=True)
class Settings:
    """All groups."""

    camera: CameraSettings = field(default_factory=CameraSettings)
    world: WorldSettings = field(default_factory=WorldSettings)
    house: HouseSettings = field(default_factory=HouseSettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    actions: ActionSettings = field(default_factory=ActionSettings)
    agent: AgentSettings = field(default_factory=AgentSettings)
    control: ControlSettings = field(default_factory=ControlSettings)
    model: ModelSettings = field(default_factory=ModelSettings)
    pixels: PixelSettings = field(default_factory=PixelSettings)
    relations: RelationSettings = field(default_factory=RelationSettings)
    degraded: DegradedSettings = field(default_factory=DegradedSettings)
    rig: RigSettings = field(default_factory=RigSettings)
    learning: LearningSettings = field(default_factory=LearningSettings)
    run: RunSettings = field(default_factory=RunSettings)
    judge: JudgeSettings = field(default_factory=JudgeSettings)
    training: TrainingSettings = field(default_factory=TrainingSettings)

    def with_values(self, values: Mapping[str, Any], where: str) -> Settings:
        """A copy with ``{"group.key": value}`` applied; text is converted to the type of the setting.

        Raises:
            UnknownNameError: no such key.
            ConfigError: a value of the wrong type or out of range.
        """
        changed = self
        known = {f"{group}.{item.name}": (group, item) for group, item in all_settings()}
        for key, value in values.items():
            if key not in known:
                hint = did_you_mean(key, sorted(known))
                raise UnknownNameError(f"{where}: unknown setting '{key}'{hint}; config/vantage.yaml lists all")
            group, item = known[key]
            part = dataclasses.replace(getattr(changed, group), **{item.name: _convert(key, item, value, where)})
            changed = dataclasses.replace(changed, **{group: part})
        return changed


def of_key(settings: Settings, key: str) -> Any:
    """The value of ``group.key``."""
    group, _, name = key.partition(".")
    return getattr(getattr(settings, group), name)


def all_settings() -> Iterable[tuple[str, dataclasses.Field[Any]]]:
    """Each group name with each of its fields."""
    for group in dataclasses.fields(Settings):
        for item in dataclasses.fields(group.default_factory):  # type: ignore[arg-type]
            yield group.name, item


def _convert(key: str, item: dataclasses.Field[Any], value: Any, where: str) -> Any:
    kind = type(item.default)
    try:
        if isinstance(value, str) and kind is not str and len(value) <= _LONGEST:
            value = plain_value(value)
        if kind is bool:
            value = truth(value)
        if kind is float and isinstance(value, (int, str)) and not isinstance(value, bool):
            value = float(value)
    except (ValueError, OverflowError):
        pass
    if type(value) is not kind:
        raise ConfigError(f"{where}: {key} must be of type {kind.__name__}, got {shown(value)}")
    low, high = item.metadata["low"], item.metadata["high"]
    if low is not None and not low <= value <= high:
        raise ConfigError(f"{where}: {key} = {shown(value)} is outside [{low}, {high}]")
    choices = item.metadata["choices"]
    if choices is not None and value not in choices:
        raise ConfigError(f"{where}: {key} is {shown(value)}, expected one of {', '.join(choices)}")
    return value
