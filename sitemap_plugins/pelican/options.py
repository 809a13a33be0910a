"""The options of Pelican's `SITEMAP`.

They are the options of all hosts, and the keys of pelican-sitemap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

from sitemap_plugins.core import values
from sitemap_plugins.core.messages import (
    Notice,
    Notices,
    OptionsError,
    WrongValueError,
    quoted,
)
from sitemap_plugins.core.options import (
    Accepts,
    PluginOptions,
    choice,
    flag,
    option,
    options_of,
    unknown_option,
)
from sitemap_plugins.core.patterns import REGEX, Patterns
from sitemap_plugins.core.urls import percent_decode

_KINDS = ("articles", "pages", "indexes")
"""pelican-sitemap's names for the kinds of pages."""

WHERE = "SITEMAP in the settings"

_OLDEST = (4, 8)
"""The oldest version of Pelican that is tested."""

_RIVALS = frozenset(
    {"sitemap", "extended_sitemap", "pelican_sitemap", "pelican_extended_sitemap"}
)
"""Last names of plugins that write the same file, in whatever package or folder they
are."""

FOUND = "pelican.plugins.sitemap_plugins"
"""The name of our plugin for Pelican's own search."""

_GLOB = "glob:"

# pelican-sitemap 1.2 looks at URLs without this.
_INDEX = re.compile(r"(?:^|(?<=/))index\.html$")

# Its README writes "^/noindex/" and "/tag/", though no path begins with a slash. Such a
# slash is at the beginning of the expression, an alternative or a group, before a name;
# escapes and sets of characters are passed over whole.
_SLASH = re.compile(
    r"""
    (?P<other> \\. | \[ \^? \]? (?:\\.|[^\]\\])* \] )
    | (?P<begin>
        \A (?:\(\?[a-z]+\))?            # The beginning, perhaps with flags,
        | \|                             # or of an alternative,
        | \( (?:\?:)?                    # or of a group.
      )
      (?:
        \^/ (?! [?*+{|)] | \Z )          # `^/`, which is not repeated or alone.
        | (?P<anywhere>                  # `/` before a name.
            / (?= [\w%~-] | \\[dw] | \( (?:\?:)? \w )
          )
      )
    """,
    re.VERBOSE | re.DOTALL,
)


class Exclude(Patterns):
    """pelican-sitemap's list.

    Regular expressions, and patterns that are marked `glob:`.

    An expression is searched for in the URL path as that plugin sees it: without the
    `index.html` of a folder, so the home page's is empty.
    """

    __slots__ = ()

    @classmethod
    def compile(cls, items: Iterable[str]) -> Self:
        """Compile a list as its author wrote it.

        Raises:
            WrongValueError: An item cannot be compiled; the text names it and the
                reason.
        """
        try:
            return super().compile(items)
        except WrongValueError as error:
            cure = f"mark a pattern, such as {f'{_GLOB}*.html'!r}"
            raise WrongValueError(error.problem, cure=cure) from None

    @staticmethod
    def read(item: str) -> tuple[bool, str]:
        """Return whether an item is a regular expression, and the item without mark.

        In an expression without a mark, slashes at the beginning match as its author
        meant them (`_SLASH`).
        """
        if item.startswith(_GLOB):
            return False, item.removeprefix(_GLOB)
        if item.startswith(REGEX):
            return True, item.removeprefix(REGEX)
        return True, _SLASH.sub(_without_slash, item)

    def searched_texts(self, path: str, name: str) -> list[str]:  # noqa: ARG002 the core's form
        """Return a page's URL path alone."""
        return [_INDEX.sub("", percent_decode(path))]


def _without_slash(found: re.Match[str]) -> str:
    # A match of `_SLASH`; escapes and sets of characters stay as they are.
    if found["other"]:
        return found[0]
    start = "(?:^|/)" if found["anywhere"] else "^"
    return found["begin"] + start


def _by_kind(value: object, *, parse: Callable[[object], Any]) -> dict[str, Any]:
    if not isinstance(value, dict):
        cure = "write {'articles': …, 'pages': …, 'indexes': …}"
        raise WrongValueError(f"{quoted(value)} is not a dictionary", cure=cure)
    found = {}
    for kind, item in value.items():
        try:
            found[kind] = parse(item)
        except WrongValueError as error:
            raise WrongValueError(
                f"{quoted(kind)}: {error.problem}", cure=error.cure
            ) from error
    return found


