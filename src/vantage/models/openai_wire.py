"""Requests to an OpenAI-compatible server within a deadline, however it fails: busy, cut, slow, endless or silent."""

from __future__ import annotations

import asyncio
import concurrent.futures
import math
import random
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

from vantage.addresses import is_loopback
from vantage.bounded_json import bounded_json
from vantage.errors import MissingExtraError, ModelError, NoServerError, RefusedCallError, SilentServerError
from vantage.models.openai_refusals import Refusal, refusal_of
from vantage.models.openai_replies import error_in, of_events
from vantage.models.protocol import Deadline

MOST_REPLY = 16 << 20  # bytes
_SHOWN = 200  # characters of what a server says
_BUSY = (408, 409, 425, 429, 500, 502, 503, 504, 529)
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 8.0  # s
_NEVER = ("response_format", "image", "multimodal", "mmproj")  # in what comes with HTTP 500: trying again is no use
_UNPAID = ("insufficient_quota", "exceeded your current quota", "insufficient balance", "insufficient credits")
_EVENTS = (b"data:", b"event:", b": ")  # how a reply begins that comes piece by piece
_GRACE = 5.0  # s in which a cancelled request must be gone


class RefusedError(Exception):
    """The server understood who asks and does not do what is asked.

    Attributes:
        refusal: what it says.
    """

    def __init__(self, refusal: Refusal, sentence: str) -> None:
        super().__init__(sentence)
        self.refusal = refusal


class _PassingError(Exception):
    """A failure that may pass; ``wait`` s are asked for by the server, if not None; ``unreached``: there was none."""

    def __init__(self, what: str, wait: float | None = None, unreached: bool = False) -> None:
        super().__init__(what)
        self.wait, self.unreached = wait, unreached


