"""The date of a translated page:
its own messages', not those of the catalog that it shares."""

from __future__ import annotations

import io

import pytest
from babel.messages.pofile import read_po

from sitemap_plugins.sphinx.catalogs import parse_catalog
from tests.hosts.sphinx_site import BASE_URL, build, title, write
from tests.sites import git

TIMES = [f"202{number}-01-02T03:04:05+00:00" for number in range(6)]
HEADER = """\
msgid ""
msgstr ""
"POT-Creation-Date: 2024-01-0{} 10:00+0000\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"""
FILES = {
    "index.rst": f"{title('Home')}.. toctree::\n\n   guide/one\n   guide/two\n   guide/api\n",
    "guide/one.rst": f"{title('One')}First text.\n\n.. include:: ../parts/common.txt\n",
    "guide/two.rst": f"{title('Two')}Second text.\n",
    "guide/api.rst": f"{title('API')}.. py:function:: work()\n\n   Works.\n",
    "parts/common.txt": "Common text.\n",
}
CATALOG = "locale/de/LC_MESSAGES/{}.po"
PLACES = {
    "One": "../guide/one.rst:{}",
    "First text.": "../guide/one.rst:{}",
    "Common text.": "../parts/common.txt:{}",
    "Two": "../guide/two.rst:{}",
    "Second text.": "../guide/two.rst:{}",
    "API": "../guide/api.rst:{}",
    "Works.": "../../lib/work.py:docstring of work:{}",
}


def catalog(*, version=1, places=PLACES, **translations):
    """Return a catalog, in which each version has other dates,
    lines and line breaks."""
    entries = [HEADER.format(version)]
    for number, (text, place) in enumerate(places.items()):
        words = translations.get(text.split()[0].strip(".").lower(), "")
        split = f'""\n"{words}"' if version % 2 else f'"{words}"'
        where = f"#: {place.format(number + version)}\n" if place else ""
        entries.append(f'{where}msgid "{text}"\nmsgstr {split}\n')
    return "\n".join(entries)


@pytest.fixture
def commit(tmp_path):
    """Return a function that commits all, at the next of the times."""
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / ".gitignore").write_text("*.mo\nout\nconf.py\n")
    times = iter(TIMES)

    def commit(files):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, "utf-8")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-qm", "all", GIT_COMMITTER_DATE=next(times))

    return commit


def dates(site, *arguments, **settings):
    """Build in German, and return the date of each page of the guide."""
    write(site, {}, locale_dirs=["locale"], language="de", **settings)
    built = build(site, "-E", *arguments)
    assert 0 == built.returncode, built.log
    return {
        url.removeprefix(f"{BASE_URL}guide/").removesuffix(".html"): entry.get(
            "lastmod"
        )
        for url, entry in built.entries.items()
        if "/guide/" in url
    }


@pytest.mark.parametrize("compact", [True, "all"])
def test_a_commit_to_a_shared_catalog_dates_only_the_documents_whose_messages_it_changed(
    tmp_path, commit, compact
):
    name = CATALOG.format("guide" if compact is True else compact)
    commit(FILES)
    commit({name: catalog()})
    commit({name: catalog(version=2, one="Eins", works="Tut.")})
    commit({name: catalog(version=3, one="Eins", works="Tut.", common="Gemeinsam.")})
    commit({name: catalog(version=4, one="Eins", works="Tut.", common="Gemeinsam.")})

    found = dates(tmp_path, gettext_compact=compact)
    assert found == {"api": TIMES[2], "one": TIMES[3], "two": TIMES[0]}


def test_a_catalog_of_one_document_dates_it_by_its_messages(tmp_path, commit):
    commit(FILES)
    commit({CATALOG.format("guide/two"): catalog(two="Zwei")})
    commit({CATALOG.format("guide/two"): catalog(version=2, two="Zwei")})

    found = dates(tmp_path, gettext_compact=False)
    assert found == {"api": TIMES[0], "one": TIMES[0], "two": TIMES[1]}


