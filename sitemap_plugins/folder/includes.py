"""How sources include files: the syntax of each generator, and the settings that switch it on.

The function of a syntax takes a text and yields what the text includes, in order.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugins.core.messages import SitemapError, quoted
from sitemap_plugins.core.untrusted_files import is_file, is_relative, read_regular_file
from sitemap_plugins.folder.project_files import ProjectFiles

MAX_CHARACTERS = 500
"""Characters of a name."""


class Include(NamedTuple):
    """One file that a text includes."""

    name: str
    """As written; it begins with a slash if it is relative to the folder of all sources."""

    is_part: bool = False
    """Whether only some of the file's lines are included."""

    is_literal: bool = False
    """Whether the file is shown as it is, so that its own includes are not followed."""


# PyMdown's Snippets: `--8<-- "file.md"`, or names between two lines of scissors; `;`
# escapes.
_SCISSORS = re.compile(
    r"""[ \t]*(;*)-+8<-+(?:[ \t]+("(?:\\"|[^"])+"|'(?:\\'|[^'])+'))?"""
)
_LINES_OR_SECTION = re.compile(
    r"(?:(?::-?[0-9]*){1,2}(?:,-?[0-9:]+)*|:[a-z][-_0-9a-z]*)$", re.IGNORECASE
)
# VitePress: `processIncludes`, and its rule for code.
_VITEPRESS = re.compile(r"<!--[ \t]*+@include:[ \t]*+([^\n]{0,500}?)-->")
_VITEPRESS_CODE = re.compile(r" {0,3}<<<[ \t]*(\S.*)")
# Asciidoctor's `IncludeDirectiveRx`, and the line around a comment.
_ASCIIDOC = re.compile(r"include::([^\s\[](?:[^\[]*[^\s\[])?)\[(.*)\][ \t]*")
_ASCIIDOC_COMMENT = re.compile(r"/{4,}[ \t]*")
_ASCIIDOC_PART = re.compile(r"\b(?:tags?|lines)=")
_ASCIIDOC_SUFFIXES = (".adoc", ".asciidoc", ".asc", ".ad", ".txt")
# mdBook's `links.rs`: an escaped link, or one with its type, its path and what follows.
_MDBOOK = re.compile(
    r"""
    \\\{\{\#                        # Escaped: no type is found.
    | \{\{\s*\#(include|rustdoc_include|playground|playpen)
      \s++([^}\s]{1,500}+)           # The path.
      [^}]{0,500}+\}\}
    """,
    re.VERBOSE,
)
# Quarto: a shortcode that is alone on its line.
_QUARTO = re.compile(
    r"""\s*\{\{<\s+(include|embed)\s+["']?([^"'\s>]+)["']?(?:\s[^>]*)?>\}\}\s*"""
)
# The last line of a statement of JavaScript modules that names a text.
_MDX = re.compile(
    r"""(?:import|export|\})[^"']*\bfrom[ \t]+["']([^"']+\.mdx?)["'];?[ \t]*"""
)
_DIRECTIVE = re.compile(r"\{([\w:.+-]+)\}[ \t]*(.*)")
_RST_DIRECTIVE = re.compile(r"([ \t]*)\.\.[ \t]+([\w:.+-]+)::[ \t]*(.*)")
# A fence can be in a quotation or a list.
_FENCE = re.compile(
    r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+(`{3,}+|~{3,}+|:{3,}+)[ \t]*+([^`]*+)"
)
_OPTION = re.compile(r"[ \t>]*:([\w-]+):")
_INCLUDING = ("include", "literalinclude")
_CODE = (
    "code",
    "code-block",
    "code-cell",
    "sourcecode",
    "parsed-literal",
    "raw",
    "math",
)
_OF_PART = {
    *("lines", "pyobject", "start-line", "end-line", "start", "end"),
    *("start-at", "start-after", "end-at", "end-before"),
}
# include-markdown's tags, and Jinja's, whose names can also be expressions.
_TAG = re.compile(
    r"""\{%[-+]?\s*include(?:-markdown)?\s+(?:"([^"\n]+)"|'([^'\n]+)')([^%]*)"""
)
_JINJA = re.compile(
    r"""\{%[-+]?\s*(?:include|import|from|extends)\s+(?:"([^"\n]+)"|'([^'\n]+)'|(\S+))"""
)
_MARKDOWN_INCLUDE = re.compile(r"\{!([^!\n]+)!(lines=[0-9 -]+)?\}")
_MDX_INCLUDE = re.compile(
    r"(?<!\\)\{!([-+]?)>?([^]|[!\n]+)(?:(\[ln:[0-9.,-]+\])[ \t]*)?(?:\|[^!\n]+)?!\}"
)


