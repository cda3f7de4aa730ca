"""Verifies webhooks (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from decimal import Decimal
from typing import Any, Dict, List, Mapping, NamedTuple, Sequence, Union

_TOLERANCE = 5 * 60


class WebhookError(Exception):
    """The delivery is not the platform's, or too old: answer 400."""


class Delivery(NamedTuple):
    """A delivery whose signature is right."""

    #: The same for each repeat of a delivery: act once on each.
    id: str
    #: The body; its `type` says which event it is.
    event: Dict[str, Any]
    #: Whether the event was sent to test the endpoint: nothing has happened.
    is_test: bool


def verify_webhook(secret: Union[str, Sequence[str]], headers: Mapping[str, str], body: Union[bytes, str]) -> Delivery:
    """
    Verifies the signature by one of the endpoint's secrets, and that it was sent less than five minutes ago. `body` is the
    bytes as they came: parsed and written again they have another signature. Raises WebhookError.
    """
    keys = [_key_of(each) for each in ([secret] if isinstance(secret, str) else secret)]
    given = {name.lower(): value for name, value in headers.items()}
    delivery, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    signatures = given.get("webhook-signature", "").split(" ")
    # Longer ones are no times, and Python refuses to read the longest.
    if not delivery or not re.fullmatch("[0-9]{1,15}", timestamp):
        raise WebhookError("The headers of a webhook are missing")
    if abs(time.time() - int(timestamp)) > _TOLERANCE:
        raise WebhookError("It was not sent in the last five minutes")
    # What is no text gives bytes that nobody signs, instead of an error.
    data = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    signed = f"{delivery}.{timestamp}.".encode("utf-8", "surrogatepass") + data
    if not any(_signs(key, signed, each) for key in keys for each in signatures):
        raise WebhookError("No signature is by this secret")
    return _delivery(delivery, data)


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret, validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("The secret of an endpoint is whsec_ and base64")
    return key


def _signs(key: bytes, signed: bytes, signature: str) -> bool:
    version, _, text = signature.partition(",")
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return version == "v1" and hmac.compare_digest(expected, text.encode("utf-8", "surrogatepass"))


def _delivery(delivery: str, data: bytes) -> Delivery:
    try:
        event = json.loads(data.decode("utf-8"), parse_float=Decimal)
    except ValueError:
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("type"), str) or "data" not in event:
        raise WebhookError("The body is no event")
    return Delivery(delivery, event, event["type"] == "webhook.test" or event.get("test") is True)