def _kinds(parse: Callable[[object], Any]) -> Accepts[Any]:
    words = "mapping of `articles`, `pages`, `indexes` to value"
    return Accepts(words, partial(_by_kind, parse=parse))


@dataclass(frozen=True, slots=True, kw_only=True)
class PelicanOptions(PluginOptions):
    """The options of all hosts, and the keys of pelican-sitemap."""

    exclude: Exclude = option(
        default=[],
        example=["^tag/", "glob:drafts/"],
        accepts=Accepts(
            "list of regular expressions",
            lambda value: Exclude.compile(values.parse_strings(value)),
        ),
        summary="Pages to leave out; `glob:` marks a pattern in gitignore syntax.",
    )
    """Matched against URL paths; patterns also against the names of sources."""

    hidden: bool = flag(
        default=False,
        summary="Also list pages and articles with `Status: hidden`: public, but in no"
        " menu.",
    )
    """Whether hidden contents are listed."""

    format: str = choice(
        ("xml", "txt"),
        default="xml",
        example="txt",
        summary="`txt`: the same as `text: True`.",
    )
    """`xml` or `txt`."""

    changefreqs: Mapping[str, str] = option(
        default={},
        example={"articles": "monthly"},
        accepts=_kinds(values.parse_changefreq),
        summary="`<changefreq>` by kind of page.",
    )
    """Indexed by kind; comes before the patterns of `changefreq`."""

    priorities: Mapping[str, float] = option(
        default={},
        example={"articles": 0.8, "indexes": 0.2},
        accepts=_kinds(values.parse_priority),
        summary="`<priority>` by kind of page.",
    )
    """Indexed by kind; comes before the patterns of `priority`."""


def read_options(given: object) -> tuple[PelicanOptions, Notices]:
    """Return the options in `SITEMAP`, and a notice for each unknown key.

    pelican-sitemap only logs such keys, and real settings have them.

    Raises:
        OptionsError: `SITEMAP` is not a dictionary, or a value is wrong; it names all
            of them.
    """
    if not isinstance(given, dict):
        msg = f"{quoted(given)} is not a dictionary"
        raise OptionsError(msg, cure="write SITEMAP = {…}", place=WHERE)
    declared = options_of(PelicanOptions)
    names = {each.name for each in declared}
    kept: dict[str, object] = {}
    errors = []
    for name, value in given.items():
        if name not in names:
            errors.append(unknown_option(name, declared))
        elif name in {"priorities", "changefreqs"} and isinstance(value, dict):
            kept[name] = {kind: value[kind] for kind in _KINDS if kind in value}
            for kind in (kind for kind in value if kind not in _KINDS):
                problem = f"{name}: {quoted(kind)} is not a kind of page"
                cure = f"the kinds are {', '.join(_KINDS)}"
                errors.append(OptionsError(problem, cure=cure))
        else:
            kept[name] = value
    notices = tuple(Notice.of(error, "bad-option", place=WHERE) for error in errors)
    options = PelicanOptions.parse(kept, where=WHERE)
    return replace(options, text=options.text or options.format == "txt"), notices


def refuse_old(version: str) -> None:
    """Stop if Pelican's version is older than the oldest that is supported.

    Raises:
        OptionsError: Pelican is older; the text names both versions.
    """
    found = tuple(map(int, re.findall(r"\d+", version)))
    if found and found < _OLDEST:  # It can be "unknown".
        oldest = ".".join(map(str, _OLDEST))
        problem = f"Pelican {version} is installed, and {oldest} or later is needed"
        raise OptionsError(problem, cure="upgrade Pelican")


def refuse_rivals(plugins: Sequence[str]) -> Notice | None:
    """Stop if `PLUGINS` names both our plugin and another that writes the same file.

    If Pelican found our plugin without `PLUGINS`, the other plugin goes on to write the
    file, and the notice says so.

    Raises:
        OptionsError: `PLUGINS` names both; the text names the other plugin.
    """
    rivals = [name for name in plugins if name.rpartition(".")[2] in _RIVALS]
    if not rivals:
        return None
    rival = rivals[0]
    if FOUND not in plugins:
        problem = f"holds {rival!r} too, which writes the same file"
        raise OptionsError(problem, cure="remove it", place="PLUGINS")
    problem = f"{rival!r} writes the sitemap, because it is installed too"
    cure = "uninstall it, or write 'sitemap_plugins.pelican' in PLUGINS in its place"
    return Notice("other-sitemap", problem, cure)
