"""Run a generator and record what it reads for each page, and a tool's seconds.

    python observe.py RECORD.json TOOL -m MODULE [argument …]

This runs in a site's own environment, so it needs nothing but the generator. While a
page's source is read and rendered, each file that Python opens is noted (an audit hook
sees them all: PEP 578). RECORD.json gets `{"seconds": …, "build": …, "pages": {output
file: [source, file, …]}, "elsewhere": […]}`; output files are relative to the output
folder, the others absolute. A source is null if a plugin made the page of no file; null
comes before it if the page lists others. Elsewhere are the files below the settings'
repository that were opened while no page was read, by others than the tool.
Seconds are the processor's in the tool's functions and in git, so that other work of
the machine does not count.
"""

from __future__ import annotations

import csv
import functools
import json
import os
import re
import resource
import runpy
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import unquote

MODULES = {
    "sitemap_plugins": {"sitemap_plugins"},
    "sphinx-sitemap": {"sphinx_sitemap", "sphinx_last_updated_by_git"},
    "pelican-sitemap": {"pelican.plugins.sitemap"},
}
"""The modules whose functions are timed."""


def processor_seconds() -> float:
    """Return the processor time of this process and of those that it has waited for."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(
            resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
    )


def parts(module: str) -> list[str]:
    """Return a module's name and those of the packages around it."""
    names = module.split(".")
    return [".".join(names[:end]) for end in range(1, len(names) + 1)]


