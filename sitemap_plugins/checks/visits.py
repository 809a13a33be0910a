"""Listed URLs → what the server answers, several asked for at once and told in order."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from sitemap_plugins.core import html_head
from sitemap_plugins.core.html_head import HeadMeta
from sitemap_plugins.core.records import record
from sitemap_plugins.web import WebError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sitemap_plugins.checks.server import Server, Trail
    from sitemap_plugins.web import Answer

__all__ = ["Place", "Visit", "content_type", "visit"]

T = TypeVar("T")
R = TypeVar("R")

PAGE_BYTES = 1024 * 1024
"""Of a page: its head stands in the first few thousand."""

_HTML_TYPES = {"", "text/html", "application/xhtml+xml"}


@record
class Place:
    """A URL where it is listed."""

    url: str
    file: str
    line: int


@record
class Visit:
    """What came of asking for a URL."""

    place: Place

    trail: Trail | None = None
    """None where there is no answer, or where robots.txt forbids to ask."""

    problem: str = ""
    """Why there is no answer; one sentence without a full stop."""

    head: HeadMeta = HeadMeta()
    """What the page says of itself; nothing where the answer is no page."""


def visit(
    places: Iterable[Place], server: Server, *, may_ask: Callable[[str], bool], concurrency: int
) -> Iterator[Visit]:
    """Yield what the server answers for each URL, all of which are the site's, in their order.

    Raises:
        TimeUpError: The time for all requests ran out.
    """

    def ask(place: Place) -> Visit:
        return _visit(place, server) if may_ask(place.url) else Visit(place=place)

    return _in_threads(ask, places, concurrency)


def content_type(answer: Answer) -> str:
    """Return the type that an answer's headers name, in lower case; empty for none."""
    return answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()


def _visit(place: Place, server: Server) -> Visit:
    try:
        trail = server.ask(server.address(place.url), limit=PAGE_BYTES)
    except WebError as error:
        return Visit(place=place, problem=error.problem)
    first = trail.answers[0]
    is_page = first.status == 200 and content_type(first) in _HTML_TYPES
    head = html_head.read(first.body) if is_page else HeadMeta()
    return Visit(place=place, trail=trail, head=head)


def _in_threads(work: Callable[[T], R], items: Iterable[T], threads: int) -> Iterator[R]:
    """Yield what the work makes of each item, in order; some items are ahead.

    The threads are daemons: an interrupt does not wait for a server that is slow.
    """
    tasks: SimpleQueue[tuple[Future[R], T] | None] = SimpleQueue()

    def run() -> None:
        while (task := tasks.get()) is not None:
            future, item = task
            try:
                future.set_result(work(item))
            except BaseException as error:  # noqa: BLE001 it is raised where the result is wanted
                future.set_exception(error)

    for _ in range(threads):
        threading.Thread(target=run, daemon=True).start()
    waiting: deque[Future[R]] = deque()
    try:
        for item in items:
            waiting.append(Future())
            tasks.put((waiting[-1], item))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for _ in range(threads):
            tasks.put(None)
