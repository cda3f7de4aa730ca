"""Calls Bursar, a platform for payments in digital assets, through its gateway."""

from .calls import Answer, Bursar
from .client_credentials import ClientCredentials
from .errors import BursarError, FieldProblem, ListError
from .repeats import Repeats
from .session import Session, Tokens, log_in, resume_session
from .webhooks import Delivery, WebhookError, verify_webhook

__all__ = [
    "Answer",
    "Bursar",
    "BursarError",
    "ClientCredentials",
    "Delivery",
    "FieldProblem",
    "ListError",
    "Repeats",
    "Session",
    "Tokens",
    "WebhookError",
    "log_in",
    "resume_session",
    "verify_webhook",
]
