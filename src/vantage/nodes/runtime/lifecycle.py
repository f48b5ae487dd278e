"""Nodes that own a device or a model: configured, activated and released on request, or by themselves."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from rclpy.context import Context
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from rclpy.parameter import Parameter

from vantage.errors import VantageError
from vantage.nodes.runtime.callbacks import callbacks_of, defer
from vantage.nodes.runtime.parameters import declare
from vantage.nodes.runtime.running import leave


class ManagedNode(LifecycleNode):
    """A lifecycle node whose transitions raise errors in words; with ``autostart`` it needs no manager.

    Subclasses override ``acquire``, ``activate``, ``deactivate`` and ``release``; the last must be harmless when
    repeated. They run in a job queue of their own, one transition at a time, so that the node hears a stop meanwhile;
    what callbacks and other job queues still need they must wait for before they take it away.
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
        self._one_transition = threading.RLock()
        self.starting = self._autostart  # until ``start`` is over
        self._change = self._service_change_state.callback
        defer(self, self._service_change_state, self._on_change_state, callbacks_of(self).job_queue("transition"))

    def acquire(self) -> None:
        """Take what the node owns."""

    def activate(self) -> None:
        """Begin to work."""

    def deactivate(self) -> None:
        """Pause, once what is under way has ended.

        Raises:
            VantageError: it did not end in time; the node stays active.
        """

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
            with self._one_transition:
                for state, transition in (
                    ("unconfigured", self.trigger_configure),
                    ("inactive", self.trigger_activate),
                ):
                    # A manager may have been faster.
                    if self._state_machine.current_state[1] != state:
                        continue
                    if transition() != TransitionCallbackReturn.SUCCESS:
                        raise self._failure or VantageError(f"{self.get_name()} did not start; its log says why")
        finally:
            self.starting = False

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        done = self._try(self.acquire)
        if done != TransitionCallbackReturn.SUCCESS:
            self.release()
            return done
        return super().on_configure(state)

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        done = self._try(self.activate)
        if done != TransitionCallbackReturn.SUCCESS:
            return done
        self.get_logger().info(f"{self.get_name()} is active")
        return super().on_activate(state)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        done = self._try(self.deactivate)
        return super().on_deactivate(state) if done == TransitionCallbackReturn.SUCCESS else done

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        done = self._try(self.release)
        return super().on_cleanup(state) if done == TransitionCallbackReturn.SUCCESS else done

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        for end in (self.deactivate, self.release):
            done = self._try(end)
            if done != TransitionCallbackReturn.SUCCESS:
                return done
        return super().on_shutdown(state)

    def destroy_node(self) -> None:
        self.release()
        leave(self)

    def _on_change_state(self, request: Any, response: Any) -> Any:
        try:
            with self._one_transition:
                return self._change(request, response)
        except RuntimeError as error:  # of rclpy: there is no such transition from where the node is
            which = request.transition.label or request.transition.id
            self.get_logger().warning(f"transition '{which}' is not possible now: {str(error).splitlines()[0]}")
            return response

    def _try(self, step: Callable[[], None]) -> TransitionCallbackReturn:
        try:
            step()
        except VantageError as error:
            self._failure = error
            self.get_logger().error(str(error))
        except Exception as error:
            self._failure = VantageError(callbacks_of(self).failed("a transition", error))
        else:
            return TransitionCallbackReturn.SUCCESS
        return TransitionCallbackReturn.FAILURE
