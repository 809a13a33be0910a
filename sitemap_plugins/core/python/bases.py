"""Classes and their bases → the order in which Python looks for a member (C3).

https://docs.python.org/3/howto/mro.html
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from typing import TypeVar

MAX_CLASSES = 100
"""Classes of an order. Time grows with the square."""

Class = TypeVar("Class", bound=Hashable)


def order_of(
    own: Class,
    bases_of: Callable[[Class], Sequence[Class]],
    orders: dict[Class, list[Class]],
) -> list[Class]:
    """Return a class and those that it inherits from, as `__mro__` has them.

    `bases_of` returns those of a class, none of one that nothing is known of: such a
    one is in the order, too, because it decides that of others. `orders` has what was
    found before, and gets what is found. A class that Python refuses has some order.

    Raises:
        ValueError: There are more than `MAX_CLASSES`.
    """
    if own in orders:
        return orders[own]
    inherited = _above(own, bases_of)
    if own in inherited:
        # Two classes that have one name, of which one inherits from the other. Its
        # order must not depend on which one is asked for first.
        orders[own] = [*dict.fromkeys((own, *inherited))]
    else:
        above = bases_of(own)
        others = [order_of(each, bases_of, orders) for each in above]
        orders[own] = [own, *_merged([*others, above])]
    return orders[own]


def _above(
    own: Class, bases_of: Callable[[Class], Sequence[Class]]
) -> dict[Class, None]:
    """Return all that a class inherits from, each before its own bases."""
    found: dict[Class, None] = {}
    ahead = [*reversed(bases_of(own))]
    while ahead:
        here = ahead.pop()
        if here in found:
            continue
        found[here] = None
        if len(found) >= MAX_CLASSES:
            msg = f"a class inherits from {MAX_CLASSES} others or more"
            raise ValueError(msg)
        ahead += reversed(bases_of(here))
    return found


def _merged(orders: Sequence[Sequence[Class]]) -> list[Class]:
    """Return the classes of some orders in one that agrees with all, if there is one.

    Next is always the first class of an order that stands behind no other.
    """
    merged: list[Class] = []
    behind = Counter(chain.from_iterable(order[1:] for order in orders))
    queues = [deque(order) for order in orders if order]
    while queues:
        heads = [queue[0] for queue in queues]
        following = next((each for each in heads if not behind[each]), None)
        if following is None:
            return [*merged, *dict.fromkeys(chain.from_iterable(queues))]
        merged.append(following)
        for queue in queues:
            if queue[0] == following:
                queue.popleft()
                if queue:
                    behind[queue[0]] -= 1
        queues = [queue for queue in queues if queue]
    return merged
