import unittest
from urllib.parse import parse_qs, urlparse

from bursar_client import Bursar, BursarError, ListError
from gateway import Clock, Gateway, refusal

ALL = [{"id": f"id-{index}"} for index in range(7)]
LEDGER, ASSETS, LOGS = "/core/v1/transactions", "/quote/v1/assets", "/tracker/v1/log-messages"
DELIVERIES, PAGES = "/webhook/v1/webhooks/deliveries", "/api/v1/core/transactions"


def part(request, by):
    query = {name: values[0] for name, values in parse_qs(urlparse(request.path).query).items()}
    size = int(query.get("pageSize") or query["limit"])
    start = {
        "after": lambda: [each["id"] for each in ALL].index(query["after"]) + 1 if "after" in query else 0,
        "offset": lambda: int(query["offset"]),
        "pages": lambda: int(query["offset"]) * size,
        "page": lambda: (int(query["page"]) - 1) * size,
    }[by]()
    return ALL[start : start + size], start + size < len(ALL)


def page_of(path):
    def answer(request):
        if path == LEDGER:
            return 200, part(request, "after")[0]
        if path == DELIVERIES:
            return 200, {"count": 0, "limit": 0, "deliveries": [{"deliveryId": each["id"]} for each in part(request, "after")[0]]}
        if path == ASSETS:
            return 200, {"data": part(request, "offset")[0], "pageInfo": {"limit": 0, "offset": 0, "total": len(ALL)}}
        if path == LOGS:
            data, has_more = part(request, "pages")
            return 200, {"data": data, "pagination": {"hasMore": has_more}}
        return 200, part(request, "page")[0]

    return answer


def records(gateway, path, **query):
    return Bursar(gateway.url, world=Clock().world()).list(path, query=query)


class Lists(unittest.TestCase):
    def test_every_record_once(self):
        for path in (LEDGER, DELIVERIES, ASSETS, LOGS, PAGES):
            for size in (1, 3, 7, 100):
                with self.subTest(path=path, size=size), Gateway(page_of(path)) as gateway:
                    query = {"pageSize" if path == PAGES else "limit": size}
                    found = [each.get("id") or each["deliveryId"] for each in records(gateway, path, **query)]
                    self.assertEqual(found, [each["id"] for each in ALL])
                    if path in (ASSETS, LOGS):
                        self.assertEqual(len(gateway.requests), -(-len(ALL) // size))

    def test_from_an_offset_on(self):
        def answer(request):
            query = {name: values[0] for name, values in parse_qs(urlparse(request.path).query).items()}
            after = [each["id"] for each in ALL].index(query["after"]) + 1 if "after" in query else 0
            start = after + int(query.get("offset", 0))
            return 200, ALL[start : start + int(query["limit"])]

        with Gateway(answer) as gateway:
            self.assertEqual(list(records(gateway, LEDGER, limit=2, offset=1)), ALL[1:])

    def test_what_is_searched_or_sorted_goes_by_the_number_of_records(self):
        for by in ({"search": "Lakeside"}, {"sortBy": "amount"}):
            with self.subTest(by=by), Gateway(page_of(ASSETS)) as gateway:
                self.assertEqual(list(records(gateway, "/transactions/v1/transactions", limit=4, **by)), ALL)
            self.assertEqual([each.path.split("&")[-1] for each in gateway.requests], ["offset=0", "offset=4"])

    def test_pages_of_100_with_the_filters_when_they_are_needed(self):
        with Gateway(page_of(LEDGER)) as gateway:
            found = records(gateway, LEDGER, status="FROZEN")
            self.assertEqual(gateway.requests, [])
            next(found)
        self.assertEqual([each.path for each in gateway.requests], [f"{LEDGER}?limit=100&status=FROZEN"])

    def test_what_is_none_is_left_open(self):
        for path in (LEDGER, ASSETS, PAGES):
            with self.subTest(path=path), Gateway(page_of(path)) as gateway:
                found = list(records(gateway, path, limit=None, offset=None, page=None, pageSize=None, status=None))
                self.assertEqual(found, [{"id": each["id"]} for each in ALL])

    def test_a_page_that_fails_comes_after_the_records_before_it(self):
        found = []
        with Gateway(page_of(LEDGER), (403, refusal("FORBIDDEN"))) as gateway, self.assertRaises(BursarError):
            for each in records(gateway, LEDGER, limit=3):
                found.append(each)
        self.assertEqual(len(found), 3)

    def test_pages_that_make_no_list(self):
        a, b = [{"id": "a"}, {"id": "b"}], [{"id": "c"}, {"id": "d"}]
        endless = {"data": a, "pageInfo": {"total": 10**9}}
        for path, pages, sent in (
            (LEDGER, [a], 2),
            (LEDGER, [a, b, a, b], 3),
            (ASSETS, [endless], 2),
            (LEDGER, [[{"id": "a"}, {}]], 1),
            (LEDGER, [[{"id": "a"}, {"id": 7}]], 1),
            (LEDGER, [["a", "b"]], 1),
            *((ASSETS, [page], 1) for page in (None, "x", 7, {}, {"data": "x"}, {"data": [], "other": []})),
        ):
            answers = [(200, page) for page in pages]
            with self.subTest(pages=pages), Gateway(*answers) as gateway:
                self.assertRaises(ListError, lambda: list(records(gateway, path, limit=2)))
            self.assertEqual(len(gateway.requests), sent)

    def test_what_ends_a_list(self):
        for path, page, count in (
            (LOGS, {"data": [], "pagination": {"hasMore": True}}, 0),
            (ASSETS, {"data": [], "pageInfo": {"total": 5}}, 0),
            (LEDGER, ALL, 7),
        ):
            with self.subTest(path=path), Gateway((200, page)) as gateway:
                self.assertEqual(len(list(records(gateway, path, limit=2))), count)
            self.assertEqual(len(gateway.requests), 1)


if __name__ == "__main__":
    unittest.main()
