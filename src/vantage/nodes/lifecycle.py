"""Nodes that own a device or a model: configured, activated and released on request, or by themselves."""

from __future__ import annotations

from rclpy.context import Context
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from rclpy.parameter import Parameter

from vantage.errors import VantageError
from vantage.nodes.parameters import declare
from vantage.nodes.running import leave


class ManagedNode(LifecycleNode):
    """A lifecycle node whose transitions raise errors in words; with ``autostart`` it needs no manager.

    Subclasses override ``acquire``, ``activate``, ``deactivate`` and ``release``; the last must be harmless when
    repeated.
    """

    def __init__(self, name: str, context: Context, parameters: list[Parameter] | None = None) -> None:
        super().__init__(
            name,
            context=context,
            parameter_overrides=parameters,
            automatically_declare_parameters_from_overrides=True,
        )
        self._autostart: bool = declare(self, "autostart", True, "configure and activate without a lifecycle manager")
        self._failure: VantageError | None = None
        self.starting = self._autostart  # until ``start`` is over

    def acquire(self) -> None:
        """Take what the node owns."""

    def activate(self) -> None:
        """Begin to work."""

    def deactivate(self) -> None:
        """Pause."""

    def release(self) -> None:
        """Give back what ``acquire`` took."""

    def start(self) -> None:
        """Configure and activate where ``autostart`` says so.

        Raises:
            VantageError: what kept the node from starting.
        """
        if not self._autostart:
            return
        try:
            for transition in (self.trigger_configure, self.trigger_activate):
                if transition() != TransitionCallbackReturn.SUCCESS:
                    raise self._failure or VantageError(f"{self.get_name()} did not start; its log says why")
        finally:
            self.starting = False

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        try:
            self.acquire()
        except VantageError as error:
            self.release()
            return self._refuse(error)
        return super().on_configure(state)

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        try:
            self.activate()
        except VantageError as error:
            return self._refuse(error)
        self.get_logger().info(f"{self.get_name()} is active")
        return super().on_activate(state)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        self.deactivate()
        return super().on_deactivate(state)

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        self.release()
        return super().on_cleanup(state)

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        self.deactivate()
        self.release()
        return super().on_shutdown(state)

    def destroy_node(self) -> None:
        self.release()
        leave(self)

    def _refuse(self, error: VantageError) -> TransitionCallbackReturn:
        self._failure = error
        self.get_logger().error(str(error))
        return TransitionCallbackReturn.FAILURE
