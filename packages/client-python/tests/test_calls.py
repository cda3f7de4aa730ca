import unittest
from decimal import Decimal

from bursar_client import Bursar, BursarError, Repeats
from bursar_client.errors import Asked, refusal as error_of
from gateway import Clock, Gateway, refusal

WITHDRAWAL = "/core/v1/transactions/withdrawal"
BODY = {"accountId": "a", "network": "base", "assetId": "u", "amount": "1", "destinationAddress": "x"}
ACCOUNT = "/account/v1/accounts/{id}"
DONE = (201, {"id": "w-1"})
AWAY = (503, refusal("SERVICE_UNAVAILABLE"))


def client(gateway, clock=None, **given):
    return Bursar(gateway.url, world=(clock or Clock()).world(), **given)


class Calls(unittest.TestCase):
    def fails(self, call, **expected):
        with self.assertRaises(BursarError) as raised:
            call()
        for name, value in expected.items():
            self.assertEqual(getattr(raised.exception, name), value)
        return raised.exception


class SentAgain(Calls):
    def test_a_payment_under_one_key(self):
        with Gateway((502, {}), AWAY, (504, {}), DONE) as gateway:
            answer = client(gateway).send("POST", WITHDRAWAL, body=BODY)
        self.assertEqual((answer.attempts, answer.status, answer.data), (4, 201, {"id": "w-1"}))
        self.assertEqual(len({each.headers["idempotency-key"] for each in gateway.requests}), 1)
        self.assertEqual(len(gateway.requests[0].headers["idempotency-key"]), 36)
        self.assertEqual(len({each.headers["x-request-id"] for each in gateway.requests}), 1)
        self.assertEqual(len({each.body for each in gateway.requests}), 1)

    def test_each_call_has_its_own_key_or_the_given_one(self):
        with Gateway(DONE) as gateway:
            bursar = client(gateway)
            for key in (None, None, "payout-204"):
                bursar.post(WITHDRAWAL, body=BODY, idempotency_key=key)
        one, two, three = [each.headers["idempotency-key"] for each in gateway.requests]
        self.assertNotEqual(one, two)
        self.assertEqual(three, "payout-204")

    def test_what_cannot_be_sent_is_refused_at_once(self):
        with Gateway(DONE) as gateway:
            for key in ("", "two words", "line\n", "\u2713", "x" * 256):
                with self.assertRaisesRegex(ValueError, "an idempotency key is 1 to 255 visible ASCII characters"):
                    client(gateway).post(WITHDRAWAL, body=BODY, idempotency_key=key)
            with self.assertRaisesRegex(ValueError, "an API key is visible ASCII"):
                client(gateway, api_key="sk_live_key\n")
            client(gateway, api_key="sk_live_key").post(WITHDRAWAL, body=BODY, idempotency_key="x" * 255)
        self.assertEqual(len(gateway.requests), 1)

    def test_a_read_without_a_key(self):
        with Gateway(AWAY, (200, [])) as gateway:
            self.assertEqual(client(gateway).get("/core/v1/assets"), [])
        self.assertEqual([each.headers["idempotency-key"] for each in gateway.requests], [None, None])

    def test_any_request_that_a_limit_refused(self):
        clock = Clock()
        with Gateway((429, refusal("RATE_LIMITED"), {"retry-after": "2"}), (200, {})) as gateway:
            client(gateway, clock).put(ACCOUNT, ids={"id": "a"}, body={"status": "active"})
        self.assertEqual((len(gateway.requests), clock.pauses), (2, [2.25]))

    def test_a_payment_that_is_under_way_once_its_answer_was_lost(self):
        with Gateway((504, {}), (409, refusal("CONFLICT")), DONE) as gateway:
            self.assertEqual(client(gateway).send("POST", WITHDRAWAL, body=BODY).attempts, 3)

    def test_a_payment_whose_key_another_call_uses_right_now(self):
        running = (409, refusal("CONFLICT"), {"retry-after": "1"})
        with Gateway(running, DONE) as gateway:
            self.assertEqual(client(gateway).send("POST", WITHDRAWAL, body=BODY, idempotency_key="payout-204").attempts, 2)
        with Gateway(running) as gateway:
            self.fails(lambda: client(gateway).post(WITHDRAWAL, body=BODY), status=409, is_uncertain=True)

    def test_lost_and_broken_answers(self):
        page = (200, b"<html>", {"content-type": "text/html"})
        for fault in ("lost", "cut", (200, b"<html>", {}), page, (200, b"", {})):
            with self.subTest(fault=fault), Gateway(fault, DONE) as gateway:
                self.assertEqual(client(gateway).send("POST", WITHDRAWAL, body=BODY).attempts, 2)

    def test_what_was_lost_stays_uncertain_when_its_repeat_is_refused(self):
        for status in (400, 401, 403, 409, 429):
            with self.subTest(status=status), Gateway((504, {}), (status, refusal("X"))) as gateway:
                pay = lambda: client(gateway).post(WITHDRAWAL, body=BODY, idempotency_key="payout-204")
                self.fails(pay, status=status, is_uncertain=True, idempotency_key="payout-204")

    def test_what_was_lost_is_told_with_its_key_when_there_are_no_credentials_then(self):
        for fails_at in ("access_token", "renew"):
            with self.subTest(fails_at=fails_at), Gateway((504, {}), (401, refusal("TOKEN_EXPIRED"))) as gateway:

                class Session:
                    def access_token(self):
                        return self.renew("") if fails_at == "access_token" and gateway.requests else "a"

                    def renew(self, spent):
                        raise RuntimeError("The session has ended")

                error = self.fails(lambda: client(gateway, session=Session()).post(WITHDRAWAL, body=BODY), status=504)
                key = gateway.requests[0].headers["idempotency-key"]
                self.assertEqual((error.is_uncertain, error.idempotency_key), (True, key))