def test_fuzzy_translation_counts_if_sphinx_shows_it(tmp_path, commit):
    name = CATALOG.format("guide")
    commit(FILES)
    commit(
        {
            name: catalog(two="Zwei").replace(
                "#: ../guide/two.rst:4\n", "#: ../guide/two.rst\n#, fuzzy\n"
            )
        }
    )

    assert dates(tmp_path)["two"] == TIMES[0]
    assert dates(tmp_path, gettext_allow_fuzzy_translations=True)["two"] == TIMES[1]


def test_a_shared_catalog_without_places_dates_the_documents_that_show_its_messages(
    tmp_path, commit
):
    """As `gettext_location = False` writes it."""
    nowhere = dict.fromkeys([*PLACES, r"A \"\\\\a\" b."], "")
    commit({**FILES, "guide/api.rst": FILES["guide/api.rst"] + '\nA "\\\\a"\nb.\n'})
    commit({CATALOG.format("guide"): catalog(places=nowhere, two="Zwei")})
    commit({"guide/one.rst": f"{title('One')}Other text.\n"})
    commit({CATALOG.format("guide"): catalog(places=nowhere, two="Zwei", a="Ein b.")})

    assert dates(tmp_path) == {"api": TIMES[3], "one": TIMES[2], "two": TIMES[1]}


def test_message_that_a_document_no_longer_shows_does_not_date_it(tmp_path, commit):
    """As spyder-ide/spyder-docs has: the catalog is as old as its last update."""
    new = {"guide/one.rst": f"{title('New')}First text.\n"}
    commit({**FILES, CATALOG.format("guide"): catalog(first="Erster")})
    commit(new)
    commit({CATALOG.format("guide"): catalog(first="Erster", one="Eins")})

    assert dates(tmp_path) == {"api": TIMES[0], "one": TIMES[1], "two": TIMES[0]}


def test_translation_that_a_catalog_loses_dates_the_document(tmp_path, commit):
    places = {text: place for text, place in PLACES.items() if text != "Two"}
    commit({**FILES, CATALOG.format("guide"): catalog(two="Zwei", first="Erster")})
    commit({CATALOG.format("guide"): catalog(places=places, first="Erster")})

    assert dates(tmp_path) == {"api": TIMES[0], "one": TIMES[0], "two": TIMES[1]}


def test_catalogs_are_read_as_babel_reads_them(tmp_path):
    text = (
        HEADER.format(1).replace("msgid", "# A comment\n#, fuzzy\nmsgid", 1)
        + "\n#: a.rst:1 b/c.rst:2\n#: d.rst:3\n"
        + 'msgid ""\n"one \\"quoted\\"\\n"\n"two"\nmsgstr "eins"\n'
        + '\n#, fuzzy, python-format\n#| msgid "old"\nmsgid "guessed"\nmsgstr "geraten"\n'
        + "\n#: \u2068with space.rst\u2069:7\n"
        + 'msgid "space"\nmsgstr "Raum"\n'
        + 'msgid "close"\nmsgstr ""\n'  # No empty line before.
        + '\nmsgctxt "menu"\nmsgid "context"\nmsgstr "Zusammenhang"\n'
        + '\nmsgid "one %d"\nmsgid_plural "many %d"\nmsgstr[0] "ein"\nmsgstr[1] "viele"\n'
        + '\n#~ msgid "obsolete"\n#~ msgstr "veraltet"\n'
    )
    expected = {}
    for message in read_po(io.StringIO(text)):
        if message.id and not message.context:
            single = message.id if isinstance(message.id, str) else message.id[0]
            string = (
                message.string if isinstance(message.string, str) else message.string[0]
            )
            expected[single] = (string, message.fuzzy)
    for ending in ("\n", "\r\n", "\r"):
        found = {
            message.text.decode().encode().decode("unicode_escape"): (
                message.translation.decode(),
                message.fuzzy,
            )
            for message in parse_catalog(text.replace("\n", ending).encode())
        }
        assert expected == found
