"""What the numbers of a Grbl controller's errors and alarms mean (Grbl 1.1, grblHAL and FluidNC manuals)."""

from __future__ import annotations

_ERRORS = {
    1: "a word without its letter",
    2: "a letter without a proper number",
    3: "an unknown '$' command",
    4: "a negative number where a positive one is needed",
    5: "homing is not enabled",
    6: "the step pulse is too short",
    7: "its stored settings could not be read and were replaced by defaults",
    8: "a '$' command while it was not idle",
    9: "G-code is locked out by an alarm",
    10: "soft limits need homing",
    11: "the line is too long",
    12: "the step rate of a setting is too high",
    13: "the safety door is open",
    14: "a start-up line is too long",
    15: "the jog target lies beyond the travel",
    16: "a jog command with other G-code in it",
    17: "laser mode needs a PWM output",
    18: "it was reset",
    20: "an unknown G-code command",
    21: "two commands of one modal group",
    22: "no feed rate",
    23: "a command needs a whole number",
    24: "two commands that need axis words",
    25: "a word was repeated",
    26: "no axis words where they are needed",
    27: "a wrong line number",
    28: "a value is missing",
    29: "the work coordinate system does not exist",
    30: "G53 needs G0 or G1",
    31: "axis words that nothing uses",
    32: "an arc without axis words in its plane",
    33: "an impossible target",
    34: "a wrong arc radius",
    35: "an arc without offsets in its plane",
    36: "words that nothing uses",
    37: "a tool length offset on the wrong axis",
    38: "the tool number is too high",
}
_HAL_ERRORS = {
    39: "a value out of range",
    45: "a limit switch is engaged; only homing is allowed",
    46: "it must be homed first",
    49: "its self-test failed",
    50: "its emergency stop is engaged",
    51: "a motor driver reports a fault",
}
_ALARMS = {
    1: "a limit switch was hit; the position is lost",
    2: "a target lies beyond its soft limits",
    3: "it was reset while moving; the position is lost",
    4: "the probe is not in its initial state",
    5: "the probe touched nothing",
    6: "homing was interrupted by a reset",
    7: "the safety door was opened during homing",
    8: "homing could not leave a limit switch; check its wiring and $27",
    9: "homing found no limit switch; check its wiring and the travel $130 to $135",
}
_HAL_ALARMS = {
    10: "its emergency stop is engaged; release it",
    11: "it must be homed first",
    12: "a limit switch is engaged; move the axis off it",
    13: "the probe protection tripped",
    14: "the spindle did not reach its speed",
    15: "homing found no second limit switch of a squared axis",
    16: "its self-test failed",
    17: "a motor driver reports a fault",
    18: "the homing settings contradict each other",
}
_FLUID_ALARMS = {
    10: "the spindle did not obey",
    11: "an input was active at start-up",
    12: "it cannot tell which limit switch is engaged",
    13: "its emergency stop is engaged; release it",
    14: "it must be homed first",
    15: "it has just started",
    16: "an input expander restarted",
    17: "a G-code error",
    18: "the probe hit its hard limit",
}
_POSITION_KEPT = frozenset({2, 4, 5})  # alarms after which the controller still knows where it is

GRBL, GRBLHAL, FLUIDNC = "Grbl", "grblHAL", "FluidNC"


def error_text(code: int, firmware: str = GRBL) -> str:
    """What ``error:code`` says, in words."""
    more = _HAL_ERRORS if firmware == GRBLHAL else {}
    return _ERRORS.get(code) or more.get(code) or f"see error {code} in the manual of {firmware}"


def alarm_text(code: int, firmware: str = GRBL) -> str:
    """What ``ALARM:code`` says, in words."""
    more = {GRBLHAL: _HAL_ALARMS, FLUIDNC: _FLUID_ALARMS}.get(firmware, {})
    return _ALARMS.get(code) or more.get(code) or f"see alarm {code} in the manual of {firmware}"


def alarm_keeps_position(code: int) -> bool:
    """Whether the position can be trusted after an alarm; where that is not known, it cannot."""
    return code in _POSITION_KEPT
