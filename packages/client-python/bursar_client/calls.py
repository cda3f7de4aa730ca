"""Sends requests to the gateway, and repeats them where that is safe."""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from decimal import Decimal
from typing import Any, Callable, Dict, Iterator, Mapping, NamedTuple, Optional, Union

from .client_credentials import ClientCredentials
from .errors import Asked, BursarError, no_answer, refusal
from .lists import list_all
from .repeats import Repeats, may_repeat, pause_of
from .routes import ROUTES
from .session import Session


class Answer(NamedTuple):
    """A success. `attempts` is how often the request was sent."""

    data: Any
    status: int
    headers: Mapping[str, str]
    attempts: int


class World(NamedTuple):
    """Where time and chance come from. Tests give their own."""

    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random
    now: Callable[[], float] = time.monotonic


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Credentials go to no other place: a redirect is an error."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


class Bursar:
    """Calls the platform through its gateway. Calls raise BursarError where they do not succeed."""

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        session: Union[Session, ClientCredentials, None] = None,
        timeout: float = 30.0,
        repeats: Repeats = Repeats(),
        world: World = World(),
    ) -> None:
        self._base_url = base_url.rstrip("/")
        if api_key is not None and not re.fullmatch(r"[\x21-\x7e]+", api_key):
            raise ValueError("an API key is visible ASCII characters alone: a line's end may stand behind it")
        self._api_key = api_key
        self._session = session
        self._timeout = timeout
        self._repeats = repeats
        self._world = world

    def get(self, path: str, **given: Any) -> Any:
        return self.send("GET", path, **given).data

    def post(self, path: str, **given: Any) -> Any:
        return self.send("POST", path, **given).data

    def put(self, path: str, **given: Any) -> Any:
        return self.send("PUT", path, **given).data

    def patch(self, path: str, **given: Any) -> Any:
        return self.send("PATCH", path, **given).data

    def delete(self, path: str, **given: Any) -> Any:
        return self.send("DELETE", path, **given).data

    def list(self, path: str, **given: Any) -> Iterator[Any]:
        """All records of a list, its pages asked for as they are needed."""
        return list_all(self.send, path, **given)

    def send(
        self,
        method: str,
        path: str,
        ids: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Answer:
        """
        Sends a request and resolves with its whole answer. `path` is the route as the documents have it; `ids` fill its
        braces. `idempotency_key`, for a POST that takes one: without it the client makes one for the repeats of this call.
        """
        operation = f"{method} {path}"
        key = _key_of(operation, idempotency_key)
        url = self._base_url + _filled(operation, path, ids or {}) + _query_text(query or {})
        asked = Asked(operation, str(uuid.uuid4()), key)
        data = None if body is None else json.dumps(body, default=_plain).encode()
        ends_at = self._world.now() + self._repeats.patience
        lost: Optional[BursarError] = None
        was_renewed = False
        sent = 0
        while True:
            sent += 1
            token = self._token(lost)
            headers = self._headers(asked, token, has_body=data is not None)
            request = urllib.request.Request(url, data=data, headers=headers, method=method)
            try:
                return attempt(request, asked._replace(was_lost=lost is not None), timeout or self._timeout, sent)
            except BursarError as error:
                # Whoever is refused has done nothing: any request may be sent again.
                if error.code == "TOKEN_EXPIRED" and token and not was_renewed:
                    was_renewed = True
                    self._token(lost, spent=token)
                    continue
                if error.is_uncertain:
                    lost = error
                is_repeatable = method == "GET" or key is not None
                if sent >= self._repeats.attempts or not may_repeat(error, is_repeatable):
                    raise
                pause = pause_of(sent, error, self._repeats, self._world.random)
                if self._world.now() + pause > ends_at:
                    raise
            self._world.sleep(pause)

    def _token(self, lost: Optional[BursarError], spent: Optional[str] = None) -> Optional[str]:
        """
        An access token, in place of the one that is spent. Without one nothing more is learnt of what was sent before: the
        error of that is raised, which has the key.
        """
        if self._session is None:
            return None
        try:
            return self._session.access_token() if spent is None else self._session.renew(spent)
        except Exception:
            if lost is None:
                raise
            raise lost from None

    def _headers(self, asked: Asked, token: Optional[str], has_body: bool) -> Dict[str, str]:
        headers = {"accept": "application/json", "user-agent": "bursar-client-python", "x-request-id": asked.request_id}
        if has_body:
            headers["content-type"] = "application/json"
        if self._api_key is not None:
            headers["x-api-key"] = self._api_key
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        if asked.idempotency_key is not None:
            headers["idempotency-key"] = asked.idempotency_key
        return headers


def attempt(request: urllib.request.Request, asked: Asked, timeout: float, sent: int) -> Answer:
    """Sends a request once."""
    try:
        try:
            with _opener.open(request, timeout=timeout) as response:
                return Answer(_read(asked, response), response.status, response.headers, sent)
        except urllib.error.HTTPError as answer:
            with answer:
                text = answer.read()
            raise refusal(asked, answer.code, answer.headers, _json_or_none(text)) from None
    except (OSError, http.client.HTTPException, ValueError) as cause:
        raise no_answer(asked, cause) from cause


def _read(asked: Asked, response: http.client.HTTPResponse) -> Any:
    """What the route answers: JSON, with exact numbers, a text or a file; None where there is nothing. A page is no answer."""
    data = response.read()
    if response.status == 204:
        return None
    route = ROUTES.get(asked.operation)
    if route is None or route.answers == "json":
        return json.loads(data.decode("utf-8"), parse_float=Decimal)
    return data if route.answers == "bytes" else data.decode("utf-8")


def _json_or_none(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return format(value, "f")
    raise TypeError(f"{type(value).__name__} is no JSON")


def _key_of(operation: str, given: Optional[str]) -> Optional[str]:
    """The key of a POST that takes one. One for another route, or one that is none, would not make it repeatable."""
    route = ROUTES.get(operation)
    if given is not None and not re.fullmatch(r"[\x21-\x7e]{1,255}", given):
        raise ValueError(f"{operation}: an idempotency key is 1 to 255 visible ASCII characters")
    if route is None:
        raise ValueError(f"The platform has no route {operation}")
    if route.takes_key:
        return given if given is not None else str(uuid.uuid4())
    if given is not None:
        raise ValueError(f"{operation} takes no idempotency key: it may act twice when it is sent twice")
    return None


def _filled(operation: str, path: str, ids: Mapping[str, str]) -> str:
    """An id that the address would lose, or that would lead to another route, is refused."""
    for name, value in ids.items():
        if str(value) in ("", ".", ".."):
            raise ValueError(f"{operation}: {name} must not be {str(value)!r}")
        path = path.replace("{" + name + "}", urllib.parse.quote(str(value), safe=""))
    if "{" in path:
        raise ValueError(f"{operation}: ids must fill all braces of the path")
    return path


def _query_text(query: Mapping[str, Any]) -> str:
    words = {True: "true", False: "false"}
    given = [
        (name, words[value] if isinstance(value, bool) else value) for name, value in query.items() if value is not None
    ]
    return "?" + urllib.parse.urlencode(given, quote_via=urllib.parse.quote) if given else ""
