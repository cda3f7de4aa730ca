import json
import threading
import unittest
from unittest import mock

from bursar_client import Bursar, BursarError, Tokens, log_in, resume_session
from gateway import Clock, Gateway, refusal


def granted(number):
    tokens = {"accessToken": f"access-{number}", "refreshToken": f"refresh-{number}", "expiresIn": 900}
    return 200, {"data": {**tokens, "user": {}}}


class Platform:
    """Takes the last access token that it gave; `faults` answer in place of the next refreshes."""

    def __init__(self):
        self.taken, self.refreshed, self.faults = "access-1", [], []

    def __call__(self, request):
        if request.path.endswith("/login"):
            return granted(1)
        if request.path.endswith("/logout"):
            return 200, {"success": True}
        if request.path.endswith("/refresh"):
            token = json.loads(request.body)["refreshToken"]
            self.refreshed.append(token)
            if self.faults:
                return self.faults.pop(0)
            number = int(token.split("-")[1]) + 1
            self.taken = f"access-{number}"
            return granted(number)
        is_taken = request.headers["authorization"] == f"Bearer {self.taken}"
        return (200, []) if is_taken else (401, refusal("TOKEN_EXPIRED"))


class Sessions(unittest.TestCase):
    def setUp(self):
        # A busy machine may stand still for the four seconds that a refresh has.
        limit = mock.patch("bursar_client.session._REFRESH_TIMEOUT", 60)
        limit.start()
        self.addCleanup(limit.stop)
        self.platform = Platform()
        self.gateway = self.enterContext(Gateway(self.platform)) if hasattr(self, "enterContext") else Gateway(self.platform)
        self.clock, self.kept = Clock(), []

    def start(self):
        now = lambda: self.clock.now
        session = log_in(self.gateway.url, "a@b.example", "p", on_tokens=self.kept.append, now=now)
        return session, Bursar(self.gateway.url, session=session, world=self.clock.world())

    def test_renewed_half_a_minute_before_its_end(self):
        session, bursar = self.start()
        self.clock.now = 869
        bursar.get("/core/v1/assets")
        self.assertEqual(self.platform.refreshed, [])
        self.clock.now = 871
        bursar.get("/core/v1/assets")
        self.assertEqual((self.platform.refreshed, session.tokens()), (["refresh-1"], Tokens("access-2", "refresh-2")))
        self.assertEqual([each.refresh_token for each in self.kept], ["refresh-1", "refresh-2"])

    def test_an_expired_token_is_renewed_once_by_threads_at_the_same_time(self):
        _, bursar = self.start()
        self.platform.taken = "access-2"
        threads = [threading.Thread(target=bursar.get, args=("/core/v1/assets",)) for _ in range(20)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(self.platform.refreshed, ["refresh-1"])

    def test_a_write_without_a_key_is_sent_again_after_the_renewal(self):
        _, bursar = self.start()
        self.platform.taken = "access-2"
        bursar.put("/account/v1/accounts/{id}", ids={"id": "a"}, body={"status": "active"})
        self.assertEqual(self.platform.refreshed, ["refresh-1"])

    def test_a_token_that_stays_refused(self):
        _, bursar = self.start()
        self.platform.taken = "another"
        self.platform.faults = [granted(9), granted(10)]
        with self.assertRaises(BursarError) as raised:
            bursar.get("/core/v1/assets")
        self.assertEqual((raised.exception.code, self.platform.refreshed), ("TOKEN_EXPIRED", ["refresh-1"]))

    def test_a_refresh_whose_answer_was_lost(self):
        _, bursar = self.start()
        self.platform.taken = "access-2"
        self.platform.faults = ["lost"]
        bursar.get("/core/v1/assets")
        self.assertEqual(self.platform.refreshed, ["refresh-1", "refresh-1"])

    def test_a_refused_refresh_is_not_sent_again(self):
        _, bursar = self.start()
        self.platform.taken = "access-2"
        self.platform.faults = [(401, refusal("UNAUTHORIZED"))]
        self.assertRaises(BursarError, lambda: bursar.get("/core/v1/assets"))
        self.assertEqual(self.platform.refreshed, ["refresh-1"])

    def test_stored_tokens_and_a_log_out(self):
        self.platform.taken = "access-8"
        session = resume_session(self.gateway.url, Tokens("access-7", "refresh-7"))
        Bursar(self.gateway.url, session=session, api_key="sk_x").get("/core/v1/assets")
        sent = self.gateway.requests[-1].headers
        self.assertEqual((sent["authorization"], sent["x-api-key"]), ("Bearer access-8", "sk_x"))
        session.log_out()
        self.assertEqual(json.loads(self.gateway.requests[-1].body), {"refreshToken": "refresh-8"})

    def test_a_second_factor(self):
        challenge = 200, {"data": {"mfaRequired": True, "challenge": "c-1", "methods": ["code"], "expiresIn": 300}}
        with Gateway(challenge, granted(1)) as gateway:
            session = log_in(gateway.url, "a", "p", code=lambda: "755224")
            self.assertEqual(session.access_token(), "access-1")
        self.assertEqual(json.loads(gateway.requests[1].body), {"challenge": "c-1", "code": "755224"})
        with Gateway(challenge) as gateway, self.assertRaises(BursarError) as raised:
            log_in(gateway.url, "a", "p")
        self.assertEqual(raised.exception.code, "SECOND_FACTOR_REQUIRED")


if __name__ == "__main__":
    unittest.main()
