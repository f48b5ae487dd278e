"""Errors whose message is one sentence: what was wrong, where, and what to do."""


class VantageError(Exception):
    """Root of every error that Vantage raises on purpose."""


class UsageError(VantageError):
    """A command, a name or an option was wrong; the command line exits with 2."""


class UnknownNameError(UsageError):
    """A name that no registry entry has."""


class ConfigError(VantageError):
    """A configuration or scene file holds a wrong key or value."""


class FormatError(VantageError):
    """A data file is truncated, empty, of another kind or holds impossible values."""


class SceneError(VantageError):
    """A scene contradicts itself, its cloud or the request made of it."""


class EpisodeError(VantageError):
    """An episode cannot be run in the world it was given to."""


class WorldError(VantageError):
    """A world did not do what its protocol promises, for instance within its deadline."""


class CanceledError(WorldError):
    """What was waited for is not wanted any more."""


class RecordingError(VantageError):
    """A bag cannot be written or read."""


class ModelError(VantageError):
    """A model did not reply, not in time, not within its budget, or not in the form asked for."""


class RefusedCallError(ModelError):
    """A model, or its server, does not do what a call asks for, however often it is asked."""


class EmptyReplyError(ModelError):
    """A model replied, but with nothing."""


class UnusableReplyError(ModelError):
    """A model replied twice, and not in the form asked for."""


class NoServerError(ModelError):
    """The server of a model could not be reached at all: no such host, or nobody listens there."""


class SilentServerError(NoServerError):
    """The server of a model said nothing within the deadline."""


class MissingExtraError(VantageError):
    """An optional dependency is needed and not installed."""


class HardwareError(VantageError):
    """A motor controller, a camera or an arm did not do what it was asked, or went away."""


class StoppedError(HardwareError):
    """A motion ended early because a stop was requested."""


class UnreachableError(VantageError):
    """No joint positions within their limits put the camera where it should be."""