class SentOnce(Calls):
    def test_a_refused_payment(self):
        for status in (400, 401, 403, 404, 409, 413, 422, 500):
            with self.subTest(status=status), Gateway((status, refusal("X"))) as gateway:
                pay = lambda: client(gateway).post(WITHDRAWAL, body=BODY)
                self.fails(pay, status=status, code="X", is_uncertain=status == 500)
                self.assertEqual(len(gateway.requests), 1)

    def test_a_write_without_a_key(self):
        for fault, status in ((AWAY, 503), ("lost", 0)):
            with self.subTest(status=status), Gateway(fault) as gateway:
                put = lambda: client(gateway).put(ACCOUNT, ids={"id": "a"}, body={"status": "active"})
                self.fails(put, status=status, is_uncertain=True, idempotency_key=None)
                self.assertEqual(len(gateway.requests), 1)

    def test_nothing_is_sent_where_the_call_is_wrong(self):
        with Gateway(DONE) as gateway:
            bursar = client(gateway)
            for wrong in (
                lambda: bursar.put(ACCOUNT, ids={"id": "a"}, body={}, idempotency_key="k"),
                lambda: bursar.get("/core/v1/nothing"),
                lambda: bursar.get(ACCOUNT),
                lambda: list(bursar.list(ACCOUNT)),
                *(lambda id=id: bursar.get(ACCOUNT, ids={"id": id}) for id in ("", ".", "..")),
            ):
                self.assertRaises(ValueError, wrong)
        self.assertEqual(gateway.requests, [])


class Waiting(Calls):
    def test_five_times_with_pauses_that_double(self):
        clock = Clock()
        with Gateway(AWAY) as gateway:
            self.fails(lambda: client(gateway, clock).get("/core/v1/assets"), status=503, is_uncertain=False)
        self.assertEqual((clock.pauses, len(gateway.requests)), ([0.25, 0.5, 1, 2], 5))

    def test_a_random_part_and_all_that_the_server_asks_for(self):
        clock = Clock(random=0.5)
        with Gateway(AWAY, (503, {}, {"retry-after": "3"}), AWAY) as gateway:
            self.fails(lambda: client(gateway, clock).get("/core/v1/assets"))
        self.assertEqual(clock.pauses, [0.125, 3.25, 0.5, 1])

    def test_a_wait_beyond_its_patience_fails_at_once(self):
        clock = Clock()
        with Gateway((429, refusal("RATE_LIMITED"), {"retry-after": "300"})) as gateway:
            self.fails(lambda: client(gateway, clock).get("/core/v1/assets"), code="RATE_LIMITED", retry_after=300)
        self.assertEqual((clock.pauses, len(gateway.requests)), ([], 1))
        with Gateway((429, {}, {"retry-after": "25"})) as gateway:
            self.fails(lambda: client(gateway, repeats=Repeats(attempts=100)).get("/core/v1/assets"))
        self.assertEqual(len(gateway.requests), 3)

    def test_a_date_counts_from_the_clock_of_the_server(self):
        clock = Clock(random=0)
        headers = {"date": "Thu, 01 Jan 1998 00:00:00 GMT", "retry-after": "Thu, 01 Jan 1998 00:00:04 GMT"}
        with Gateway((503, {}, headers), (200, [])) as gateway:
            client(gateway, clock).get("/core/v1/assets")
        self.assertEqual(clock.pauses, [4])

    def test_what_is_no_time(self):
        for text in ("soon", "-5", "1e9", "99999999999999", "NaN", "\u0664"):
            clock = Clock(random=0)
            with self.subTest(text=text), Gateway((503, {}, {"retry-after": text.encode().decode("latin1")}), (200, [])) as gateway:
                client(gateway, clock).get("/core/v1/assets")
            self.assertEqual(clock.pauses, [0])