class Record:
    """What was seen of a run."""

    def __init__(self, tool: str) -> None:
        """Begin to note what is opened, and to time the functions of a tool."""
        self.pages: dict[str, list[str]] = {}
        """For each output file: its page's source, then the files that were opened."""
        self.seconds = 0.0
        self.elsewhere: set[str] = set()
        """Files that were opened while no page was read."""
        self._modules = MODULES.get(tool, set())
        self._now = threading.local()
        sys.addaudithook(self._audit)

    def _audit(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and (arguments[1] is None or "r" in arguments[1]):
            self.note(arguments[0])

    def note(self, path: object) -> None:
        """Note that a file was read; descriptors have no name."""
        if not isinstance(path, (str, bytes, os.PathLike)):
            return
        file = os.path.realpath(os.fsdecode(path))
        files = getattr(self._now, "files", None)
        if files is not None:
            files[file] = None
        elif not getattr(self._now, "is_timed", False):
            self.elsewhere.add(file)

    def reading(self, function, page_of):
        """Wrap a function that reads one page.

        `page_of` returns its output file, its source, and whether it lists others.
        """

        @functools.wraps(function)
        def observed(*args, **kwargs):
            outer = getattr(self._now, "files", None)
            opened = self._now.files = {}
            try:
                result = function(*args, **kwargs)
            finally:
                self._now.files = outer
            output, source, is_list = page_of(*args, **kwargs)
            files = [source, *(path for path in opened if path != source)]
            self.pages[output] = [None, *files] if is_list else files
            return result

        return observed

    def timed(self, function):
        """Wrap a function if it is the tool's; others are returned as they are."""
        inner = getattr(function, "func", function)  # A partial's.
        owner = type(getattr(inner, "__self__", None)).__module__
        modules = {inner.__module__ or "", owner}  # A conf.py has none.
        if not {part for name in modules for part in parts(name)} & self._modules:
            return function
        return self.always_timed(function)

    def always_timed(self, function):
        """Wrap a function, whose seconds are the tool's."""

        @functools.wraps(function)
        def counted(*args, **kwargs):
            outer = getattr(self._now, "is_timed", False)
            begin = processor_seconds()
            self._now.is_timed = True
            try:
                return function(*args, **kwargs)
            finally:
                self._now.is_timed = outer
                if not outer:
                    self.seconds += processor_seconds() - begin

        return counted


def observe_mkdocs(record: Record, host: str) -> None:
    """MkDocs and ProperDocs: `host` is the package."""
    build = __import__(f"{host}.commands.build", fromlist=["build"])
    plugins = __import__(f"{host}.plugins", fromlist=["plugins"])

    def page_of(page, *_others, **_named):
        # Material's lists of posts are pages of a class of their own, most without a
        # file.
        is_list = "View" in {each.__name__ for each in type(page).__mro__}
        source = page.file.abs_src_path
        return page.file.dest_uri, source and os.path.realpath(source), is_list

    build._populate_page = record.reading(build._populate_page, page_of)
    register = plugins.PluginCollection._register_event

    def timed_register(self, event, method, *args, **kwargs):
        return register(self, event, record.timed(method), *args, **kwargs)

    plugins.PluginCollection._register_event = timed_register
    template = build._build_theme_template
    own = record.always_timed(template)

    def timed_template(name, *args, **kwargs):
        return (own if name == "sitemap.xml" else template)(name, *args, **kwargs)

    build._build_theme_template = timed_template
    note_templates(record)


def note_templates(record: Record) -> None:
    """Note a template that Jinja takes from its cache like one that it opens."""
    import jinja2

    load = jinja2.Environment._load_template

    def noted(self, *args, **kwargs):
        template = load(self, *args, **kwargs)
        record.note(template.filename)
        return template

    jinja2.Environment._load_template = noted


def observe_zensical(record: Record) -> None:
    from zensical.markdown import render

    def page_of(_content, path, url, *_others):
        from zensical.config import get_config

        output = f"{url}index.html" if not url or url.endswith("/") else url
        source = os.path.join(get_config()["docs_dir"], path)
        return output, os.path.realpath(source), False

    render.render = record.reading(render.render, page_of)


def observe_pelican(record: Record) -> None:
    import blinker
    from pelican import readers, signals

    connect, connected, output_dirs = blinker.Signal.connect, [], []

    def timed_connect(self, receiver, *args, **kwargs):
        receiver = record.timed(receiver)
        connected.append(receiver)  # Signals keep weak references.
        return connect(self, receiver, *args, **kwargs)

    def page_of(_readers, base_path, path, *_others, **_named):
        source = os.path.realpath(os.path.join(base_path, path))
        return source, source, False

    def written(path, context):
        content = context.get("article") or context.get("page")
        source = os.path.realpath(getattr(content, "source_path", None) or "")
        files = record.pages.get(source)
        if files and content.status == "published":
            record.pages[os.path.relpath(path, output_dirs[0])] = files

    def initialized(pelican):
        # The site's, then its subsites'.
        output_dirs.append(pelican.settings["OUTPUT_PATH"])

    blinker.Signal.connect = timed_connect
    readers.Readers.read_file = record.reading(readers.Readers.read_file, page_of)
    signals.initialized.connect(initialized, weak=False)
    signals.content_written.connect(written, weak=False)
    note_templates(record)


def observe_sphinx(record: Record) -> None:
    from sphinx import application, builders, events

    connect = events.EventManager.connect

    def timed_connect(self, name, callback, priority=500):
        return connect(self, name, record.timed(callback), priority)

    def page_of(builder, docname, **_named):
        source = str(builder.env.doc2path(docname))
        return output_of(builder.app, docname), source, False

    events.EventManager.connect = timed_connect
    builders.Builder.read_doc = record.reading(builders.Builder.read_doc, page_of)
    build = application.Sphinx.build

    def observed(self, *args, **kwargs):
        try:
            return build(self, *args, **kwargs)
        finally:
            for docname in sorted(self.env.found_docs):
                output = output_of(self, docname)
                files = sphinx_files(self, docname, record.pages.get(output, []))
                # ABlog writes its list of posts over a document of this name.
                is_list = docname == getattr(self.config, "blog_path", None)
                record.pages[output] = [None, *files] if is_list else files

    application.Sphinx.build = observed


def output_of(app, docname: str) -> str:
    return os.path.relpath(app.builder.get_outfilename(docname), app.outdir)


def sphinx_files(app, docname: str, opened: list[str]) -> list[str]:
    """Return what a document was made from, its catalog, and the texts it opened."""
    from sphinx.util.i18n import docname_to_domain

    env = app.env
    files = [
        str(env.doc2path(docname)),
        *map(str, sorted(env.dependencies.get(docname, ()))),
    ]
    files += [str(env.doc2path(each)) for each in sorted(env.included.get(docname, ()))]
    domain = docname_to_domain(docname, app.config.gettext_compact)
    for folder in app.config.locale_dirs if app.config.language else ():
        catalog = os.path.join(
            folder, app.config.language, "LC_MESSAGES", f"{domain}.po"
        )
        if os.path.exists(os.path.join(app.srcdir, catalog)):
            files.append(catalog)
    # Directives of a site's own read files that they do not report; .mo are made of
    # catalogs.
    files += [file for file in opened[1:] if not file.endswith(".mo")]
    return unique(os.path.realpath(os.path.join(app.srcdir, file)) for file in files)


def observe_nikola(record: Record) -> None:
    """Nikola says itself which files it makes each page of."""
    from nikola.nikola import Nikola

    scan = Nikola.scan_posts

    def observed(self, *args, **kwargs):
        result = scan(self, *args, **kwargs)
        for post in self.timeline:
            for language in post.translated_to:
                output = post.destination_path(language)
                files = [
                    post.translated_source_path(language),
                    *post.fragment_deps(language),
                ]
                record.pages[os.path.normpath(output)] = unique(
                    map(os.path.realpath, files)
                )
        return result

    Nikola.scan_posts = observed


def run_hugo(record: Record, arguments: tuple[str, ...]) -> None:
    """Run Hugo, and note of which file it says that it makes each page."""
    hugo = os.path.join(os.path.dirname(sys.executable), "hugo")
    subprocess.run([hugo, *arguments], check=True)
    # This command takes the address from a variable only.
    at = arguments.index("--baseURL")
    base_url = arguments[at + 1]
    command = [hugo, "list", "published", *arguments[:at], *arguments[at + 2 :]]
    listed = subprocess.run(
        command,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "HUGO_BASEURL": base_url},
    )
    rows = list(csv.DictReader(listed.stdout.splitlines()))
    for row in rows:
        output = unquote(row["permalink"].removeprefix(base_url))
        output += "index.html" if output.endswith("/") or not output else ""
        record.pages[output] = [os.path.realpath(row["path"])]


