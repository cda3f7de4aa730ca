"""When a request is sent again, and after how long."""

from __future__ import annotations

from typing import Callable, NamedTuple

from .errors import BursarError


class Repeats(NamedTuple):
    """How a client waits and repeats; times are in seconds."""

    #: How often a request is sent at most, the first time included.
    attempts: int = 5
    #: The longest of the first pause; each further one is twice as long, up to `longest_pause`.
    first_pause: float = 0.25
    longest_pause: float = 8.0
    #: How long after its start a request is sent again. One that would have to wait longer fails at once.
    patience: float = 60.0


def is_unavailable(status: int) -> bool:
    """No answer, or one that leaves open whether the request was carried out, and may be better next time."""
    return status in (0, 502, 503, 504)


def may_repeat(error: BursarError, is_repeatable: bool) -> bool:
    """
    A limit refuses before anything is done: any request may be sent again. A 409 that leaves it open says that its first
    sending is still under way.
    """
    if error.status == 429:
        return True
    return is_repeatable and (is_unavailable(error.status) or (error.status == 409 and error.is_uncertain))


def pause_of(failed: int, error: BursarError, repeats: Repeats, random: Callable[[], float]) -> float:
    """A random part of a growing pause, so that many clients do not come back together; and what the server asks for."""
    longest = min(repeats.longest_pause, repeats.first_pause * 2 ** (failed - 1))
    return (error.retry_after or 0.0) + random() * longest
