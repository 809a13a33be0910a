"""Classes and their bases → the order in which Python looks for a member (C3).

https://docs.python.org/3/howto/mro.html
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeVar

MAX_CLASSES = 100
"""Classes of an order, and bases of a class: more are left out.

Time grows with the square.
"""

Class = TypeVar("Class", bound=Hashable)


def order_of(
    first: Class,
    bases: Mapping[Class, Sequence[Class]],
    orders: dict[Class, list[Class]],
) -> list[Class]:
    """Return a class and those that it inherits from, as `__mro__` has them.

    `bases` has those of each, none of a class that nothing is known of: such a one is
    in the order, too, because it decides that of others. `orders` has what was found
    before, and gets what is found. A class that Python refuses has some order.
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
            # One that is begun and not known inherits from itself.
            known = [each for each in above if each in orders]
            merged = _merged([*(orders[each] for each in known), known])
            orders[here] = [here, *merged]
    return orders[first]


def _merged(orders: Iterable[Sequence[Class]]) -> list[Class]:
    """Return the classes of some orders in one that agrees with all, if there is one.

    Next is always the first class of an order that stands behind no other.
    """
    merged: list[Class] = []
    behind = Counter(chain.from_iterable(order[1:] for order in orders))
    queues = [deque(order) for order in orders if order]
    while queues and len(merged) < MAX_CLASSES:
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
