"""The user's options: one frozen record, declared once, checked once for all hosts.

A field of `Options` is the whole declaration: its name, type, default, one-line help
and parser. Adapters make their host's declaration from `options_of`, the manual its
table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, Generic, Literal, NamedTuple, Self, TypeVar, get_args

from sitemap_plugins.core import values
from sitemap_plugins.core.date_values import Format
from sitemap_plugins.core.limits import MAX_URLS
from sitemap_plugins.core.messages import OptionsError, SitemapError, named
from sitemap_plugins.core.patterns import Patterns, Rules

T = TypeVar("T")


class Accepts(NamedTuple, Generic[T]):
    """What a user may write as the value of an option."""

    words: str
    """For the manual."""

    parse: Callable[[object], T]
    """Takes a user's value, returns the field's; raises `SitemapError` if it is
    wrong."""

    metavar: str = ""
    """For the help of the command line, if the option is on it."""

    shape: Literal["flag", "number", "text", "list", "rules", "files"] = "text"
    """`rules`: pattern to value, or a value alone; `files`: pattern to list of
    files."""


class Option(NamedTuple):
    """The declaration of one option, for adapters and the manual."""

    default: Any
    """As a user would write it."""

    example: Any
    """Another value, as a user would write it."""

    accepts: Accepts[Any]
    """What a user may write."""

    summary: str
    """One sentence, for the manual."""

    name: str = ""
    """The option's name on every host, without a host's prefix; empty until
    `options_of`."""

    def parse(self, value: object) -> object:
        """Return the value of the field in `Options` for the value that a user wrote.

        Raises:
            SitemapError: The user's value is wrong.
        """
        return self.accepts.parse(value)


_PATTERNS = Accepts("list of patterns", values.parse_patterns, "PATTERN", "list")


def _rules(parse: Callable[[object], Any]) -> Accepts[Any]:
    words = "value, or mapping of pattern to value"
    return Accepts(
        words, partial(values.parse_rules, parse=parse), "[PATTERN=]VALUE", "rules"
    )


def _number(least: int, most: int, cure: str) -> Accepts[int]:
    parse = partial(values.parse_int, least=least, most=most, cure=cure)
    return Accepts("whole number", parse, "NUMBER", "number")


def option(*, default: object, example: object, accepts: Accepts[T], summary: str) -> T:
    """Declare a field of `Options`; typed as what it holds, as `dataclasses.field` is.

    `default` and `example` are as a user writes them.
    """
    declared = Option(
        default=default, example=example, accepts=accepts, summary=summary
    )
    return field(
        default_factory=lambda: accepts.parse(default), metadata={"option": declared}
    )


def flag(*, default: bool, summary: str) -> bool:
    """Declare a field of `Options` that is true or false, as `option`."""
    accepts = Accepts("true or false", values.parse_bool, shape="flag")
    return option(
        default=default, example=not default, accepts=accepts, summary=summary
    )


def choice(words: Sequence[str], *, default: str, example: str, summary: str) -> Any:  # noqa: ANN401 a type of such words
    """Declare a field of `Options` that is one of a few words, as `option`."""
    *first, last = (f"`{word}`" for word in words)
    accepts = Accepts(
        words=f"{', '.join(first)} or {last}",
        parse=partial(values.parse_choice, words=words),
        metavar="|".join(words),
    )
    return option(default=default, example=example, accepts=accepts, summary=summary)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of one site, checked: every value is ready for use."""

    base_url: str = option(
        default="",
        example="https://docs.example.com/",
        accepts=Accepts("URL", values.parse_base_url, "URL"),
        summary="The site's address, in place of the generator's own setting.",
    )
    """Percent-encoded, with a last slash; empty if it is not set."""

    filename: str = option(
        default="sitemap.xml",
        example="pages.xml",
        accepts=Accepts("file name", values.parse_filename, "FILE"),
        summary="Name of the sitemap file.",
    )
    """A plain name, without a folder, ending in `.xml`."""

    exclude: Patterns = option(
        default=[],
        example=["drafts/", "re:^old-"],
        accepts=_PATTERNS,
        summary=(
            "Pages to leave out: gitignore patterns, or regular expressions after"
            " `re:`."
        ),
    )
    """Over URL paths and the names of sources."""

    lastmod: tuple[values.DateOrigin, ...] = option(
        default=["page", "git", "published", "mtime"],
        example=["page", "git"],
        accepts=Accepts(
            "list of `page`, `git`, `published` and `mtime`, or false",
            values.parse_date_origins,
            "ORIGIN",
            "list",
        ),
        summary=(
            "Where a page's date may come from, in order of preference; `false`: no"
            " dates."
        ),
    )
    """In the order in which to ask; empty for no dates."""

    lastmod_format: Format = choice(
        get_args(Format),
        default="datetime",
        example="date",
        summary="Format of dates, always in UTC.",
    )
    """To the second, or the day alone."""

    ignore_revs: str | bool | tuple[str, ...] = option(
        default=True,
        example="reformatted.txt",
        accepts=Accepts(
            "true, false or file name", values.parse_ignore_revs, "true|false|FILE"
        ),
        summary=(
            "Commits to ignore for dates: `.git-blame-ignore-revs`, another file, or"
            " none."
        ),
    )
    """True: `.git-blame-ignore-revs` at the repository's root. A name is relative to
    that root. Several names, of which any may be missing, come from a host alone."""

    fetch_history: bool | Literal["auto"] = option(
        default="auto",
        example=True,
        accepts=Accepts(
            "true, false or `auto`",
            partial(values.parse_bool_or, word="auto"),
            shape="flag",
        ),
        summary=(
            "Fetch the history that a clone lacks from its own remote; `auto`: only on"
            " services that build sites."
        ),
    )
    """Whether the build may connect to the remotes of clones."""

    changes: values.Changes = choice(
        get_args(values.Changes),
        default="content",
        example="any",
        summary="Commits that date a page: those that change what readers see, or any.",
    )
    """`content`: not those of which it is certain that no reader sees what they
    change."""

    sources: tuple[tuple[Patterns, tuple[str, ...]], ...] = option(
        default={},
        example={"api/**": ["src/**/*.py"]},
        accepts=Accepts(
            "mapping of pattern to list of files",
            values.parse_sources,
            "PATTERN=NAME",
            "files",
        ),
        summary=(
            "Additional files, as glob patterns, that date the pages that a pattern"
            " matches."
        ),
    )
    """Each with glob patterns relative to the project's folder; all that match a page
    count."""

    changefreq: Rules[str] = option(
        default=None,
        example={"blog/": "weekly"},
        accepts=_rules(values.parse_changefreq),
        summary="`<changefreq>` of pages; not written by default.",
    )
    """First match wins; a page's own value comes before."""

    priority: Rules[float] = option(
        default=None,
        example={"blog/": 0.8},
        accepts=_rules(values.parse_priority),
        summary="`<priority>` of pages; not written by default.",
    )
    """First match wins; a page's own value comes before."""

    default_language: str = option(
        default="",
        example="en",
        accepts=Accepts("language", values.parse_language, "LANGUAGE"),
        summary="Language of the `x-default` version.",
    )
    """As the host knows it; empty for no `x-default` but the host's own."""

    inspect_html: bool = flag(
        default=True,
        summary="Read the built pages: noindex, redirects, canonical links, lists.",
    )
    """Whether the built HTML is read."""

    static_html: bool = flag(
        default=False,
        summary="Also list HTML files that the generator only copies.",
    )
    """Whether pages with the reason `static` are listed after all."""

    files: Patterns = option(
        default=[],
        example=["*.pdf", "/data/"],
        accepts=_PATTERNS,
        summary=(
            "Also list files that are not HTML, such as `*.pdf`: patterns for paths in"
            " the output."
        ),
    )
    """Over the names of files in the output folder."""

    urls: tuple[dict[str, object], ...] = option(
        default=[],
        example=["/app/", {"loc": "/api/", "lastmod": "2026-01-01"}],
        accepts=Accepts(
            "list of URLs, or of mappings with `loc`", values.parse_urls, "URL", "list"
        ),
        summary="Also list these pages of the same site, which other programs make.",
    )
    """Each with its `loc`, absolute or relative to the site, and the fields of front
    matter."""

    images: bool = flag(
        default=False,
        summary="Also list the images in each page's content, for image search.",
    )
    """Whether entries have images; needs `inspect_html`."""

    robots: bool = flag(
        default=True,
        summary="Add a `Sitemap:` line to the site's robots.txt.",
    )
    """Whether robots.txt gets our lines; its rules are obeyed either way."""

    gzip: bool = flag(
        default=False,
        summary=(
            "Also write a `.gz` copy of each file (default in MkDocs: true, as for its"
            " built-in sitemap)."
        ),
    )
    """Whether each file gets a compressed twin."""

    indent: int = option(
        default=0,
        example=2,
        accepts=_number(0, 8, "write 2, or 0 for one `<url>` a line"),
        summary="Spaces of indentation, 0 to 8; 0: one `<url>` per line.",
    )
    """0 to 8."""

    text: bool = flag(
        default=False,
        summary=(
            "Also write a text sitemap, `sitemap.txt`, with one URL per line; for an"
            " index, one for each part."
        ),
    )
    """Whether there is a text sitemap too, under the name of each file with URLs in
    `.txt`."""

    stylesheet: bool = flag(
        default=True,
        summary=(
            "Also write `sitemap.css`, with which browsers show the sitemap as a table."
        ),
    )
    """Whether there is a style sheet, under the submitted file's name in `.css`."""

    record: str = option(
        default="",
        example="pages.json",
        accepts=Accepts("file name", values.parse_record, "FILE"),
        summary=(
            "Also write a file, published with the site, that has each page's source,"
            " date and commit with its subject, or why the page is left out."
        ),
    )
    """A plain name, without a folder, ending in `.json`; empty for no record."""

    split: values.Split | Rules[str] = option(
        default="size",
        example={"guide/": "guide", "api/": "reference"},
        accepts=Accepts(
            "`size`, `section`, or mapping of pattern to name",
            values.parse_split,
            "size|section|PATTERN=NAME",
            "rules",
        ),
        summary=(
            "How to divide the sitemap: only if it is too large, by the first folder of"
            " URL paths, or into sections of your own."
        ),
    )
    """Rules: patterns over URL paths, each with its section's name."""

    max_urls: int = option(
        default=MAX_URLS,
        example=10_000,
        accepts=_number(1, MAX_URLS, "the protocol allows no more"),
        summary="Maximum number of URLs per file, up to 50,000.",
    )
    """1 to 50,000."""

    @classmethod
    def parse(
        cls, given: Mapping[str, object], *, where: str, prefix: str = ""
    ) -> Self:
        """Check the user's values, all of them, and return the record.

        Options that are not given take defaults. `where` names the file or setting in a
        message; `prefix` is what the host puts before the names of options.

        Raises:
            OptionsError: A name is unknown, or a value is wrong; the error names all of
                them at once.
        """
        known = {each.name: each for each in options_of(cls)}
        parsed: dict[str, Any] = {}
        problems: list[SitemapError] = []
        for name, value in given.items():
            if name not in known:
                problems.append(unknown_option(name, known.values(), prefix=prefix))
                continue
            try:
                parsed[name] = known[name].parse(value)
            except SitemapError as error:
                problem = f"{prefix}{name} = {error.problem}"
                problems.append(OptionsError(problem, cure=error.cure))
        if problems:
            raise OptionsError.of_all(problems, place=where)
        return cls(**parsed)


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginOptions(Options):
    """The options of a site whose generator runs our plugin while it builds."""

    page_dates: bool = flag(
        default=False,
        summary=(
            "Also give each page's date to the theme, which shows when it was last"
            " updated (plugins only)."
        ),
    )
    """Whether pages show the dates that the sitemap lists."""


def options_of(record: type[Options]) -> tuple[Option, ...]:
    """Return the declaration of each option of `Options`, or of a host's record."""
    return tuple(f.metadata["option"]._replace(name=f.name) for f in fields(record))


PLUGIN_OPTIONS = options_of(PluginOptions)
"""Every option that all plugins share, in the manual's order."""


def unknown_option(
    name: object, known: Iterable[Option] = PLUGIN_OPTIONS, *, prefix: str = ""
) -> OptionsError:
    """Return the error for a name that is not an option.

    `known` are the options that are allowed there. The cure names the option that was
    probably meant, if one is similar.
    """
    names = [f"{prefix}{each.name}" for each in known]
    whole = f"{prefix}{named(name)}"
    of_plugins = {each.name for each in PLUGIN_OPTIONS}
    if name in of_plugins.difference(each.name for each in known):
        problem = f"{whole} is an option of the plugins, which make the pages"
        return OptionsError(problem, cure="remove it")
    cure = values.did_you_mean(whole, names) or "remove it"
    return OptionsError(f"{whole} is not an option", cure=cure)
