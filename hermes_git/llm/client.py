"""The client of an OpenAI-compatible endpoint: one POST a reply, with retries, limits and timeouts that are bounded.

The only module here that touches the network, and the only one that imports httpx.
"""

from __future__ import annotations

import random
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hermes_git.errors import UserError
from hermes_git.llm import pace, wire
from hermes_git.llm.endpoint import Endpoint
from hermes_git.llm.pace import Patience
from hermes_git.llm.protocol import ChatError, Message, Reply, Sampling, Tool
from hermes_git.version import __version__

if TYPE_CHECKING:
    import httpx

PATIENT = Patience()
MAX_REPLY = 16 * 1024 * 1024
"""Largest response that is read."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one client: seconds for a request, requests at the same time, and how patiently it tries again.

    `seconds` is all the time that one request has, from looking up the host's name to the last byte of the response.
    """

    seconds: float = 300.0
    connect_seconds: float = 20.0
    at_once: int = 4
    patience: Patience = PATIENT


class Client:
    """A model behind an endpoint; closing it closes its connections.

    `draw` gives numbers from 0 to 1 for the jitter; `sleep` and `clock` (seconds, monotonic) can be replaced in tests.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        limits: Limits = Limits(),
        *,
        draw: Callable[[], float] | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        from hermes_git.llm.loop import Loop  # asyncio is loaded only where a model is asked

        self.endpoint, self.limits = endpoint, limits
        self._draw = draw or random.SystemRandom().random
        self._sleep, self._clock = sleep, clock
        self._http, self._loop = _http(endpoint, limits), Loop()
        self._end = weakref.finalize(self, self._loop.end, self._http.aclose)  # whoever holds the protocol cannot close
        self._places = threading.BoundedSemaphore(limits.at_once)
        self._lock, self._not_before = threading.Lock(), 0.0

    @property
    def model(self) -> str:
        """Return the name of the model."""
        return self.endpoint.model

    def close(self) -> None:
        """Close the connections."""
        self._end()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        sampling: Sampling = Sampling(),  # noqa: B008 - a frozen value
    ) -> Reply:
        """Ask for a reply; try again, with growing pauses, what may pass; raise `ChatError` when it does not."""
        body = wire.encode_body(wire.request(self.model, messages, tools, sampling))
        patience = self.limits.patience
        attempt = 1
        while True:
            try:
                return self._once(body, attempt)
            except _Again as again:
                pause = again.pause if again.pause is not None else pace.backoff(patience, attempt, self._draw)
                if attempt >= patience.attempts or pause > patience.most_asked:
                    raise self._given_up(again, attempt, pause) from again.__cause__
            self._sleep(pause)
            attempt += 1

    def _given_up(self, again: _Again, attempts: int, pause: float) -> ChatError:
        error = again.error
        asked = f"; the endpoint asks to wait {pause:,.0f} s" if pause > self.limits.patience.most_asked else ""
        tried = f" after {attempts} attempts" if attempts > 1 else ""
        return ChatError(
            error.kind,
            f"{error.message}{tried}{asked}",
            attempts=attempts,
            hint="run it again later, or with fewer workers",
            where=self.endpoint.url,
        )

    def _once(self, body: bytes, attempt: int) -> Reply:
        """Make one request; raise `_Again` where another one may succeed, `ChatError` where none can."""
        with self._places:
            self._wait_for_limits()
            status, headers, data = self._post(body)
        now = datetime.now(UTC)
        self._hold_back(pace.exhausted(headers, now))
        if status in pace.RETRIED:
            kind = wire.kind_of(status)
            pause = pace.asked(headers, now)
            self._hold_back(min(pause or 0.0, self.limits.patience.most_asked) if kind == "rate-limit" else 0.0)
            raise _Again(ChatError(kind, f"HTTP {status}: {wire.said(data)}"), pause)
        if status != 200:
            raise self._refused(f"HTTP {status}: {wire.said(data)}", attempt, status)
        try:
            found = wire.reply(data)
        except ChatError as error:
            if error.kind == "refused":
                raise self._refused(error.message, attempt, status) from error
            raise _Again(error, None) from error
        return Reply(
            found.text,
            found.reasoning,
            found.tool_calls,
            found.finish_reason,
            found.usage,
            found.model or self.model,
            attempt,
        )

    def _refused(self, message: str, attempts: int, status: int) -> ChatError:
        hint = _hint(status, self.endpoint)
        return ChatError("refused", message, attempts=attempts, hint=hint, where=self.endpoint.url)

    def _wait_for_limits(self) -> None:
        with self._lock:
            pause = self._not_before - self._clock()
        if pause > 0:
            self._sleep(pause)

    def _hold_back(self, seconds: float) -> None:
        """Let no further request start before the limit that this reply reports is reset."""
        if seconds > 0:
            bounded = min(seconds, self.limits.patience.most_asked)
            with self._lock:
                self._not_before = max(self._not_before, self._clock() + bounded)

    def _post(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        """Return status, headers and body of the response; a server that drips does not keep us for ever."""
        with _spoken(self.limits):
            return self._loop.run(_response(self._http, body, self.endpoint.url), self.limits.seconds)


async def _response(http: httpx.AsyncClient, body: bytes, where: str) -> tuple[int, Mapping[str, str], bytes]:
    """Make one request and read its response, to a bound of size."""
    parts, size = [], 0
    async with http.stream("POST", "chat/completions", content=body) as response:
        async for part in response.aiter_bytes():
            parts.append(part)
            size += len(part)
            if size > MAX_REPLY:
                raise ChatError("too-large", f"the response is longer than {MAX_REPLY:,} bytes", where=where)
    return response.status_code, response.headers, b"".join(parts)


class _Again(Exception):
    """One attempt failed in a way that may pass; `pause` is what the endpoint asks for, None where it says nothing."""

    def __init__(self, error: ChatError, pause: float | None) -> None:
        super().__init__(error.message)
        self.error, self.pause = error, pause


@contextmanager
def _spoken(limits: Limits) -> Iterator[None]:
    """Turn what httpx raises into what this module says."""
    import httpx

    try:
        yield
    except httpx.ConnectTimeout as error:
        raise _Again(ChatError("timeout", f"no connection within {limits.connect_seconds:g} s"), None) from error
    except TimeoutError as error:
        raise _Again(ChatError("timeout", f"no whole response within {limits.seconds:g} s"), None) from error
    except httpx.DecodingError as error:
        raise _Again(ChatError("malformed", f"the response cannot be unpacked: {error}"), None) from error
    except httpx.TransportError as error:
        raise _Again(ChatError("unreachable", f"{type(error).__name__}: {error}"), None) from error


def _http(endpoint: Endpoint, limits: Limits) -> httpx.AsyncClient:
    """Make the connection pool: no redirects, so that a key goes nowhere else; no proxy to this machine itself."""
    try:
        import httpx
    except ImportError as error:
        raise UserError("the client of models is not installed", hint="pip install 'hermes-git[llm]'") from error
    headers = {"content-type": "application/json", "user-agent": f"hermes-git/{__version__}"}
    if endpoint.key:
        headers["authorization"] = f"Bearer {endpoint.key}"
    return httpx.AsyncClient(
        base_url=endpoint.url + "/",
        headers=headers,
        timeout=httpx.Timeout(None, connect=limits.connect_seconds),  # the whole has one deadline
        limits=httpx.Limits(max_connections=limits.at_once),
        trust_env=not endpoint.is_local,
    )


def _hint(status: int, endpoint: Endpoint) -> str:
    if status in (401, 403):
        key = f"the key in {endpoint.key_variable}" if endpoint.key_variable else "hermes-git.llm.keyVariable"
        return f"check {key}"
    if status == 404:
        return "check hermes-git.llm.endpoint (it ends before /chat/completions) and hermes-git.llm.model"
    if 300 <= status < 400:
        return "redirects are not followed; name the final address in hermes-git.llm.endpoint"
    return "the endpoint refuses this request; asking again would change nothing"
