"""Jobs that take longer than a callback may, done in threads of their own in the order of arrival."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

Job = Callable[[], None]


@dataclass
class _Entry:
    key: str
    job: Job | None  # None once newer work of the same key pushed it out


class JobQueue:
    """Jobs in the order in which they came; with one thread, one after the other. Thread-safe.

    Threads begin when there is work for them and end with the queue.

    Args:
        name: of its threads.
        failed: called with what a job raised.
        threads: jobs that may run at the same time.
        finishes: whether what waits when the queue is closed is still done.
    """

    def __init__(
        self, name: str, failed: Callable[[BaseException], None], threads: int = 1, finishes: bool = True
    ) -> None:
        self.name = name
        self._failed, self._most, self._finishes = failed, threads, finishes
        self._changed = threading.Condition()
        self._entries: deque[_Entry] = deque()
        self._waiting: dict[str, deque[_Entry]] = {}
        self._threads: set[threading.Thread] = set()
        self._idle = self._running = self._live = 0  # live: entries whose job is still to be done
        self._closed = False

    def submit(self, job: Job, key: str = "", most: int | None = None) -> bool:
        """Have a job done. With ``most``, the oldest waiting job of the same key gives way where that many wait.

        Returns:
            Whether no other job gave way and the queue is open.
        """
        with self._changed:
            if self._closed:
                return False
            entry = _Entry(key, job)
            alike = self._waiting.setdefault(key, deque())
            crowded = most is not None and len(alike) >= most
            if crowded:
                alike.popleft().job = None
                self._live -= 1
            alike.append(entry)
            self._entries.append(entry)
            self._live += 1
            if self._live > self._idle and len(self._threads) < self._most:  # an idle thread takes one job
                thread = threading.Thread(target=self._work, name=self.name, daemon=True)
                self._threads.add(thread)
                thread.start()
            self._changed.notify_all()
            return not crowded

    def waiting(self, key: str | None = None) -> int:
        """How many jobs of a key, or of all, wait for their turn."""
        with self._changed:
            return self._live if key is None else len(self._waiting.get(key, ()))

    @property
    def busy(self) -> bool:
        """Whether a job runs or waits."""
        with self._changed:
            return self._running + self._live > 0

    def drain(self, timeout: float) -> bool:
        """Wait until nothing runs and nothing waits; whether that came within ``timeout`` s.

        A job of this queue does not wait for itself.
        """
        own = threading.current_thread() in self._threads

        def quiet() -> bool:
            return self._running <= own and self._live == 0

        with self._changed:
            return self._changed.wait_for(quiet, timeout)

    def close(self, timeout: float) -> bool:
        """Take no more jobs and end; whether what runs, and what waits, ended within ``timeout`` s."""
        ends = time.monotonic() + timeout
        with self._changed:
            self._closed = True
            if not self._finishes:
                self._entries.clear()
                self._waiting.clear()
                self._live = 0
            self._changed.notify_all()
            threads = [thread for thread in self._threads if thread is not threading.current_thread()]
        for thread in threads:
            thread.join(max(0.0, ends - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._idle += 1
                self._changed.wait_for(lambda: self._entries or self._closed)
                self._idle -= 1
                if not self._entries:
                    return
                entry = self._entries.popleft()
                job = entry.job
                if job is None:
                    continue
                self._live -= 1
                alike = self._waiting[entry.key]
                alike.popleft()
                if not alike:
                    del self._waiting[entry.key]
                self._running += 1
            try:
                job()
            except BaseException as error:  # whatever it is, the next job is done
                with suppress(Exception):
                    self._failed(error)
            finally:
                job = entry.job = None  # what it held may be large
                with self._changed:
                    self._running -= 1
                    self._changed.notify_all()