def snippets(text: str) -> Iterator[Include]:
    r"""Yield what PyMdown's Snippets include.

    >>> [include.name for include in snippets('--8<-- "a.md:2:5"\n;--8<-- "b.md"\n')]
    ['a.md']
    """
    is_block = False
    for line in text.splitlines():
        found = _SCISSORS.fullmatch(line)
        if found and not found[1] and not found[2]:
            is_block = not is_block
        # In a block, each line is a name; elsewhere, names are in quotes.
        if bool(found) == is_block or (found and (found[1] or not found[2])):
            continue
        name = found[2][1:-1].strip() if found else line.strip()
        path = _LINES_OR_SECTION.sub("", name) if len(name) <= MAX_CHARACTERS else name
        if path and not name.startswith(";"):
            yield Include(path.strip(), is_part=path != name)


def vitepress(text: str) -> Iterator[Include]:
    """Yield what VitePress includes: `<!--@include: file.md{3,}-->`, and code: `<<< @/file.js`."""
    for name in _VITEPRESS.findall(text):
        path = re.split(r"[#{]", name, maxsplit=1)[0]
        yield Include(_from_root(path.strip()), is_part=path != name)
    for line in _outside_code(text):
        if found := _VITEPRESS_CODE.fullmatch(line):
            path = re.split(r"[#{\[]", found[1], maxsplit=1)[0]
            yield Include(_from_root(path.strip()), is_literal=True)


def asciidoc(text: str) -> Iterator[Include]:
    """Yield what AsciiDoc includes, also in listings: `include::partial$a.adoc[tag=b]`.

    Asciidoctor looks for includes in texts only, not in code that is included.
    """
    comment = ""
    for line in text.splitlines():
        if _ASCIIDOC_COMMENT.fullmatch(line):
            if not comment:
                comment = line
            elif comment == line:
                comment = ""
        elif not comment and (found := _ASCIIDOC.fullmatch(line)):
            name = found[1]
            yield Include(
                name,
                is_part=_ASCIIDOC_PART.search(found[2]) is not None,
                is_literal=not name.endswith(_ASCIIDOC_SUFFIXES),
            )


def mdx(text: str) -> Iterator[Include]:
    """Yield the texts that MDX imports: `import Part from "./_part.mdx"`; no components.

    `@site` is Docusaurus' name for the folder of its settings.
    """
    for line in _outside_code(text):
        if found := _MDX.fullmatch(line):
            yield Include(found[1].removeprefix("@site"))


def mdbook(text: str) -> Iterator[Include]:
    """Yield what mdBook includes: `{{#include file.rs:2:10}}` and similar links."""
    for kind, path in _MDBOOK.findall(text):
        if kind:
            name, _, part = path.partition(":")
            yield Include(name, is_part=bool(part), is_literal=kind != "include")


def quarto(text: str) -> Iterator[Include]:
    """Yield what Quarto includes: `{{< include _a.qmd >}}`, `{{< embed a.ipynb#id >}}`."""
    for line in _outside_code(text):
        found = _QUARTO.fullmatch(line)
        if found:
            name = found[2].partition("#")[0]
            yield Include(name, is_literal=found[1] == "embed")


def myst(text: str) -> Iterator[Include]:
    """Yield what MyST's directives include, in mystmd and in Sphinx.

    Directives can be in directives; those in code are only shown.
    """
    lines = text.splitlines()
    ahead: list[tuple[str, bool]] = []  # The open fences, each with whether it is code.
    for number, line in enumerate(lines):
        if not (found := _FENCE.fullmatch(line)):
            continue
        fence, info = found[1], found[2]
        opened, is_code = ahead[-1] if ahead else ("", False)
        if opened and not info and fence.startswith(opened):
            ahead.pop()
        elif not is_code:
            directive = _DIRECTIVE.match(info)
            ahead.append(
                (fence, directive[1] in _CODE if directive else fence[0] != ":")
            )
            if directive and directive[1] in _INCLUDING:
                yield _of_directive(directive[1], directive[2], lines, number)


