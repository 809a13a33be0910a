"""Catalogs of translations (`.po`) → the messages of each document, and translations.

A catalog contains the messages of one document, of a folder, or of all
(`gettext_compact`). Which of them a document shows is kept while Sphinx reads it.
"""

from __future__ import annotations

import re
import struct
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from sphinx.application import Sphinx
from sphinx.util.i18n import docname_to_domain

from sitemap_plugins.core.git.repository import MAX_COPY
from sitemap_plugins.core.records import Excerpt
from sitemap_plugins.core.untrusted_files import read_beginning, read_regular_file
from sitemap_plugins.sphinx.modules import find_shown

_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\t": r"\t"})
"""How gettext's files write characters."""

_NOTES = re.compile(rb"(?:#(?!,).*\n)*")
"""Comments before the flags of a message.

Most changes in a catalog are of references alone.
"""


class Translation(NamedTuple):
    """One entry of a catalog."""

    text: bytes
    """The original text, escaped as in the file, joined into one piece."""

    translation: bytes
    """The translated text, likewise; empty if it is missing."""

    fuzzy: bool
    """Whether the translation is only a tool's guess."""


def parse_catalog(content: bytes) -> Iterator[Translation]:
    """Yield the messages of a catalog, without its header and those out of use."""
    for block in _blocks(content):
        yield from _parse_block(block)


def _blocks(content: bytes) -> list[bytes]:
    if b"\r" in content:  # To look for one byte takes a thirtieth of the time.
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return content.split(b"\n\n")


def _without_notes(block: bytes) -> bytes:
    return _NOTES.sub(b"", block, count=1)


def _parse_block(block: bytes) -> Iterator[Translation]:
    """Yield the messages between two empty lines: one, as most tools write them."""
    fields: dict[bytes, list[bytes]] = {}
    current: list[bytes] = []
    fuzzy = False
    # A comment begins the next message; the comment that is added ends the last one.
    for line in [*block.split(b"\n"), b"#"]:
        keyword, _, rest = line.partition(b" ")
        begins = line.startswith(b"#") or keyword in {b"msgid", b"msgctxt"}
        if begins and b"msgstr" in fields:
            yield from _message(fields, fuzzy=fuzzy)
            fields = {}
            fuzzy = False
        if keyword == b"#,":
            fuzzy = b"fuzzy" in rest
        elif line.startswith(b'"'):
            current.append(line.strip()[1:-1])
        elif keyword.startswith(b"msg"):
            current = fields.setdefault(keyword.removesuffix(b"[0]"), [])
            current.append(rest.strip()[1:-1])


def _message(
    fields: Mapping[bytes, Iterable[bytes]], *, fuzzy: bool
) -> Iterator[Translation]:
    """Yield the message of some fields, unless it is a header or has a context."""
    text = b"".join(fields.get(b"msgid", ()))
    # Sphinx looks up messages without a context.
    if text and b"msgctxt" not in fields:
        yield Translation(text, b"".join(fields[b"msgstr"]), fuzzy)


