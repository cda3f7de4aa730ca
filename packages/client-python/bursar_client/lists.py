"""Reads lists page by page (docs/api.md, Lists)."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional

from .errors import ListError
from .routes import ROUTES

# The size of pages: the most that every list allows.
_USUAL_SIZE = 100


def list_all(send: Callable[..., Any], path: str, query: Optional[Mapping[str, Any]] = None, **given: Any) -> Iterator[Any]:
    """All records, one after another. Raises BursarError where a page cannot be had, ListError where pages make no list."""
    route = ROUTES.get(f"GET {path}")
    if route is None or route.pages_by is None:
        raise ValueError(f"GET {path} is no list with pages")
    return _records(send, path, route.pages_by, dict(query or {}), given)


def _records(send: Callable[..., Any], path: str, way: str, query: Dict[str, Any], given: Dict[str, Any]) -> Iterator[Any]:
    size_name = "pageSize" if way == "page" else "limit"
    query = {size_name: _USUAL_SIZE, **{name: value for name, value in query.items() if value is not None}}
    if way.startswith("after ") and ("search" in query or query.get("sortBy", "createdAt") != "createdAt"):
        # What is searched, or sorted by something else than its age, goes on after no record.
        way = "offset"
    size = int(query[size_name])
    place: Optional[Dict[str, Any]] = _first(way, query)
    seen = set()
    while place is not None:
        body = send("GET", path, query={**query, **place}, **given).data
        items = _items(path, body)
        yield from items
        place = _next(way, place, items, body, size)
        if place is None:
            return
        last = items[-1]
        mark = str(last["id"]) if isinstance(last, dict) and "id" in last else json.dumps(last, default=str)
        if mark in seen:
            raise ListError(f"GET {path}: a page has come again")
        seen.add(mark)


def _first(way: str, query: Mapping[str, Any]) -> Dict[str, Any]:
    if way == "page":
        return {"page": int(query.get("page", 1))}
    if way in ("offset", "offsetOfPages"):
        return {"offset": int(query.get("offset", 0))}
    return {}


def _next(way: str, place: Mapping[str, Any], items: List[Any], body: Any, size: int) -> Optional[Dict[str, Any]]:
    """None after the last page. A page that is longer than was asked for is no page, but the whole list."""
    if not items:
        return None
    if way == "offset":
        offset = place["offset"] + len(items)
        total = _field(_field(body, "pageInfo"), "total")
        is_end = offset >= total if isinstance(total, int) else len(items) != size
        return None if is_end else {"offset": offset}
    if way == "offsetOfPages":
        return {"offset": place["offset"] + 1} if _field(_field(body, "pagination"), "hasMore") is True else None
    if len(items) != size:
        return None
    if way == "page":
        return {"page": place["page"] + 1}
    name = way[len("after ") :]
    last = _field(items[-1], name)
    if not isinstance(last, str) or not last:
        raise ListError(f"The last record of a page has no {name}")
    # An offset counts from there: the next page would pass as many records again.
    return {"after": last, "offset": None}


def _items(path: str, body: Any) -> List[Any]:
    """The body, or the one list in it."""
    if isinstance(body, list):
        return body
    found = [each for each in body.values() if isinstance(each, list)] if isinstance(body, dict) else []
    if len(found) != 1:
        raise ListError(f"GET {path}: the answer is no list")
    return found[0]


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None