def rst(text: str) -> Iterator[Include]:
    """Yield what reStructuredText's directives include."""
    lines = text.splitlines()
    literal: int | None = None  # The indentation below which a literal block ends.
    for number, line in enumerate(lines):
        indentation = len(line) - len(line.lstrip())
        if not line.strip() or (literal is not None and indentation > literal):
            continue
        literal = None
        found = _RST_DIRECTIVE.match(line)
        if found and found[2] in _INCLUDING:
            # A name between `<` and `>` is a file of docutils itself.
            if not found[3].startswith("<"):
                yield _of_directive(found[2], found[3], lines, number)
        elif (found and found[2] in _CODE) or (
            not found and line.rstrip().endswith("::")
        ):
            literal = indentation


def include_markdown(text: str) -> Iterator[Include]:
    """Yield what the plugin include-markdown includes: `{% include-markdown "../a.md" %}`.

    Names are relative to the folder of all sources unless they begin with a dot.
    """
    for double, single, options in _TAG.findall(text):
        name = double or single
        is_part = "start=" in options or "end=" in options
        is_relative = name.startswith(("./", "../")) or "://" in name
        yield Include(name if is_relative else f"/{name}", is_part=is_part)


def jinja(text: str) -> Iterator[Include]:
    """Yield the templates that a text includes, imports or extends, as mkdocs-macros does."""
    for names in _JINJA.findall(text):
        yield Include("".join(names))


def markdown_include(text: str) -> Iterator[Include]:
    """Yield what Markdown-Include includes: `{!file.md!}`, `{!file.md!lines=1-3}`."""
    for name, lines in _MARKDOWN_INCLUDE.findall(text):
        yield Include(name.strip(), is_part=bool(lines))


def mdx_include(text: str) -> Iterator[Include]:
    """Yield what mdx_include includes: `{!file.md[ln:1-3] | utf-8!}`; `{!-` shows it as it is."""
    for recursion, name, lines in _MDX_INCLUDE.findall(text):
        yield Include(name.strip(), is_part=bool(lines), is_literal=recursion == "-")


def _from_root(name: str) -> str:
    """Return a name of VitePress, in which `@` means the folder of all sources."""
    return f"/{name[1:].removeprefix('/')}" if name.startswith("@") else name


def _of_directive(
    kind: str, argument: str, lines: Sequence[str], number: int
) -> Include:
    """Return what a directive includes; its options are in the lines after its own."""
    options = set()
    while number + 1 < len(lines) and (option := _OPTION.match(lines[number + 1])):
        options.add(option[1])
        number += 1
    is_literal = kind != "include" or bool(options & {"literal", "code"})
    return Include(
        argument.strip(), is_part=bool(options & _OF_PART), is_literal=is_literal
    )


def _outside_code(text: str) -> Iterator[str]:
    """Yield the lines outside fenced code."""
    fence = ""
    for line in text.splitlines():
        found = _FENCE.fullmatch(line)
        if not found or found[1][0] == ":":
            if not fence:
                yield line
        elif not fence:
            fence = found[1]
        elif found[1].startswith(fence) and not found[2]:
            fence = ""


MAX_FILES = 1_000
"""Files that one page may include, and includes that one file may have."""

MAX_BYTES = 8 * 1024 * 1024
"""Bytes of a file in which includes are looked for: notebooks contain their images."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Syntax:
    """One way to include files, as the generator's settings define it."""

    find: Callable[[str], Iterable[Include]]

    suffixes: tuple[str, ...]
    """The suffixes of the sources that can have this syntax."""

    root: Path
    """The folder for names that begin with a slash."""

    bases: tuple[Path, ...] | None = None
    """Where all other names are looked for, in order: folders, or single files. None: beside the
    file that includes them, and beside the page's own."""

    is_restricted: bool = False
    """Whether a name must not lead out of the base in which it is looked for."""

    downloads: bool = False
    """Whether a name can be an address; if not, the generator includes nothing for one."""

    components: Mapping[str, tuple[Path, ...]] | None = None
    """The folders of Antora's components by name, if names can be its resource ids."""

    skips_missing: bool = False
    """Whether the generator includes nothing for a name that means no file below `bases`."""


