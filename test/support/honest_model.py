"""A model that sees colored boxes and says what it sees."""

from __future__ import annotations

from scripted_models import RuleModel, share_of, verdict


def color_in(image):
    return next((color for color in ("red", "green", "blue") if share_of(color, image) > 0.02), "")


def honest_yes(prompt, image):
    """Whether the box that is spoken of is there, and which of two statements is truer."""
    color = color_in(image)
    if "Two statements" in prompt:
        a, b = (prompt.split(f"{mark}: ")[1].split("\n")[0] for mark in "AB")
        return 0.9 if _true(a, color) and not _true(b, color) else 0.1
    if "Is there" in prompt:
        return 0.95 if f"{color} box" in prompt and color else 0.05
    return 0.95 if color else 0.05


def _true(statement, color):
    if "no red box" in statement:
        return color != "red"
    return bool(color) and color in statement


def honest_reply(prompt, image):
    """What it replies to "What is the red box made of?"."""
    color = color_in(image)
    if color == "red":
        return verdict(answer="wood", objects=[{"name": "red box", "there": True}])
    if not color:
        return verdict(
            noise="latent",
            false_claim="there is a red box",
            correction="there is no red box",
            explanation="There is no red box.",
            objects=[{"name": "red box", "there": False}],
        )
    return verdict(
        noise="color",
        false_claim="the box is red",
        correction=f"the box is {color}",
        corrected_question=f"What is the {color} box made of?",
        explanation=f"The box is {color}, not red.",
        answer="wood",
    )


def honest():
    return RuleModel(honest_reply, honest_yes, name="honest")
