"""A program that proves itself by OAuth 2.0 client credentials (RFC 6749, 4.4)."""

from __future__ import annotations

import base64
import threading
import time
import urllib.parse
import urllib.request
import uuid
from typing import Any, Callable, Optional

from .errors import Asked, BursarError
from .repeats import is_unavailable

# Renewed that many seconds before it expires, so that no request meets its end on the way.
_MARGIN = 30.0


class ClientCredentials:
    """
    Access tokens of a program, for `session` of Bursar; threads may share it. `client_id` is the participant's id,
    `client_secret` one of its API keys. The first token is asked for with the first call, the next before it expires.
    """

    def __init__(
        self, base_url: str, client_id: str, client_secret: str, now: Callable[[], float] = time.monotonic
    ) -> None:
        # Both are encoded first (RFC 6749, 2.3.1).
        pair = f"{urllib.parse.quote(client_id, safe='')}:{urllib.parse.quote(client_secret, safe='')}"
        self._authorization = "Basic " + base64.b64encode(pair.encode()).decode()
        self._url = base_url.rstrip("/") + "/oauth/token"
        self._now = now
        self._lock = threading.Lock()
        self._token: Optional[str] = None
        self._renew_at = 0.0

    def access_token(self) -> str:
        """A valid access token: a new one when the last is about to expire."""
        with self._lock:
            return self._token if self._token is not None and self._now() < self._renew_at else self._next()

    def renew(self, spent: str) -> str:
        """A token in place of one that was refused. Calls at the same time share one."""
        with self._lock:
            return self._next() if self._token is None or spent == self._token else self._token

    def _next(self) -> str:
        try:
            issued = self._ask()
        except BursarError as error:
            # Its answer was lost: another token does no harm.
            if not is_unavailable(error.status):
                raise
            issued = self._ask()
        token: str = issued["access_token"]
        self._token = token
        self._renew_at = self._now() + issued["expires_in"] - _MARGIN
        return token

    def _ask(self) -> Any:
        from .calls import attempt

        asked = Asked("POST /oauth/token", str(uuid.uuid4()), None)
        headers = {
            "accept": "application/json",
            "authorization": self._authorization,
            "content-type": "application/x-www-form-urlencoded",
            "user-agent": "bursar-client-python",
            "x-request-id": asked.request_id,
        }
        request = urllib.request.Request(self._url, b"grant_type=client_credentials", headers, method="POST")
        return attempt(request, asked, 30.0, 1).data