class Included(NamedTuple):
    """The files that one page is made of besides its own source."""

    files: tuple[Path, ...] = ()
    """Absolute, in the order of their first use."""

    unknown: str = ""
    """Why some of them are unknown, for messages; empty if all are known."""


NOTHING = Included()


@dataclass(frozen=True, slots=True, kw_only=True)
class Includes:
    """Finds what sources include; each file is read once."""

    root: Path
    """The real folder of the project: files outside are not read."""

    syntaxes: tuple[Syntax, ...]

    _read: dict[tuple[str, str], list[tuple[Syntax, Include]]] = field(
        default_factory=dict
    )

    def of(self, source: Path) -> Included:
        """Return the files that the page of a source includes, at any depth."""
        try:
            return Included(tuple(self._follow(source)))
        except _UnknownError as error:
            return Included(unknown=error.problem)

    def _follow(self, source: Path) -> Iterable[Path]:
        files: dict[Path, None] = {}
        # Each file with whether only a part of it is shown.
        ahead, seen = [(source, False)], {source}
        while ahead:
            file, is_part = ahead.pop()
            for syntax, include in self._includes(file, source.suffix.lower()):
                if _is_address(include.name) and not syntax.downloads:
                    continue
                target = self._find(syntax, include, file, source)
                if target is None:
                    continue
                # The include may be outside the part that is shown.
                if is_part and target not in seen:
                    msg = f"includes a part of {quoted(file.name)}, which includes other files"
                    raise _UnknownError(msg)
                files[target] = None
                if len(files) > MAX_FILES:
                    raise _UnknownError(_TOO_MANY)
                if target not in seen and not include.is_literal:
                    seen.add(target)
                    ahead.append((target, include.is_part))
        files.pop(source, None)
        return files

    def _includes(self, file: Path, suffix: str) -> list[tuple[Syntax, Include]]:
        """Return what a file includes if it is part of a source with this suffix."""
        key = os.fspath(file), suffix
        if key not in self._read:
            syntaxes = [syntax for syntax in self.syntaxes if suffix in syntax.suffixes]
            text = self._text(file) if syntaxes else ""
            found = (
                (syntax, include)
                for syntax in syntaxes
                for include in syntax.find(text)
            )
            self._read[key] = list(islice(found, MAX_FILES + 1))
        if len(self._read[key]) > MAX_FILES:
            raise _UnknownError(_TOO_MANY)
        return self._read[key]

    def _text(self, file: Path) -> str:
        """Return a file's text, of a notebook that of its cells.

        Raises:
            _UnknownError: It cannot be read, or leads out of the project.
        """
        error = _UnknownError(f"is made of {quoted(file.name)}, which cannot be read")
        if not self._holds(file):
            raise error
        try:
            text = read_regular_file(file, max_bytes=MAX_BYTES).decode(
                "utf-8-sig", "replace"
            )
            if file.suffix.lower() != ".ipynb":
                return text
            cells = [
                cell
                for cell in json.loads(text)["cells"]
                if cell["cell_type"] == "markdown"
            ]
            return "\n".join("".join(cell["source"]) for cell in cells)
        except (OSError, ValueError, RecursionError, KeyError, TypeError):
            raise error from None

    def _holds(self, file: Path) -> bool:
        """Tell whether a file is in the project, and no link on its way leads out."""
        real = Path(os.path.realpath(file))
        return real.is_relative_to(self.root) and is_file(real)

    def _find(
        self, syntax: Syntax, include: Include, file: Path, source: Path
    ) -> Path | None:
        """Return the first file of the project that a name can mean, or None if none is included.

        Raises:
            _UnknownError: There is no such file, though the generator needs or has one.
        """
        name = include.name
        if _is_address(name):
            raise _UnknownError(f"includes {quoted(name)}, whose date is unknown")
        if len(name) <= MAX_CHARACTERS and "\0" not in name:
            candidates = list(_candidates(syntax, name, file, source))
            for candidate in candidates:
                if self._holds(candidate):
                    return candidate
            # A name with a brace may be a template, which another extension fills in.
            is_plain = is_relative(name) and "{" not in name
            if (
                syntax.skips_missing
                and is_plain
                and not any(map(os.path.lexists, candidates))
            ):
                return None
        raise _UnknownError(
            f"includes {quoted(name)}, which is not a file of the project"
        )


