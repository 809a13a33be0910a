"""Classes and their bases → the order in which Python looks for a member (C3).

https://docs.python.org/3/howto/mro.html
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeVar

Class = TypeVar("Class", bound=Hashable)


def order_of(
    first: Class,
    bases: Mapping[Class, Sequence[Class]],
    orders: dict[Class, list[Class]],
) -> list[Class]:
    """Return a class and those that it inherits from, as `__mro__` has them.

    `bases` has those of each, none of a class that nothing is known of: such a one is
    in the order, too, because it decides that of others. `orders` has what was found
    before, and gets what is found, which does not depend on who was asked for first. A
    class that Python refuses has some order.
    """
    begun = set()
    ahead = [first]
    while ahead:
        here = ahead[-1]
        begun.add(here)
        above = bases.get(here, ())
        later = [each for each in above if each not in begun and each not in orders]
        if later:
            ahead += later
            continue
        ahead.pop()
        if here not in orders:
            orders[here] = _order(here, bases, orders)
    return orders[first]


def _order(
    own: Class,
    bases: Mapping[Class, Sequence[Class]],
    orders: Mapping[Class, Sequence[Class]],
) -> list[Class]:
    """Return the order of a class; `orders` has those of its bases."""
    inherited = _above(own, bases)
    if own in inherited:
        # Two classes that have one name, of which one inherits from the other. Their
        # bases can be without an order yet.
        return [*dict.fromkeys((own, *inherited))]
    above = bases.get(own, ())
    merged = _merged([*(orders[each] for each in above), above])
    return [own, *merged]


def _above(own: Class, bases: Mapping[Class, Sequence[Class]]) -> dict[Class, None]:
    """Return all that a class inherits from, each before its own bases."""
    found: dict[Class, None] = {}
    ahead = [*reversed(bases.get(own, ()))]
    while ahead:
        here = ahead.pop()
        if here not in found:
            found[here] = None
            ahead += reversed(bases.get(here, ()))
    return found


def _merged(orders: Iterable[Sequence[Class]]) -> list[Class]:
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