class Wire:
    """A client, and the thread on which its requests run. Nothing is sent to another origin than that of its URL."""

    def __init__(self, url: str, key: str, key_variable: str, retries: int) -> None:
        try:
            import httpx2
            import openai
        except ImportError as error:
            raise MissingExtraError(
                f"models behind a server need the extra 'openai' ({error}); run: make setup WITH=openai"
            ) from error
        self._openai, self._httpx = openai, httpx2
        try:
            self._origin = _origin(httpx2.URL(url))
        except (httpx2.InvalidURL, ValueError) as error:
            raise no_address(url) from error
        address = urlsplit(url)
        self._url = urlunsplit(address._replace(query="", fragment=""))
        self._query = dict(parse_qsl(address.query, keep_blank_values=True))
        self._key, self._key_variable, self._retries = key, key_variable, retries
        self._past_proxies = _past_proxies(address.hostname or "")
        proxy = "" if self._past_proxies else _proxy(address.scheme, address.hostname or "")
        self.where = f"the server at {address.netloc.rsplit('@', 1)[-1]}{proxy}"
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: Any = None
        with suppress(ModelError):  # which whoever calls first gets to hear
            client = self._made()  # now, because it takes longer than some calls may
            client.chat.completions, client.models  # noqa: B018 -- made when they are first asked for

    def send(self, body: Mapping[str, Any], deadline: Deadline) -> tuple[Any, int]:
        """The reply to a chat completion, parsed, and how often it was tried again, after failures that may pass.

        Raises:
            RefusedError: the server does not take this request.
            NoServerError: no connection could be made.
            SilentServerError: nothing came in time.
            RefusedCallError: it lets nobody in, redirects to another origin, or sends what is no JSON.
            ModelError: no reply, or not in time.
        """
        future: concurrent.futures.Future[tuple[Any, int]] = asyncio.run_coroutine_threadsafe(
            self._send(body, deadline), self._running()
        )
        try:
            return future.result(deadline.left + _GRACE)
        except (asyncio.TimeoutError, concurrent.futures.TimeoutError, TimeoutError) as error:  # three until 3.11
            future.cancel()
            raise self._silent(deadline) from error

    def knock(self, deadline: Deadline) -> None:
        """See whether anything answers at the address; what it says does not matter.

        Raises:
            NoServerError: no connection can be made.
            SilentServerError: nothing came in time.
            RefusedCallError: it redirects to another origin.
        """
        future = asyncio.run_coroutine_threadsafe(self._knock(deadline), self._running())
        try:
            future.result(deadline.left + _GRACE)
        except (asyncio.TimeoutError, concurrent.futures.TimeoutError, TimeoutError) as error:
            future.cancel()
            raise self._silent(deadline) from error

    async def _knock(self, deadline: Deadline) -> None:
        try:
            await asyncio.wait_for(self._made().models.with_raw_response.list(), deadline.left)
        except self._openai.APIConnectionError as error:
            cause = error.__cause__ or error
            if isinstance(cause, ModelError):  # of ``_stay``, which some versions of the client wrap
                raise cause from error
            if isinstance(cause, self._httpx.ConnectError):
                said = self._shown(str(cause)) or type(cause).__name__
                raise NoServerError(
                    f"{self.where} cannot be reached ({said}); check model.url and that the server runs"
                ) from error
        except (self._openai.OpenAIError, self._httpx.HTTPError):
            return  # it said something, if only that it lists no models

    def _running(self) -> asyncio.AbstractEventLoop:
        """The loop of a thread that ends with the process; connections are kept between requests."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="model requests", daemon=True).start()
            return self._loop

    async def _send(self, body: Mapping[str, Any], deadline: Deadline) -> tuple[Any, int]:
        for trial in range(self._retries + 1):
            try:
                return await asyncio.wait_for(self._once(body), deadline.left), trial
            except (asyncio.TimeoutError, TimeoutError) as error:
                raise self._silent(deadline) from error
            except _PassingError as failure:
                if trial == self._retries:
                    trials = f"{trial + 1} times" if trial else "once"
                    said = f"{self.where} failed {trials}, at last because {failure}"
                    if failure.unreached:
                        raise NoServerError(f"{said}; check model.url and that the server runs") from failure
                    raise ModelError(f"{said}; try again later") from failure
                wait = self._wait(trial, failure)
                if wait >= deadline.left:
                    if failure.unreached:
                        raise NoServerError(
                            f"{self.where} could not be reached within {deadline.seconds:g} s because {failure}; check "
                            "model.url and that the server runs"
                        ) from failure
                    raise self._late(deadline, str(failure)) from failure
                await asyncio.sleep(wait)
        raise AssertionError("range is never empty")

    def _made(self) -> Any:
        """The client, on the thread of the loop."""
        if self._client is None:
            try:
                http = self._openai.DefaultAsyncHttpxClient(
                    event_hooks={"response": [self._stay]}, mounts=self._past_proxies
                )
                self._client = self._openai.AsyncOpenAI(
                    base_url=self._url,
                    api_key=self._key or "none",
                    max_retries=0,
                    timeout=None,
                    default_query=self._query,
                    http_client=http,
                )
            except (self._httpx.InvalidURL, ValueError, ImportError) as error:
                raise ModelError(
                    f"no client can be made for {self.where}; check model.url and the proxies that the environment "
                    "names (ALL_PROXY and the like)"
                ) from error
        return self._client

    async def _stay(self, response: Any) -> None:
        """Refuse a redirect to another origin before the client follows it.

        Raises:
            RefusedCallError: it is one.
        """
        if not response.has_redirect_location:
            return
        location = response.headers["location"]
        try:
            target = response.request.url.join(location)
            if _origin(target) == self._origin:
                return
            location = str(target.copy_with(userinfo=b"", query=None, fragment=None))
        except (self._httpx.InvalidURL, ValueError):  # no address; the client would fail on it in its own words
            pass
        raise RefusedCallError(
            f"{self.where} redirects to another one ({self._shown(location)!a}), to which the question was not sent; "
            "set model.url to that address if it is meant"
        )

    async def _once(self, body: Mapping[str, Any]) -> Any:
        openai, client = self._openai, self._made()
        try:
            async with client.chat.completions.with_streaming_response.create(**body) as response:
                data = bytearray()
                async for part in response.iter_bytes():
                    data += part
                    if len(data) > MOST_REPLY:
                        raise RefusedCallError(
                            f"{self.where} sent more than {MOST_REPLY >> 20} MiB, so it is no chat completion"
                        )
        except openai.APIStatusError as error:
            raise self._status(error) from error
        except UnicodeError as error:
            raise ModelError(
                f"a prompt to {self.where} holds characters that no text has (lone surrogates); leave them out"
            ) from error
        except (openai.APIConnectionError, self._httpx.HTTPError) as error:
            cause = error.__cause__ or error
            if isinstance(cause, ModelError):  # of ``_stay``, which some versions of the client wrap
                raise cause from error
            said = self._shown(str(cause)) or type(cause).__name__
            unreached = isinstance(cause, self._httpx.ConnectError)
            raise _PassingError(f"the connection failed ({said})", unreached=unreached) from error
        try:
            document = of_events(data.decode()) if data.lstrip().startswith(_EVENTS) else bounded_json(bytes(data))
        except ValueError as error:
            shown = self._shown(bytes(data[: _SHOWN + 8 * len(self._key)]).decode(errors="replace"))
            raise RefusedCallError(
                f"{self.where} replied with {shown!r}, which is not JSON; check that model.url is the address of an "
                "OpenAI-compatible server"
            ) from error
        failed = error_in(document)
        if failed is not None:
            raise self._failure(*failed)
        return document

    def _status(self, error: Any) -> Exception:
        body = error.body if error.body is not None else str(error.message)
        return self._failure(int(error.status_code), body, error.response.headers.get("retry-after"))

    def _failure(self, status: int, body: Any, retry_after: str | None = None) -> Exception:
        """What a status other than success means, with the body that came along."""
        said, refusal = self._shown(_said(body)), refusal_of(status, body)
        if status in (401, 403):
            key = "was given" if self._key else "is not set"
            return RefusedCallError(
                f"{self.where} does not let this in (HTTP {status}); the environment variable "
                f"{self._key_variable} {key}, and must hold a valid key"
            )
        if status == 402 or any(word in said.lower() for word in _UNPAID):
            return RefusedCallError(
                f"{self.where} says that no more is paid for (HTTP {status}: {said}); check the account of its key"
            )
        if status in _BUSY and not (status == 500 and any(word in refusal.words for word in _NEVER)):
            return _PassingError(f"it said HTTP {status} ({said})", _asked_wait(retry_after))
        return RefusedError(refusal, f"{self.where} refused the request: HTTP {status} ({said})")

    def _wait(self, trial: int, failure: _PassingError) -> float:
        """s before the next trial: as asked for, or twice as long each time with some chance."""
        if failure.wait is not None:
            return failure.wait
        return min(_LONGEST_WAIT, _FIRST_WAIT * 2.0**trial) * random.uniform(0.75, 1.25)

    def _late(self, deadline: Deadline, why: str) -> ModelError:
        return ModelError(
            f"{self.where} did not reply within {deadline.seconds:g} s because {why}; raise model.timeout or try later"
        )

    def _silent(self, deadline: Deadline) -> ModelError:
        return SilentServerError(str(self._late(deadline, "it was silent")))

    def _shown(self, text: str) -> str:
        """On one line, not too long, and never with the key in it."""
        line = " ".join(text.split())
        if self._key:
            line = line.replace(self._key, "***").replace(repr(self._key)[1:-1], "***")
        return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."


def no_address(url: str) -> ModelError:
    """For what is no URL of a server; a password in it is not shown."""
    shown = url.rsplit("@", 1)[-1][:_SHOWN]
    return ModelError(f"model.url = {shown!a} is no address of a server; give one like http://127.0.0.1:8000/v1")


def _said(body: Any) -> str:
    """What a server says of a request that it did not carry out: its message, or the whole body where it has none."""
    for each in (body, body.get("error") if isinstance(body, Mapping) else None):
        message = each.get("message") if isinstance(each, Mapping) else each
        if isinstance(message, str) and message.strip():
            return message
    return str(body)


def _past_proxies(host: str) -> dict[str, None]:
    """For the client: a server on this machine is asked without a proxy."""
    return {f"all://{f'[{host}]' if ':' in host else host}": None} if is_loopback(host) else {}


def _proxy(scheme: str, host: str) -> str:
    """The proxy that the environment names for a host, as a part of a sentence; empty where there is none."""
    found = getproxies()
    named = found.get(scheme) or found.get("all")
    if not named or proxy_bypass(host):
        return ""
    try:
        proxy = urlsplit(named if "://" in named else f"//{named}").netloc.rsplit("@", 1)[-1]
    except ValueError:
        return ""
    return f" through the proxy at {proxy}, which the environment names,"


def _origin(url: Any) -> tuple[str, str, int | None]:
    """Of an ``httpx`` URL, which has no port where it is the usual one."""
    return url.scheme, url.host, url.port


def _asked_wait(header: str | None) -> float | None:
    """s that a Retry-After header asks for, given as a number or a date; None where it makes no sense."""
    if header is None:
        return None
    try:
        wait = float(header)
    except ValueError:
        try:
            wait = parsedate_to_datetime(header).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, wait) if math.isfinite(wait) else None