class Bodies(Calls):
    def test_numbers_are_exact(self):
        with Gateway((200, b'{"rate": 0.10000000000000000001, "count": 3}')) as gateway:
            self.assertEqual(client(gateway).get("/core/v1/assets"), {"rate": Decimal("0.10000000000000000001"), "count": 3})
            client(gateway).post(WITHDRAWAL, body={**BODY, "amount": Decimal("1E+2")})
        self.assertIn('"amount": "100"', gateway.requests[1].body)

    def test_texts_and_files_are_as_they_came(self):
        csv, document = "id,amount\r\n1,0.10\r\n", b"%PDF\xff\x00"
        with Gateway((200, csv.encode(), {"content-type": "text/csv"})) as gateway:
            self.assertEqual(client(gateway).get("/core/v1/transactions/export"), csv)
        with Gateway((200, document, {"content-type": "application/pdf"})) as gateway:
            ids = {"id": "a", "documentId": "d"}
            path = "/main/v1/participants/{id}/documents/{documentId}"
            self.assertEqual(client(gateway).get(path, ids=ids), document)

    def test_ids_and_queries_stay_values(self):
        with Gateway((200, {})) as gateway:
            query = {"limit": 5, "count": True, "status": None, "after": "a&b=c#d e"}
            client(gateway).get(ACCOUNT, ids={"id": "../x?y=1#z/%2e"}, query=query)
        path = "/account/v1/accounts/..%2Fx%3Fy%3D1%23z%2F%252e?limit=5&count=true&after=a%26b%3Dc%23d%20e"
        self.assertEqual(gateway.requests[0].path, path)

    def test_credentials_go_to_no_other_place(self):
        with Gateway((200, [])) as thief, Gateway((307, {}, {"location": f"{thief.url}/core/v1/assets"})) as gateway:
            error = self.fails(lambda: client(gateway, api_key="sk_secret").get("/core/v1/assets"), status=307, code="HTTP_307")
        self.assertEqual((thief.requests, gateway.requests[0].headers["x-api-key"]), ([], "sk_secret"))
        self.assertNotIn("sk_secret", repr(vars(error)) + str(error))

    def test_an_error_names_route_and_request(self):
        with Gateway((404, refusal("NOT_FOUND", "Account not found"))) as gateway:
            error = self.fails(lambda: client(gateway).get(ACCOUNT, ids={"id": "acc-17"}), code="NOT_FOUND")
        self.assertEqual(str(error), "GET /account/v1/accounts/{id}: Account not found")
        self.assertEqual(error.request_id, gateway.requests[0].headers["x-request-id"])

    def test_the_three_forms_of_errors(self):
        asked = Asked("GET /x", "r", None)
        details = [{"field": "amount", "message": "amount must be a string"}]
        first = error_of(asked, 400, {}, {"error": {"code": "ODD", "message": "Not valid", "details": details}})
        self.assertEqual((first.code, str(first), first.fields), ("ODD", "GET /x: Not valid", [("amount", "amount must be a string")]))
        second = error_of(asked, 400, {}, {"statusCode": "400", "error": ["a", "b"]})
        self.assertEqual((second.code, str(second), second.fields), ("INVALID_REQUEST", "GET /x: a; b", [("", "a"), ("", "b")]))
        third = error_of(asked, 404, {}, {"statusCode": 404, "message": "Gone", "error": "Not Found", "details": {"most": 3}})
        self.assertEqual((third.code, str(third), third.details), ("NOT_FOUND", "GET /x: Gone", {"most": 3}))
        for body in (None, "<html>", [], 5, {"error": {}}, {"error": None, "message": 7}, {"error": {"code": 7, "message": []}}):
            self.assertEqual(str(error_of(asked, 502, {}, body)), "GET /x: it was answered with status 502")


if __name__ == "__main__":
    unittest.main()
