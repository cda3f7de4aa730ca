"""What of an answer that is no success is told to the program."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import Any, List, Mapping, NamedTuple, Optional

# The codes of statuses, for services whose errors have no code of their own (docs/api.md, Errors).
_CODES = {
    400: "INVALID_REQUEST",
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    409: "CONFLICT",
    413: "PAYLOAD_TOO_LARGE",
    422: "UNPROCESSABLE",
    429: "RATE_LIMITED",
    431: "HEADERS_TOO_LARGE",
    500: "INTERNAL_ERROR",
    502: "UPSTREAM_ERROR",
    503: "SERVICE_UNAVAILABLE",
    504: "UPSTREAM_TIMEOUT",
}


class FieldProblem(NamedTuple):
    """One field that was refused, and why; `field` is empty where the message alone names it."""

    field: str
    message: str


class Asked(NamedTuple):
    """What was asked. `operation` is the route, without ids and credentials."""

    operation: str
    request_id: str
    idempotency_key: Optional[str]
    #: Whether an attempt before this one may have been carried out.
    was_lost: bool = False


class ListError(Exception):
    """The server has answered what no list answers: a page again, no records, or records without an id."""


class BursarError(Exception):
    """An answer that is no success, or none at all. Its text is for people; programs decide by status and code."""

    def __init__(
        self,
        asked: Asked,
        status: int,
        code: str,
        message: str,
        fields: Optional[List[FieldProblem]] = None,
        details: Any = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(f"{asked.operation}: {message}")
        #: The HTTP status; 0 where no answer came, or none that can be read.
        self.status = status
        #: The service's own, or that of the status; `NO_ANSWER` for status 0.
        self.code = code
        self.fields = fields or []
        self.details = details
        #: What the server asks to wait, in seconds; None where it does not say.
        self.retry_after = retry_after
        self.operation = asked.operation
        #: What logs and events call the request: tell it to the operators.
        self.request_id = asked.request_id
        #: The key that the request was sent with: the same request with it acts once.
        self.idempotency_key = asked.idempotency_key
        # The first request with the same key, which another call may have sent, is still running.
        is_running = status == 409 and retry_after is not None
        is_open = asked.was_lost or is_running or status == 0 or status >= 500
        #: Whether a write may have been carried out nevertheless, by this attempt or one before it: repeat it with its
        #: key, or look it up.
        self.is_uncertain = is_open and not asked.operation.startswith("GET ")


def refusal(asked: Asked, status: int, headers: Mapping[str, str], body: Any) -> BursarError:
    """The error of an answer in any of the three forms of the services, in that of OAuth (RFC 6749, 5.2), or in none."""
    whole = body if isinstance(body, dict) else {}
    error = whole.get("error")
    own = error if isinstance(error, dict) else {}
    # The third form has the name of the status in `error`, which adds nothing to its message.
    description = whole.get("error_description")
    forms = (own.get("message"), whole.get("message"), description, error)
    said = next((each for each in forms if each is not None), None)
    sentences = [each for each in (said if isinstance(said, list) else [said]) if isinstance(each, str) and each]
    details = own.get("details", whole.get("details"))
    fields = _fields(details)
    if not fields and len(sentences) > 1:
        fields = [FieldProblem("", each) for each in sentences]
    code = error if isinstance(description, str) else own.get("code")
    return BursarError(
        asked,
        status,
        code if isinstance(code, str) and code else _CODES.get(status, f"HTTP_{status}"),
        "; ".join(sentences) or f"it was answered with status {status}",
        fields,
        details,
        retry_after(headers),
    )


def no_answer(asked: Asked, cause: BaseException) -> BursarError:
    """The error of a request without a usable answer: what happened to it is not known."""
    words = "it took too long" if _is_timeout(cause) else str(cause) or type(cause).__name__
    return BursarError(asked, 0, "NO_ANSWER", f"no usable answer came ({words})")


def _is_timeout(cause: BaseException) -> bool:
    return isinstance(cause, TimeoutError) or isinstance(getattr(cause, "reason", None), TimeoutError)


def _fields(details: Any) -> List[FieldProblem]:
    found = [each for each in details if isinstance(each, dict)] if isinstance(details, list) else []
    texts = [(each.get("field"), each.get("message")) for each in found]
    return [FieldProblem(field, text) for field, text in texts if isinstance(field, str) and isinstance(text, str)]


def retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """`Retry-After` in seconds: a number, or a date, which is compared with the server's own clock."""
    text = (headers.get("retry-after") or "").strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        pause = parsedate_to_datetime(text) - parsedate_to_datetime(headers.get("date") or "")
        return max(0.0, pause.total_seconds())
    except (TypeError, ValueError, IndexError):
        return None