class _UnknownError(SitemapError):
    """Why not all files of a page are known."""


_TOO_MANY = f"includes more than {MAX_FILES:,} files"


def _is_address(name: str) -> bool:
    return name.lower().startswith(("http://", "https://"))


# Antora's parse-resource-id.js: `version@component:module:family$relative`.
_RESOURCE = re.compile(
    r"""
    (?:(?P<version>[^@:$]+)@)?
    (?:(?:(?P<component>[^@:$]+):)?(?P<module>[^@:$]+)?:)?
    (?:(?P<family>[^@:$]+)\$)?
    (?P<relative>[^:$][^@:$]*)
    """,
    re.VERBOSE,
)
_IS_RESOURCE = re.compile(r"[$:@]")
_FAMILIES = {
    "page": ("pages",),
    "partial": ("partials", "pages/_partials"),
    "example": ("examples",),
    "attachment": ("attachments",),
    "image": ("images",),
}
"""The folders of a module that contain each of Antora's families."""


def _resources(
    components: Mapping[str, tuple[Path, ...]], name: str, file: Path
) -> Iterator[Path]:
    """Yield the paths that an id of Antora in a file can mean; none for another version."""
    found = _RESOURCE.fullmatch(name)
    if found is None or found["version"]:
        return
    above, _, inside = file.as_posix().rpartition("/modules/")
    own_module, _, rest = inside.partition("/")
    relative = found["relative"]
    # Antora takes `./` from the file's folder in its family, all else from the family's.
    if relative.startswith("./"):
        relative = f"{rest.partition('/')[2].rpartition('/')[0]}/{relative}"
    module = found["module"] or own_module
    roots = _roots(components, Path(above))
    if found["component"]:
        module = found["module"] or "ROOT"
        roots = components.get(found["component"], ())
    for root in roots:
        for folder in _FAMILIES.get(found["family"] or "page", ()):
            # Normalized apart, so that `..` stays in the family.
            below = os.path.normpath(f"/{relative}").lstrip(os.sep)
            yield root / "modules" / module / folder / below


def _roots(components: Mapping[str, tuple[Path, ...]], own: Path) -> tuple[Path, ...]:
    """Return the folders of the component that one of its folders belongs to."""
    same = (roots for roots in components.values() if own in roots)
    return next(same, (own,))


def _candidates(syntax: Syntax, name: str, file: Path, source: Path) -> Iterator[Path]:
    """Yield the normalized paths that a name can mean, in order."""
    if syntax.components is not None and _IS_RESOURCE.search(name):
        yield from _resources(syntax.components, name, file)
        return
    bases = (file.parent, source.parent) if syntax.bases is None else syntax.bases
    if name.startswith("/") and syntax.bases is None:
        name, bases = name.lstrip("/"), (syntax.root,)
    if not is_relative(name):
        return
    for base in bases:
        # Snippets can name single files too.
        is_single = is_file(base)
        path = Path(os.path.normpath((base.parent if is_single else base) / name))
        allowed = Path(os.path.normpath(base))
        if (
            path == allowed
            if is_single
            else not syntax.is_restricted or path.is_relative_to(allowed)
        ):
            yield path


MARKDOWN = (".md", ".markdown")
"""Suffixes of Markdown files."""


def usual_syntaxes(project: ProjectFiles) -> Iterator[Syntax]:
    """Yield the syntaxes that no setting changes.

    They are AsciiDoc, with Antora's ids, and MDX; mdBook's and Quarto's, if there are
    settings of these.
    """
    yield Syntax(
        find=asciidoc,
        suffixes=_ASCIIDOC_SUFFIXES[:-1],
        root=project.root,
        components=_components(project) or None,
    )
    settings: list[str] = []
    for name, same in project.by_last_name.items():
        if name.startswith("docusaurus.config."):
            settings += same
    # Docusaurus reads Markdown as MDX.
    suffixes = (".mdx", *MARKDOWN) if settings else (".mdx",)
    folder = project.root
    if len(settings) == 1:
        folder = (project.root / settings[0]).parent
    yield Syntax(find=mdx, suffixes=suffixes, root=folder)
    for name, find, more in (
        ("book.toml", mdbook, ()),
        ("_quarto.yml", quarto, (".qmd", ".ipynb")),
    ):
        for settings_file in project.by_last_name.get(name, ())[:1]:
            folder = (project.root / settings_file).parent
            yield Syntax(find=find, suffixes=(*MARKDOWN, *more), root=folder)


