"""A user that has logged in: its access token is renewed before it expires."""

from __future__ import annotations

import threading
import time
from typing import Any, Callable, NamedTuple, Optional

from .errors import Asked, BursarError
from .repeats import is_unavailable

# Renewed that many seconds before it expires, so that no request meets its end on the way.
_MARGIN = 30.0
# A refresh token may be sent again for ten seconds when its answer was lost: two attempts fit.
_REFRESH_TIMEOUT = 4.0


class Tokens(NamedTuple):
    """A user's tokens, to go on with after a restart. They are secrets."""

    access_token: str
    refresh_token: str


class Session:
    """Made by log_in or resume_session; threads may share it."""

    def __init__(
        self,
        send: Callable[..., Any],
        tokens: Tokens,
        expires_in: float,
        on_tokens: Optional[Callable[[Tokens], None]],
        now: Callable[[], float],
    ) -> None:
        self._send = send
        self._tokens = tokens
        self._on_tokens = on_tokens
        self._now = now
        self._renew_at = now() + expires_in - _MARGIN
        self._lock = threading.Lock()

    def tokens(self) -> Tokens:
        """The tokens as they are now."""
        return self._tokens

    def access_token(self) -> str:
        """A valid access token: a new one when the last is about to expire."""
        with self._lock:
            return self._tokens.access_token if self._now() < self._renew_at else self._refresh()

    def renew(self, spent: str) -> str:
        """A token in place of one that was refused. Calls at the same time share one."""
        with self._lock:
            return self._refresh() if spent == self._tokens.access_token else self._tokens.access_token

    def log_out(self) -> None:
        """Ends the session: its tokens are refused from then on."""
        self._send("POST", "/identity/v1/auth/logout", body={"refreshToken": self._tokens.refresh_token})

    def _refresh(self) -> str:
        try:
            granted = self._ask_for_next()
        except BursarError as error:
            # Its answer was lost: the gateway gives the same successor for a moment.
            if not is_unavailable(error.status):
                raise
            granted = self._ask_for_next()
        tokens = Tokens(granted["accessToken"], granted["refreshToken"])
        if self._on_tokens:
            self._on_tokens(tokens)
        self._tokens = tokens
        self._renew_at = self._now() + granted["expiresIn"] - _MARGIN
        return tokens.access_token

    def _ask_for_next(self) -> Any:
        body = {"refreshToken": self._tokens.refresh_token}
        return self._send("POST", "/identity/v1/auth/refresh", body=body, timeout=_REFRESH_TIMEOUT).data["data"]


def log_in(
    base_url: str,
    email: str,
    password: str,
    code: Optional[Callable[[], str]] = None,
    on_tokens: Optional[Callable[[Tokens], None]] = None,
    now: Callable[[], float] = time.monotonic,
) -> Session:
    """
    Logs a user in. `code` gives six digits of the authenticator or a recovery code, of users who have a second factor;
    `on_tokens` is called with each new pair before it is used.
    """
    send = _anonymous(base_url)
    granted = send("POST", "/identity/v1/auth/login", body={"email": email, "password": password}).data["data"]
    if granted.get("mfaRequired"):
        if code is None:
            asked = Asked("POST /identity/v1/auth/login", "", None)
            raise BursarError(asked, 401, "SECOND_FACTOR_REQUIRED", "the user has a second factor: give `code`")
        proof = {"challenge": granted["challenge"], "code": code()}
        granted = send("POST", "/identity/v1/auth/mfa", body=proof).data["data"]
    tokens = Tokens(granted["accessToken"], granted["refreshToken"])
    if on_tokens:
        on_tokens(tokens)
    return Session(send, tokens, granted["expiresIn"], on_tokens, now)


def resume_session(
    base_url: str,
    tokens: Tokens,
    on_tokens: Optional[Callable[[Tokens], None]] = None,
    now: Callable[[], float] = time.monotonic,
) -> Session:
    """Goes on with a session by tokens that were stored."""
    return Session(_anonymous(base_url), tokens, float("inf"), on_tokens, now)


def _anonymous(base_url: str) -> Callable[..., Any]:
    from .calls import Bursar

    return Bursar(base_url).send