def run_antora(record: Record, arguments: tuple[str, ...]) -> None:
    """Run Antora, and note the pages of the component in this folder.

    Their addresses are those of their modules, below a folder for the version.
    """
    subprocess.run(["antora", *arguments], check=True)
    settings = Path("antora.yml").read_text("utf-8")
    name = re.search(r"^name: *(\S+)", settings, re.MULTILINE)[1]
    for source in sorted(Path("modules").glob("*/pages/**/*.adoc")):
        _, module, _, *below = source.with_suffix("").parts
        inner = [*below] if module == "ROOT" else [module, *below]
        path = "/".join(inner)
        ends = [f"{path}.html", f"{path}/index.html"]
        for end in ends:
            for output in Path("build/site", name).glob(f"*/{end}"):
                place = output.relative_to("build/site").as_posix()
                record.pages[place] = unique(map(os.path.realpath, included(source)))


FAMILIES = {"partial": "partials", "example": "examples", "page": "pages"}
RESOURCE = re.compile(
    r"""
    ^ include:: (?: [^\[\]$]* @ )?               # A version,
    (?: [^\[\]$:]+ : (?= [^\[\]$:]* : ) )?       # a component,
    (?: ([^\[\]$:]*) : )? (?: (\w+) \$ )?        # a module, a family,
    ([^\[\]$]+) \[                             # and a path in it.
    """,
    re.MULTILINE | re.VERBOSE,
)
"""An include of AsciiDoc with one of Antora's resource ids."""


def included(file: Path) -> list[Path]:
    """Return a document of Antora, and all files that it includes."""
    found = [file]
    for source in found:
        if source.suffix != ".adoc":
            continue
        for module, family, path in RESOURCE.findall(source.read_text("utf-8")):
            folder = source.parent
            if family or module:
                own = module or source.parts[1]
                folder = Path("modules", own, FAMILIES.get(family, "pages"))
            other = folder / path
            if other.is_file() and other not in found:
                found.append(other)
    return found


IMPORT = re.compile(r"""^import .* from ["'](\.{1,2}/[^"']+)["']""", re.MULTILINE)


def run_starlight(record: Record, arguments: tuple[str, ...]) -> None:
    """Run Astro, and note the documents, and what they import of the folder."""
    environment = os.environ | {"ASTRO_TELEMETRY_DISABLED": "1"}
    subprocess.run(["astro", *arguments], check=True, env=environment)
    root = Path("src/content/docs")
    for source in sorted([*root.rglob("*.md"), *root.rglob("*.mdx")]):
        path = source.relative_to(root).with_suffix("")
        folder = path.parent if path.name == "index" else path
        imported = IMPORT.findall(source.read_text("utf-8"))
        files = [source, *(source.parent / name for name in imported)]
        output = (folder / "index.html").as_posix()
        record.pages[output] = unique(map(os.path.realpath, files))


RUN = {"hugo": run_hugo, "antora": run_antora, "starlight": run_starlight}
"""Programs that are not of Python, by the name of their generator."""


def unique(files) -> list[str]:
    return list(dict.fromkeys(files))


def main(file: str, tool: str, _dash_m: str, module: str, *arguments: str) -> None:
    record = Record(tool)
    match module:
        case "mkdocs" | "properdocs":
            observe_mkdocs(record, module)
        case "zensical":
            observe_zensical(record)
        case "nikola":
            observe_nikola(record)
        case "pelican":
            observe_pelican(record)
        case "sphinx":
            observe_sphinx(record)
    sys.argv = [module, *arguments]
    sys.path[0] = os.getcwd()
    status = 0
    begin = time.perf_counter()
    processor = processor_seconds()
    try:
        if module in RUN:
            RUN[module](record, arguments)
        else:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        status = end.code
    if module == "sitemap_plugins":
        record.seconds = processor_seconds() - processor
    # What these spend on their own sitemaps cannot be told from the rest.
    has_seconds = module not in {"zensical", "nikola", *RUN}
    # Which page they are read for is not observed.
    if module == "nikola":
        record.elsewhere.clear()
    root = f"{repository_of(os.getcwd())}{os.sep}"
    seen = {
        "seconds": round(record.seconds, 3) if has_seconds else None,
        "build": round(time.perf_counter() - begin, 3),
        # Pelican's are noted by their source too, until the output file is known.
        "pages": {
            name: files
            for name, files in record.pages.items()
            if not os.path.isabs(name)
        },
        "elsewhere": sorted(f for f in record.elsewhere if f.startswith(root)),
    }
    Path(file).write_text(json.dumps(seen), "utf-8")
    sys.exit(status)


def repository_of(folder: str) -> str:
    """Return the root of the clone that a folder is in, or the folder without one."""
    path = Path(folder).resolve()
    for parent in (path, *path.parents):
        if (parent / ".git").exists():
            return str(parent)
    return str(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