@dataclass(slots=True, kw_only=True, eq=False)
class Catalog:
    """A catalog as its documents use it: called with a version, it returns their parts.

    A document's part consists of the translations of all messages that it shows now.
    """

    messages: Mapping[str, tuple[bytes, ...]]
    """The messages of each document; documents without any are absent."""

    fuzzy: bool
    """Whether Sphinx shows guesses (`gettext_allow_fuzzy_translations`)."""

    _blocks: frozenset[bytes] = frozenset()
    """The blocks of the version that was read last: other versions differ from it in
    few."""

    _translations: dict[bytes, bytes] = field(default_factory=dict)
    """The translations in that version, by message."""

    _parts: dict[str, tuple[bytes | None, ...]] = field(default_factory=dict)
    """The parts of that version, by document."""

    def __call__(self, content: bytes) -> dict[str, Hashable]:
        """Return what each document shows of one version of the file."""
        blocks = frozenset(_blocks(content))
        # Only the blocks in which the two versions differ are parsed.
        old = {_without_notes(block) for block in self._blocks - blocks}
        new = {_without_notes(block) for block in blocks - self._blocks}
        gone = dict(self._shown(old - new))
        come = dict(self._shown(new - old))
        for text in gone:
            self._translations.pop(text, None)
        self._translations |= come
        self._blocks = blocks
        changed = gone.keys() | come.keys()
        for name, messages in self.messages.items():
            if name not in self._parts or not changed.isdisjoint(messages):
                self._parts[name] = tuple(map(self._translations.get, messages))
        return {**self._parts}

    def _shown(self, blocks: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Yield the messages that Sphinx shows translated, with their translations."""
        for block in blocks:
            for message in _parse_block(block):
                if message.translation and (self.fuzzy or not message.fuzzy):
                    yield message.text, message.translation


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogReader:
    """Reads the catalogs of a site's languages."""

    app: Sphinx

    def excerpts(self) -> dict[str, tuple[Excerpt, ...]]:
        """Return what each document shows of the build's own catalogs, by its name."""
        config = self.app.config
        language = config.language or "en"
        domains = self._domains()
        messages = self._messages()
        found: dict[str, list[Excerpt]] = defaultdict(list)
        for name in config.locale_dirs:
            folder = Path(self.app.srcdir, name, language, "LC_MESSAGES")
            for domain, names in domains.items():
                shown = {name: messages[name] for name in names if name in messages}
                for excerpt in self._of_catalog(folder / domain, shown):
                    found[excerpt.name].append(excerpt)
        return {name: tuple(excerpts) for name, excerpts in found.items()}

    def translated(self, folders: Mapping[str, Iterable[Path]]) -> dict[str, set[str]]:
        """Return the documents of which any message is translated, by language.

        `folders` has the folders of each language's catalogs.
        """
        domains = self._domains()
        documents: dict[bytes, set[str]] = defaultdict(set)
        for name, messages in self._messages().items():
            for text in messages:
                documents[text].add(name)
        found: dict[str, set[str]] = {language: set() for language in folders}
        for language, of_language in folders.items():
            for folder in of_language:
                for domain, names in domains.items():
                    found[language] |= _translated(folder / domain, names, documents)
        return found

    def _of_catalog(
        self, stem: Path, messages: Mapping[str, tuple[bytes, ...]]
    ) -> Iterator[Excerpt]:
        """Yield what each document shows of a catalog, in an excerpt for each.

        `messages` has the messages of each document, also those that the catalog has no
        more. If the source, the `.po` file, cannot be read, the excerpts are those of
        the compiled catalog.
        """
        file = stem.with_name(f"{stem.name}.po")
        try:
            _content(file)
        except OSError:
            yield from _of_compiled(stem, messages)
            return
        catalog = Catalog(
            messages=messages, fuzzy=self.app.config.gettext_allow_fuzzy_translations
        )
        for name in messages:
            yield Excerpt(file=file, name=name, read=catalog)

    def _messages(self) -> dict[str, tuple[bytes, ...]]:
        """Return the messages of each document, as gettext writes their texts."""
        found = {}
        for name, shown in find_shown(self.app).items():
            texts = [text.translate(_ESCAPES).encode() for text in shown.messages]
            if texts:
                found[name] = tuple(sorted(texts))
        return found

    def _domains(self) -> dict[str, list[str]]:
        """Return the documents of each catalog, by its name, equal in all languages."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self.app.env.found_docs):
            found[docname_to_domain(name, self.app.config.gettext_compact)].append(name)
        return found


def _of_compiled(stem: Path, names: Collection[str]) -> Iterator[Excerpt]:
    """Yield an excerpt for each document of a catalog that is kept only compiled.

    The excerpt is the whole file, as what a document shows of it is not known.
    """
    file = stem.with_name(f"{stem.name}.mo")
    if not file.is_file():
        return
    read = partial(dict.fromkeys, names)
    is_alone = len(names) == 1
    for name in names:
        yield Excerpt(file=file, name=name, read=read, is_attributable=is_alone)


def _translated(
    stem: Path, names: Collection[str], documents: Mapping[bytes, set[str]]
) -> set[str]:
    """Return those of a catalog's documents of which any message is translated.

    `documents` has the documents that show each message.
    """
    try:
        content = _content(stem.with_name(f"{stem.name}.po"))
    except OSError:
        return {*names} if _is_compiled(stem.with_name(f"{stem.name}.mo")) else set()
    found: set[str] = set()
    # The end of most messages shows it in a fiftieth of the time of parsing them.
    blocks = (block for block in _blocks(content) if not _is_untranslated(block))
    for message in chain.from_iterable(map(_parse_block, blocks)):
        if message.fuzzy or not message.translation:
            continue
        found |= documents.get(message.text, set()).intersection(names)
        if len(found) == len(names):
            break
    return found


def _is_untranslated(block: bytes) -> bool:
    """Tell whether a block surely is one message without a translation."""
    return (
        block.endswith((b'\nmsgstr ""', b'\nmsgstr ""\n'))
        and block.count(b"msgstr") == 1
    )


def _content(file: Path) -> bytes:
    """Read a catalog, but no pipe or device: nothing else opens it in this build."""
    return read_regular_file(file, max_bytes=MAX_COPY)


def _is_compiled(file: Path) -> bool:
    """Tell whether a compiled catalog has more than a header (gettext, 10.3)."""
    try:
        head = read_beginning(file, max_bytes=12)
    except OSError:
        return False
    # The third number is how many messages there are; the header is one of them.
    form = "<I" if head.startswith(b"\xde\x12\x04\x95") else ">I"
    return len(head) == 12 and struct.unpack(form, head[8:])[0] > 1