def _components(project: ProjectFiles) -> dict[str, tuple[Path, ...]]:
    """Return the folders of Antora's components by name; one can have several."""
    components: dict[str, tuple[Path, ...]] = {}
    for name in project.by_last_name.get(_COMPONENT, ()):
        if found := _NAME.search(project.beginning(name)):
            component = found[1].decode()
            folder = (project.root / name).parent
            components[component] = (*components.get(component, ()), folder)
    return components


_COMPONENT = "antora.yml"
_NAME = re.compile(rb"""^name:[ \t]*["']?([\w.-]+)""", re.ASCII | re.MULTILINE)


def syntaxes_in_use(
    settings: Mapping[str, Any], docs_dir: Path, file: Path, project_dir: Path
) -> Iterator[Syntax]:
    """Yield how the Markdown extensions and the plugins that are in use include files.

    `file` holds the settings.
    """
    syntax = partial(Syntax, suffixes=MARKDOWN, root=docs_dir)
    extensions, plugins = settings.get("markdown_extensions"), settings.get("plugins")
    variables = {"$docs_dir": docs_dir, "$config_dir": file.parent}

    def bases(value: object) -> tuple[Path, ...]:
        names = [
            str(name)
            for name in (value if isinstance(value, list) else [value])
            if name
        ]
        firsts = [name.partition("/") for name in names]
        return tuple(
            # Extensions take relative names from where the generator runs.
            variables[first] / rest if first in variables else project_dir / name
            for name, (first, _, rest) in zip(names, firsts, strict=True)
        )

    tags = options_in_use(plugins, "include-markdown")
    in_use = options_in_use(extensions, "pymdownx.snippets")
    if in_use is not None or tags is not None:
        # Zensical turns the plugin's tags into snippets, which then have other
        # defaults.
        options, is_plugins = in_use or {}, tags is not None
        base_path = options.get("base_path", "$docs_dir" if is_plugins else ".")
        found = bases(base_path)
        # If the generator ran elsewhere, a base was another folder. None: the page's
        # own.
        is_certain = file.parent == project_dir and all(map(os.path.exists, found))
        is_certain &= None not in (
            base_path if isinstance(base_path, list) else [base_path]
        )
        yield syntax(
            find=snippets,
            bases=found,
            is_restricted=options.get("restrict_base_path", not is_plugins)
            is not False,
            downloads=options.get("url_download", is_plugins) is True,
            skips_missing=is_certain
            and options.get("check_paths", is_plugins) is False,
        )
    for name, find in (
        ("markdown_include.include", markdown_include),
        ("mdx_include", mdx_include),
    ):
        if (extension := options_in_use(extensions, name)) is not None:
            yield syntax(find=find, bases=bases(extension.get("base_path", ".")))
    if tags is not None:
        yield syntax(find=include_markdown, downloads=True)
    elif (macros := options_in_use(plugins, "macros")) is not None:
        yield syntax(find=jinja, bases=bases(macros.get("include_dir") or "$docs_dir"))


def options_in_use(items: object, name: str) -> Mapping[str, Any] | None:
    """Return the options of an extension or a plugin; None if it is not in use.

    `items` is a list of names and mappings, or one mapping, in which TOML splits a name
    at dots.
    """
    for item in items if isinstance(items, list) else [items]:
        if item == name:
            return {}
        if not isinstance(item, dict):
            continue
        first, _, second = name.partition(".")
        nested = item.get(first)
        for mapping, key in ((item, name), (nested, second)):
            if isinstance(mapping, dict) and key in mapping:
                options = mapping[key]
                return options if isinstance(options, dict) else {}
    return None
