import base64
import hashlib
import hmac
import json
import time
import unittest
from unittest import mock

from bursar_client import WebhookError, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"a secret of thirty-two bytes, so").decode()
OTHER = "whsec_" + base64.b64encode(b"another secret of 32 bytes, also").decode()
BODY = json.dumps({"type": "payment.executed", "timestamp": "2026-01-31T12:00:00.000Z", "data": {"status": "COMPLETED"}})


def sent(body=BODY, ago=0, by=SECRET):
    timestamp = str(int(time.time()) - ago)
    data = body if isinstance(body, bytes) else body.encode()
    mac = hmac.new(base64.b64decode(by[6:]), f"d-1.{timestamp}.".encode() + data, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(mac).decode()
    return {"webhook-id": "d-1", "webhook-timestamp": timestamp, "webhook-signature": signature}


class Webhooks(unittest.TestCase):
    def setUp(self):
        # The clock stands: a second that begins meanwhile changes a signature, and the age of a delivery.
        clock = mock.patch("time.time", return_value=time.time())
        clock.start()
        self.addCleanup(clock.stop)

    def refused(self, headers, body=BODY, secret=SECRET):
        self.assertRaises(WebhookError, lambda: verify_webhook(secret, headers, body))

    def test_a_delivery(self):
        delivery = verify_webhook(SECRET, sent(), BODY)
        self.assertEqual((delivery.id, delivery.event["data"]["status"], delivery.is_test), ("d-1", "COMPLETED", False))
        capitals = {name.title(): value for name, value in sent().items()}
        self.assertEqual(verify_webhook([OTHER, SECRET], capitals, BODY.encode()).id, "d-1")
        both = {**sent(), "webhook-signature": f"{sent(by=OTHER)['webhook-signature']} {sent()['webhook-signature']}"}
        self.assertEqual(verify_webhook(SECRET, both, BODY).id, "d-1")

    def test_a_test(self):
        body = json.dumps({**json.loads(BODY), "test": True})
        self.assertTrue(verify_webhook(SECRET, sent(body), body).is_test)
        body = json.dumps({"type": "webhook.test", "timestamp": "2026-01-31T12:00:00.000Z", "data": {"endpointId": "e"}})
        self.assertTrue(verify_webhook(SECRET, sent(body), body).is_test)

    def test_refused(self):
        self.refused(sent(), BODY + " ")
        self.refused({**sent(), "webhook-id": "d-2"})
        self.refused({**sent(), "webhook-timestamp": str(int(time.time()) - 60)})
        self.refused(sent(), secret=OTHER)
        for signature in ("", "v1,", "v1", "v2,abc", sent()["webhook-signature"].replace("v1,", "v1a,"), "v1,\u00e9"):
            self.refused({**sent(), "webhook-signature": signature})
        for timestamp in ("", "soon", "-5", "1e9", "\u0664"):
            self.refused({**sent(), "webhook-timestamp": timestamp})
        self.refused({})
        # Whoever finds the receiver may send anything: none of it is an error of the receiver.
        self.refused({**sent(), "webhook-timestamp": "9" * 5000})
        for name in ("webhook-id", "webhook-signature"):
            self.refused({**sent(), name: "v1,\udcff"})
        self.refused(sent(), BODY.replace("COMPLETED", "\udcff"))
        for ago in (302, 86_400, -302):
            self.refused(sent(ago=ago))

    def test_signed_bodies_that_are_no_events(self):
        for body in ("null", "[]", "{}", '{"type": "x"}', '{"type": 5, "data": {}}', "no JSON", "", b"\xff\xfe{"):
            self.refused(sent(body), body)

    def test_secrets_that_are_none(self):
        for secret in ("", "whsec_", "whsec_!!", "whsec_YWJj!", "x"):
            self.assertRaises(ValueError, lambda: verify_webhook(secret, sent(), BODY))
        self.refused(sent(), secret=[])


if __name__ == "__main__":
    unittest.main()
