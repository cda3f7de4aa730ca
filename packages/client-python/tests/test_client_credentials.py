import base64
import threading
import unittest

from bursar_client import Bursar, BursarError, ClientCredentials
from gateway import Clock, Gateway, refusal


class Platform:
    """Takes the last token that it issued; `faults` answer in place of the next ones."""

    def __init__(self):
        self.taken, self.issued, self.faults = "", [], []

    def __call__(self, request):
        if request.path == "/oauth/token":
            self.issued.append(request)
            if self.faults:
                return self.faults.pop(0)
            self.taken = f"token-{len(self.issued)}"
            return 200, {"access_token": self.taken, "token_type": "Bearer", "expires_in": 600}
        is_taken = request.headers["authorization"] == f"Bearer {self.taken}"
        return (200, []) if is_taken else (401, refusal("TOKEN_EXPIRED"))


class Programs(unittest.TestCase):
    def setUp(self):
        self.platform, self.clock = Platform(), Clock()
        self.gateway = Gateway(self.platform)
        self.addCleanup(self.gateway.__exit__, None, None, None)
        session = ClientCredentials(self.gateway.url, "p-1", "sk_live_a+b", now=lambda: self.clock.now)
        self.bursar = Bursar(self.gateway.url, session=session, world=self.clock.world())

    def test_proves_itself_as_rfc_6749_says(self):
        self.bursar.get("/core/v1/assets")
        (asked,) = self.platform.issued
        self.assertEqual((asked.method, asked.body), ("POST", "grant_type=client_credentials"))
        self.assertEqual(asked.headers["content-type"], "application/x-www-form-urlencoded")
        self.assertEqual(asked.headers["authorization"], "Basic " + base64.b64encode(b"p-1:sk_live_a%2Bb").decode())
        self.assertIsNone(self.gateway.requests[-1].headers["x-api-key"])

    def test_a_token_serves_threads_until_half_a_minute_before_its_end(self):
        threads = [threading.Thread(target=self.bursar.get, args=("/core/v1/assets",)) for _ in range(20)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.clock.now = 569
        self.bursar.get("/core/v1/assets")
        self.assertEqual(len(self.platform.issued), 1)
        self.clock.now = 571
        self.bursar.get("/core/v1/assets")
        self.assertEqual(len(self.platform.issued), 2)

    def test_an_expired_token_is_replaced_and_the_call_made_again(self):
        self.bursar.get("/core/v1/assets")
        self.platform.taken = "another"
        self.bursar.put("/account/v1/accounts/{id}", ids={"id": "a"}, body={"status": "active"})
        self.assertEqual(len(self.platform.issued), 2)

    def test_a_lost_answer_is_asked_for_once_more(self):
        self.platform.faults = ["lost"]
        self.bursar.get("/core/v1/assets")
        self.assertEqual(len(self.platform.issued), 2)

    def test_an_unknown_program_is_told_so_without_its_secret(self):
        words = "The client is unknown, or its secret is not valid"
        self.platform.faults = [(401, {"error": "invalid_client", "error_description": words})] * 2
        with self.assertRaises(BursarError) as raised:
            self.bursar.get("/core/v1/assets")
        error = raised.exception
        self.assertEqual((error.status, error.code, str(error)), (401, "invalid_client", f"POST /oauth/token: {words}"))
        self.assertEqual(len(self.platform.issued), 1)


if __name__ == "__main__":
    unittest.main()
