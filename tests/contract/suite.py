"""Behavior that all hosts share:
one suite, with a subclass for each host and its deviations.

A deviation is a method that the subclass overrides, with the reason as its docstring.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import unquote

import pytest
from lxml import etree

from tests.full import FULL, full
from tests.git_repository import GitRepository
from tests.git_server import read_all, serving
from tests.shell_scripts import recording_git
from tests.sites import NAMESPACES, NEWS, Host, Site, Source, git

LATER = "2025-02-03T04:05:06+00:00"
# Reports each library that is loaded because the plugin imports it.
SPY = """
import os, sys

class Spy:
    def find_spec(self, name, path=None, target=None):
        frame = sys._getframe()
        while frame and not frame.f_globals.get("__name__", "").startswith("sitemap_plugins"):
            frame = frame.f_back
        if frame and "." not in name:
            with open(os.environ["SPY_REPORT"], "a") as report:
                report.write(name + "\\n")

sys.meta_path.insert(0, Spy())
"""


class NewProcess(NamedTuple):
    """What a build in a new process did, beside one that was forked."""

    forked: bytes
    """The sitemap of the forked one."""

    written: bytes

    loaded: list[str]
    """The libraries that were loaded because the plugin imports them."""


class ContractSuite:
    """The shared behavior; `host` builds the sites."""

    host: Host
    place: str
    """The name of the place of the options in a message."""
    not_needed = frozenset({"click", "lxml", "rich", "urllib3", "yaml"})
    """Libraries of the command line, and the parser of XML."""

    @pytest.fixture
    def build(self, tmp_path):
        def build(site=None, *, strict=True, verbose=False, **environ):
            arguments = (self.host.strict if strict else ()) + ("-v",) * verbose
            built = self.host.build(site or Site(), tmp_path, *arguments, **environ)
            assert 0 == built.returncode, built.log
            return built

        return build

    @pytest.fixture(scope="class")
    @classmethod
    def new_process(cls, tmp_path_factory):
        """Build a site twice, the second time in a new process with a spy."""
        folder = tmp_path_factory.mktemp("site")
        built = cls.host.build(Site(), folder, *cls.host.strict)
        assert 0 == built.returncode, built.log
        forked = (built.output_dir / "sitemap.xml").read_bytes()
        shutil.rmtree(built.output_dir)

        spy = tmp_path_factory.mktemp("spy")
        (spy / "sitecustomize.py").write_text(SPY)
        environ = {"PYTHONPATH": str(spy), "SPY_REPORT": str(spy / "loaded")}
        built = cls.host.run(folder, *cls.host.strict, **environ)
        assert 0 == built.returncode, built.log
        written = (built.output_dir / "sitemap.xml").read_bytes()
        return NewProcess(forked, written, (spy / "loaded").read_text().split())

    # --- the whole way
    # -----------------------------------------------------------------------

    def test_new_process_writes_the_same_as_a_forked_one(self, new_process):
        """All other builds are forked from a process that has loaded the host."""
        assert new_process.forked == new_process.written

    def test_loads_no_library_that_a_build_does_not_need(self, new_process):
        """What the host loads by itself is its own choice."""
        assert "selectolax" in new_process.loaded
        assert self.not_needed.isdisjoint(new_process.loaded)

    def test_lists_pages_with_the_dates_of_their_commits(self, build):
        built = build(Site(sources=(Source("index"), Source("guide", date=LATER))))

        assert {
            "https://example.com/": {"lastmod": NEWS},
            "https://example.com/guide/": {"lastmod": LATER},
        } == built.entries
        assert b"Sitemap: https://example.com/sitemap.xml\n" == built.robots

    def test_second_build_writes_the_same_bytes(self, build, tmp_path):
        first = (build().output_dir / "sitemap.xml").read_bytes()
        robots = (tmp_path / "out/robots.txt").read_bytes()
        again = self.host.run(tmp_path, *self.host.strict)

        assert (again.output_dir / "sitemap.xml").read_bytes() == first
        assert again.robots == robots

    def test_style_sheet_is_written_and_removed_by_the_option(self, build, tmp_path):
        built = build()
        named = b'<?xml-stylesheet type="text/css" href="sitemap.css"?>\n'
        assert named in (built.output_dir / "sitemap.xml").read_bytes()
        assert built.wrote("sitemap.css")

        self.host.write(Site(options={"stylesheet": False}), tmp_path)
        again = self.host.run(tmp_path)
        assert named not in (again.output_dir / "sitemap.xml").read_bytes()
        assert not again.wrote("sitemap.css")

    def test_output_is_one_line_and_each_page_left_out_if_verbose(self, build):
        built = build(
            Site(
                sources=(
                    Source("index"),
                    Source("hidden", metadata={"sitemap": False}),
                    Source("old/one"),
                    Source("old/two"),
                ),
                options={"exclude": ["old/"]},
            ),
            verbose=True,
        )

        assert (
            "sitemap.xml: 1 page, 3 left out (1 front-matter, 2 excluded)" in built.log
        )
        assert (
            "left out (front-matter: the page's front matter says `sitemap: false`)"
            in built.log
        )
        assert 2 == built.log.count("left out (excluded: 'old/' in the option exclude)")

    def test_verbose_output_names_the_commit_that_git_names_for_each_page(
        self, tmp_path, tmp_path_factory
    ):
        names = ("edited", "ignored", "included", "index", "merged", "mode", "old")
        written = Source("written", metadata={"sitemap": {"lastmod": "2023-01-02"}})
        options = {"sources": {"included/": ["data/part.csv"]}}
        site = Site(sources=(*map(Source, names), written), options=options)
        self.host.write(site, tmp_path)
        self.host.commit(site, tmp_path)
        files = {
            name: self.host.source_file(tmp_path, name) for name in (*names, "moved")
        }

        def commit(subject, day, *edited):
            for file in edited:
                with file.open("a", encoding="utf-8") as text:
                    text.write(f"\n{day}\n")
            git(tmp_path, "add", *map(str, edited))
            moment = f"2024-06-{day:02}T10:00:00+00:00"
            git(tmp_path, "commit", "-qm", subject, GIT_COMMITTER_DATE=moment)

        (tmp_path / "data").mkdir()
        commit("5% of \x1b[31m[bold] it's", 2, tmp_path / "data/part.csv")
        commit("reformat", 3, files["ignored"])
        revisions = git(tmp_path, "rev-parse", "HEAD")
        (tmp_path / ".git-blame-ignore-revs").write_text(revisions)
        git(tmp_path, "mv", str(files["old"]), str(files["moved"]))
        commit("move", 4)
        git(tmp_path, "update-index", "--chmod=+x", str(files["mode"]))
        git(tmp_path, "config", "core.fileMode", "false")
        commit("mode only", 5)
        git(tmp_path, "checkout", "-qb", "branch", "HEAD~1")
        commit("on a branch", 6, files["merged"])
        git(tmp_path, "checkout", "-q", "main")
        commit("after it", 7, files["edited"])
        git(tmp_path, "merge", "-q", "--no-edit", "branch")

        def last(path, start="HEAD"):
            form = "--format=%H %cs %s"
            text = git(tmp_path, "log", "-1", form, start, "--", str(path)).rstrip("\n")
            name, day, subject = text.split(" ", 2)
            return f'{day}, {name[:7]} "{subject}"'

        def passed_over(path, start, why):
            _, name = last(path, start).split(", ", 1)
            return f"; passed over: {name} ({why})"

        part = last(tmp_path / "data/part.csv").replace("\x1b", "\\x1b")
        expected = {
            "edited": last(files["edited"]),
            "ignored": last(files["ignored"], f"{revisions.strip()}~1")
            + passed_over(files["ignored"], "HEAD", ".git-blame-ignore-revs"),
            "included": f"{part}, in data/part.csv (included)",
            "index": last(files["index"]),
            "merged": last(files["merged"]),
            "mode": last(files["mode"], "HEAD~3"),
            "moved": last(files["old"], "HEAD~4")
            + passed_over(files["moved"], "HEAD", "moved only"),
            "written": "2023-01-02, as its author wrote",
        }
        spy = tmp_path_factory.mktemp("spy")
        calls = spy / "calls"
        path = recording_git(spy, calls)
        environ = {"CI": "true", "PATH": path}
        silent = self.host.run(tmp_path, *self.host.strict, **environ)
        usual = calls.read_text().splitlines()
        written = (tmp_path / "out/sitemap.xml").read_bytes()
        environ["COLUMNS"] = "80"  # No line of a page is wrapped.
        built = self.host.run(tmp_path, *self.host.strict, "-v", **environ)

        assert 0 == built.returncode, built.log
        found = dict(re.findall(r"(\w+)\.(?:md|rst): (20\d\d-.*)", built.log))
        assert expected == {name: text.rstrip() for name, text in found.items()}
        assert "[bold] it" not in silent.log
        assert not [call for call in usual if "%s" in call]
        assert 1 == sum("%s" in call for call in calls.read_text().splitlines())
        assert written == (tmp_path / "out/sitemap.xml").read_bytes()

    def test_record_says_of_each_page_what_the_verbose_output_says(self, tmp_path):
        names = ("index", "guide", "old/one")
        options = {"exclude": ["old/"], "record": "pages.json"}
        site = Site(sources=tuple(map(Source, names)), options=options)
        self.host.write(site, tmp_path)
        self.host.commit(site, tmp_path)
        built = self.host.run(tmp_path, *self.host.strict, "-v", CI="true")

        assert 0 == built.returncode, built.log
        record = json.loads((tmp_path / "out/pages.json").read_text("ascii"))
        rows = {row["url"]: row for row in record["pages"]}
        files = {name: self.host.source_file(tmp_path, name) for name in names}
        for name, url in (("index", ""), ("guide", "guide/")):
            row = rows[f"https://example.com/{url}"]
            log = git(tmp_path, "log", "-1", "--format=%H %s", "--", str(files[name]))
            assert log.rstrip("\n") == f"{row['commit']} {row['subject']}"
            assert files[name].relative_to(tmp_path).as_posix() == row["source"]
            assert row["date"] == built.entries[row["url"]]["lastmod"]
        left_out = rows["https://example.com/old/one/"]
        assert "excluded" == left_out["left_out"]
        assert f"left out (excluded: {left_out['why']})" in built.log
        assert b"pages.json" not in built.robots
        assert rows.keys() >= built.entries.keys()

    # --- URLs
    # ---------------------------------------------------------------------------------

    NAMES = (
        "100%",
        "a (b) [c]",
        "deep/er/und/tiefer",
        "it's",
        "münchen",
        "tips & tricks",
    )

    def test_every_file_name_has_a_url_that_leads_to_it(self, build):
        sources = [Source(name) for name in self.NAMES]
        built = build(
            Site(sources=(Source("index"), *sources), base_url="https://example.com/d/")
        )

        assert [unquote(loc) for loc in built.locs] == [
            "https://example.com/d/",
            *(f"https://example.com/d/{name}/" for name in self.NAMES),
        ]

    @FULL
    def test_host_names_are_encoded_and_ports_are_kept(self, build):
        built = build(Site(base_url="https://bücher.example:8443/"))

        assert "https://xn--bcher-kva.example:8443/" == built.locs[0]

    # --- what the author says
    # ------------------------------------------------------------------

    def test_front_matter_leaves_pages_out(self, build):
        built = build(
            Site(
                sources=(
                    Source("index"),
                    Source("one", metadata={"sitemap": False}),
                    Source("two", metadata={"robots": "noindex, follow"}),
                )
            )
        )

        assert ["https://example.com/"] == built.locs

    def test_home_page_left_out_is_reported_and_passes_a_strict_build(self, build):
        built = build(
            Site(
                sources=(Source("index", metadata={"sitemap": False}), Source("guide"))
            )
        )

        assert ["https://example.com/guide/"] == built.locs
        assert 1 == " ".join(built.log.split()).count(
            "the home page is left out (front-matter: "
        )

    def test_front_matter_sets_the_fields_of_the_entry(self, build):
        fields = {"lastmod": "2023-01-02", "changefreq": "weekly", "priority": 0.8}
        built = build(Site(sources=(Source("index", metadata={"sitemap": fields}),)))

        assert {
            "https://example.com/": {
                "lastmod": "2023-01-02",
                "changefreq": "weekly",
                "priority": "0.8",
            }
        } == built.entries

    def test_wrong_field_is_a_warning_that_names_page_and_field(self, build, tmp_path):
        site = Site(sources=(Source("index", metadata={"sitemap": {"priority": 7}}),))
        built = build(site, strict=False)

        assert {"https://example.com/": {"lastmod": NEWS}} == built.entries
        line = next(line for line in built.log.splitlines() if "priority" in line)
        assert "index" in line
        assert "7" in line
        assert "is not a number from 0.0 to 1.0" in built.log.replace("\n", " ")
        assert 0 != self.host.run(tmp_path, *self.host.strict).returncode

    def test_exclude_takes_patterns_and_regular_expressions(self, build):
        names = ("index", "blog/2023", "blog/2024", "notes", "tags/a")
        built = build(
            Site(
                sources=tuple(map(Source, names)),
                options={"exclude": ["tags/", "blog/*", "!blog/2024/", "re:^notes"]},
            )
        )

        assert ["https://example.com/", "https://example.com/blog/2024/"] == built.locs

    def test_changefreq_and_priority_by_pattern(self, build):
        built = build(
            Site(
                sources=(Source("index"), Source("blog/a"), Source("guide")),
                options={
                    "lastmod": False,
                    "changefreq": "monthly",
                    "priority": {"blog/": 0.3, "index.html": 1},
                },
            )
        )

        assert {
            "https://example.com/": {"changefreq": "monthly", "priority": "1.0"},
            "https://example.com/blog/a/": {"changefreq": "monthly", "priority": "0.3"},
            "https://example.com/guide/": {"changefreq": "monthly"},
        } == built.entries

    # --- what the built page says
    # ----------------------------------------------------------------

    @pytest.mark.parametrize(
        "head",
        [
            "<meta name='robots' content='NoIndex, follow'>",
            full("<META content=none name=googlebot>"),
            full(
                "<meta http-equiv='refresh' content='0; url=https://example.com/guide/'>"
            ),
            "<link rel='canonical' href='https://example.com/guide/'>",
        ],
    )
    def test_page_with_noindex_in_its_html_is_left_out(self, build, head):
        built = build(
            Site(sources=(Source("index"), Source("guide"), Source("x", head=head)))
        )

        assert ["https://example.com/", "https://example.com/guide/"] == built.locs

    def test_broken_canonical_link_is_reported_and_passes_a_strict_build(self, build):
        head = "<link rel='canonical' href='https://example.com/topic/index/'>"
        built = build(
            Site(sources=(Source("index"), Source("guide"), Source("topic", head=head)))
        )

        assert ["https://example.com/", "https://example.com/guide/"] == built.locs
        log = " ".join(built.log.split())
        assert (
            "'https://example.com/topic/' is left out because its canonical link names"
            in log
        )
        assert "'https://example.com/topic/index/', where there is no page" in log
        assert 1 == log.count("left out (canonical: ")

    @FULL
    def test_inspect_html_can_be_disabled(self, build):
        head = "<meta name='robots' content='noindex'>"
        site = Site(
            sources=(Source("index", head=head), Source("guide")),
            options={"inspect_html": False},
        )

        assert "https://example.com/" in build(site).locs

    def test_wrong_base_url_is_reported_and_leaves_out_no_page(self, build):
        wrong = {"base_url": "https://wrong.example/"}
        built = build(Site(options=wrong), strict=False)

        assert ["https://wrong.example/", "https://wrong.example/guide/"] == built.locs
        assert 1 == len(re.findall(r": correct (?:sitemap_)?base_url\b", built.log))

    # --- images
    # --------------------------------------------------------------------------------

    # As a theme that writes no <head> of its own: the content stands before the page's.
    GALLERY = "<main><img src='../a b.jpg'><img src='/x.jpg'><img src='https://a.example/y'></main>"

    @pytest.mark.parametrize("inspected", [True, full(False)])
    def test_images_of_the_content_are_listed_on_request(self, build, inspected):
        sources = (Source("index"), Source("guide", head=self.GALLERY), Source("z"))
        built = build(
            Site(sources=sources, options={"images": True, "inspect_html": inspected})
        )
        root = etree.parse(built.output_dir / "sitemap.xml").getroot()

        found = root.xpath(
            "s:url[2]/image:image/image:loc/text()", namespaces=NAMESPACES
        )
        images = ["https://example.com/a%20b.jpg", "https://example.com/x.jpg"]
        assert (images if inspected else []) == found
        assert [] == root.xpath("s:url[1]/image:image", namespaces=NAMESPACES)
        assert inspected == ("image" in root.nsmap)

    @FULL
    def test_images_are_not_listed_by_default(self, build):
        sources = (Source("index"), Source("guide", head=self.GALLERY), Source("z"))
        built = build(Site(sources=sources))

        assert b"image" not in (built.output_dir / "sitemap.xml").read_bytes()

    # --- files besides HTML
    # ----------------------------------------------------------------------

    COPIED = (
        "a.txt",
        "papers/100% ü.pdf",
        "papers/b.pdf",
        "papers/c.txt",
        "papers/no.pdf",
    )

    def test_files_besides_html_are_listed_on_request_with_the_dates_of_their_sources(
        self, build, tmp_path
    ):
        exclude = [self.host.glob("no.pdf")]
        site = Site(
            copied=self.COPIED, options={"files": ["*.pdf", "/a.*"], "exclude": exclude}
        )
        self.host.write(site, tmp_path)
        self.host.commit(site, tmp_path)
        git(tmp_path, "add", str(self.host.copied_file(tmp_path, "papers/b.pdf")))
        git(
            tmp_path,
            "commit",
            "-qm",
            "b",
            GIT_COMMITTER_DATE=LATER,
            GIT_AUTHOR_DATE=LATER,
        )
        built = self.host.run(tmp_path, *self.host.strict, "-v", CI="true")

        base = "https://example.com/"
        assert 0 == built.returncode, built.log
        assert {
            base: {"lastmod": NEWS},
            f"{base}a.txt": {},
            f"{base}guide/": {"lastmod": NEWS},
            f"{base}papers/100%25%20%C3%BC.pdf": {},
            f"{base}papers/b.pdf": {"lastmod": LATER},
        } == built.entries
        assert "papers/no.pdf: left out (excluded" in built.log

        again = self.host.run(tmp_path, *self.host.strict, CI="true")
        assert again.entries == built.entries

    def test_urls_that_other_programs_make_are_listed_as_far_as_crawlers_may_read_them(
        self, build
    ):
        api = {
            "loc": "https://example.com/api/",
            "lastmod": "2023-01-02",
            "priority": 0.7,
        }
        urls = [
            "HTTPS://EXAMPLE.com:443/app/",
            api,
            "private/",
            "https://other.example/",
            "/guide/index.html",
        ]
        robots = b"User-agent: *\nDisallow: /private/\n"
        built = build(Site(options={"urls": urls}, robots=robots), strict=False)

        assert {
            "https://example.com/": {"lastmod": NEWS},
            "https://example.com/api/": {"lastmod": "2023-01-02", "priority": "0.7"},
            "https://example.com/app/": {},
            "https://example.com/guide/": {"lastmod": NEWS},
        } == built.entries
        log = " ".join(built.log.split())
        for count in ("4 pages (1 without a date), ", "1 bad-url", "1 robots"):
            assert count in log
        why = "it is not below 'https://example.com/': correct the option urls"
        assert f"https://other.example/: {why}" in log
        assert 1 == log.count("correct the option urls")

    @FULL
    def test_patterns_of_files_never_list_html_the_sitemap_or_robots_txt(self, build):
        options = {"files": ["*", "*.csv"], "text": True, "gzip": True}
        built = build(Site(copied=("a.pdf", "robots.txt"), options=options))

        mine = {
            loc
            for loc in built.locs
            if loc.endswith((".pdf", ".txt", ".xml", ".gz", ".html"))
        }
        assert {"https://example.com/a.pdf"} == {u for u in mine if "/_" not in u}
        text = " ".join(built.log.split())
        assert "'*.csv' matches no file in the output folder that is not HTML" in text

    @FULL
    def test_files_besides_html_are_not_listed_by_default(self, build):
        built = build(Site(copied=self.COPIED))

        assert ["https://example.com/", "https://example.com/guide/"] == built.locs

    # --- robots.txt
    # ----------------------------------------------------------------------------

    def test_robots_lines_are_added_and_all_bytes_are_kept(self, build):
        robots = b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /guide/"
        built = build(Site(robots=robots))

        assert (
            built.robots == robots + b"\r\nSitemap: https://example.com/sitemap.xml\r\n"
        )
        assert ["https://example.com/"] == built.locs

    @FULL
    def test_robots_txt_can_be_left_unchanged(self, build):
        assert not build(Site(options={"robots": False})).wrote("robots.txt")

    @FULL
    def test_rule_that_disallows_the_sitemap_is_a_warning(self, build):
        built = build(Site(robots=b"User-agent: *\nDisallow: /*.xml$\n"), strict=False)

        assert "a rule blocks every crawler from" in built.log

    def test_base_url_with_a_path_gives_the_line_for_the_root(self, build):
        built = build(Site(base_url="https://example.com/docs/"), verbose=True)

        assert not built.wrote("robots.txt")
        assert "Sitemap: https://example.com/docs/sitemap.xml" in built.log.replace(
            "\n", " "
        )

    # --- files
    # ---------------------------------------------------------------------------------

    def test_pages_beyond_max_urls_are_split(self, build):
        names = ("index", "a", "b", "c", "d")
        built = build(Site(sources=tuple(map(Source, names)), options={"max_urls": 2}))
        index = etree.parse(built.output_dir / "sitemap.xml").getroot()

        assert f"{{{NAMESPACES['s']}}}sitemapindex" == index.tag
        urls = index.xpath("s:sitemap/s:loc/text()", namespaces=NAMESPACES)
        parts = [
            etree.parse(
                built.output_dir / url.removeprefix("https://example.com/")
            ).getroot()
            for url in urls
        ]
        sizes = [len(part.xpath("s:url", namespaces=NAMESPACES)) for part in parts]
        assert sum(sizes) == len(names)
        assert max(sizes) <= 2
        assert b"Sitemap: https://example.com/sitemap.xml\n" == built.robots

    def test_each_section_that_the_user_names_has_a_part(self, build):
        site = Site(
            sources=(Source("index"), Source("guide/a"), Source("guide/b")),
            options={"split": {"guide/": "guide", "api/": "api"}},
        )
        built = build(site)
        index = etree.parse(built.output_dir / "sitemap.xml").getroot()

        assert [
            "https://example.com/sitemap-guide.xml",
            "https://example.com/sitemap-pages.xml",
        ] == (index.xpath("s:sitemap/s:loc/text()", namespaces=NAMESPACES))
        assert not built.wrote("sitemap-api.xml")
        assert "'api/' matches no page" in built.log.replace("\n", " ")

    def test_gzip_writes_a_compressed_copy(self, build):
        built = build(Site(options={"gzip": True}))
        twin = (built.output_dir / "sitemap.xml.gz").read_bytes()

        assert gzip.decompress(twin) == (built.output_dir / "sitemap.xml").read_bytes()

    @FULL
    def test_gzip_copy_is_not_written_by_default(self, build):
        assert not build(Site(options={"gzip": False})).wrote("sitemap.xml.gz")

    def test_patterns_match_the_names_of_sources(self, build):
        sources = (Source("index"), Source("guide"))
        built = build(
            Site(sources=sources, options={"exclude": [self.host.glob("guide.*")]})
        )

        assert ["https://example.com/"] == built.locs

    def test_files_in_the_option_sources_date_pages(self, build, tmp_path):
        (tmp_path / "data").mkdir()
        (tmp_path / "data/table.csv").write_text("1")
        build(Site(options={"sources": {"guide/": ["data/*.csv"]}}))
        git(tmp_path, "add", "data")
        git(
            tmp_path,
            "commit",
            "-qm",
            "data",
            GIT_COMMITTER_DATE=LATER,
            GIT_AUTHOR_DATE=LATER,
        )

        again = self.host.run(tmp_path, *self.host.strict)

        assert [NEWS, LATER] == [fields["lastmod"] for fields in again.entries.values()]

    # --- wrong set-up
    # ----------------------------------------------------------------------------

    def test_missing_base_url_is_one_line_and_no_file(self, build):
        built = build(Site(base_url=""), strict=False)

        assert not built.wrote("sitemap.xml")
        assert 1 == built.log.count("is not set, so no sitemap is written")

    @FULL
    def test_message_on_a_missing_base_url_proposes_that_of_the_repository(
        self, tmp_path, monkeypatch
    ):
        monkeypatch.setenv("GITHUB_REPOSITORY", "owner/name")
        self.host.write(Site(base_url=""), tmp_path)
        built = self.host.run(tmp_path)

        log = " ".join(built.log.split())
        assert "perhaps 'https://owner.github.io/name/' (from GITHUB_REPOSITORY)" in log
        assert not built.wrote("sitemap.xml")

    def test_missing_base_url_passes_a_strict_build(self, build):
        """Many sites intentionally have none, especially in local builds."""
        assert not build(Site(base_url="")).wrote("sitemap.xml")

    def test_read_the_docs_gives_the_base_url(self, build):
        address = "https://example.readthedocs.io/en/latest/"
        environ = {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": address}
        built = build(Site(base_url=""), strict=False, **environ)

        assert built.locs == [address, f"{address}guide/"]
        assert not built.wrote("robots.txt")

    @FULL
    def test_read_the_docs_gives_the_folder_that_the_base_url_lacks(self, build):
        address = "https://example.readthedocs.io/en/latest/"
        environ = {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": address}
        sources = (Source("index", canonical=False), Source("guide", canonical=False))
        site = Site(sources=sources, base_url="https://example.readthedocs.io/")

        assert build(site, strict=False, **environ).locs == [
            address,
            f"{address}guide/",
        ]

    def test_wrong_option_is_named_and_stops_the_build(self, tmp_path):
        options = {"lastmod_format": "dates", "max_urls": 60_000}
        built = self.host.build(Site(options=options), tmp_path)

        assert built.returncode != 0
        assert not built.wrote("index.html")
        line = next(line for line in built.log.splitlines() if "lastmod_format" in line)
        assert "'dates' is not one of 'datetime', 'date': did you mean 'date'?" in line
        assert self.place in line
        line = next(line for line in built.log.splitlines() if "max_urls" in line)
        assert "60000 is not a whole number from 1 to 50,000" in line

    def test_unknown_option_stops_the_build_with_a_suggestion(self, tmp_path):
        built = self.host.build(
            Site(options={"exlude": []}), tmp_path, *self.host.strict
        )

        assert built.returncode != 0
        text = " ".join(built.log.split())
        assert "exlude" in text
        assert "did you mean" in text

    # --- dates
    # ----------------------------------------------------------------------------------

    def test_page_outside_git_has_the_date_of_its_file(self, build, tmp_path):
        site = Site(sources=(Source("index"),), git=False)
        self.host.write(site, tmp_path)
        os.utime(
            self.host.source_file(tmp_path, "index"), (1_600_000_000, 1_600_000_000)
        )
        built = self.host.run(tmp_path)

        assert {
            "https://example.com/": {"lastmod": "2020-09-13T12:26:40+00:00"}
        } == built.entries

    def test_edited_page_has_the_date_of_its_file_except_in_continuous_integration(
        self, build, tmp_path
    ):
        build()
        file = self.host.source_file(tmp_path, "guide")
        file.write_text(file.read_text("utf-8") + "\nMore.\n", "utf-8")
        os.utime(file, (1_750_000_000, 1_750_000_000))

        at_home = self.host.run(tmp_path).entries
        in_ci = self.host.run(tmp_path, CI="true").entries

        assert {"lastmod": "2025-06-15T15:06:40+00:00"} == at_home[
            "https://example.com/guide/"
        ]
        assert {"lastmod": NEWS} == in_ci["https://example.com/guide/"]

    def test_edit_that_readers_do_not_see_dates_pages_only_if_any_change_counts(
        self, build, tmp_path
    ):
        found = []
        for name, old, new in [
            ("index", b"\n", b"\r\n"),
            ("guide", b"\n\n", b"\n\n\n"),
        ]:
            build(Site())
            file = self.host.source_file(tmp_path, name)
            file.write_bytes((file.read_bytes() + b"\n").replace(old, new))
            later = {"GIT_COMMITTER_DATE": LATER, "GIT_AUTHOR_DATE": LATER}
            git(tmp_path, "commit", "-qam", "unseen", **later)
            for options in ({}, {"changes": "any"}):
                self.host.write(Site(options=options, sources=()), tmp_path)
                built = self.host.run(tmp_path, CI="true")
                found.append([fields["lastmod"] for fields in built.entries.values()])
            shutil.rmtree(tmp_path / ".git")

        assert [[NEWS, NEWS], [LATER, NEWS], [NEWS, NEWS], [NEWS, LATER]] == found

    def test_clone_of_depth_one_gives_one_notice_and_passes_a_strict_build(
        self, build, tmp_path
    ):
        origin, clone = tmp_path / "origin", tmp_path / "clone"
        origin.mkdir()
        self.host.write(Site(), origin)
        git(origin, "init", "-q", "-b", "main")
        for moment in (NEWS, LATER):
            (origin / "moment").write_text(moment)
            git(origin, "add", ".")
            git(origin, "commit", "-qm", moment, GIT_COMMITTER_DATE=moment)
        git(tmp_path, "clone", "-q", "--depth=1", f"file://{origin}", str(clone))
        built = self.host.run(clone, *self.host.strict)
        shutil.rmtree(origin)

        assert 0 == built.returncode, built.log
        assert {
            "https://example.com/": {},
            "https://example.com/guide/": {},
        } == built.entries
        assert " ".join(built.log.split()).count("shallow") >= 1

    def test_history_of_a_shallow_clone_is_fetched_if_the_option_says_so(
        self, tmp_path
    ):
        origin = GitRepository(tmp_path / "served" / "site")
        site = Site(
            sources=tuple(Source(name) for name in ("index", *map(str, range(29))))
        )
        self.host.write(site, origin.folder)
        tree = {}
        for source in site.sources:
            file = self.host.source_file(origin.folder, source.name)
            tree[str(file.relative_to(origin.folder))] = file.read_bytes()
            origin.commit(tree)
        origin.write()
        origin.git("config", "uploadpack.allowFilter", "true")

        with serving(tmp_path / "served") as server:

            def build(depth, *, fetch):
                clone = tmp_path / f"{depth}{fetch}"
                git(
                    tmp_path,
                    "clone",
                    "-q",
                    f"--depth={depth}",
                    f"{server.url}site/.git",
                    clone,
                )
                self.host.write(replace(site, options={"fetch_history": fetch}), clone)
                server.requests.clear()
                before = read_all(clone / ".git")
                built = self.host.run(
                    clone, *self.host.strict, CI="true", TMPDIR=str(tmp_path)
                )
                assert 0 == built.returncode, built.log
                assert read_all(clone / ".git") == before
                return (
                    (built.output_dir / "sitemap.xml").read_bytes(),
                    built.log,
                    server.fetches,
                )

            without, about_without, _ = build(1, fetch=False)
            fetched, about_fetched, fetches = build(1, fetch=True)
            assert 1 == fetches
            full, _, fetches = build(999, fetch=True)
            assert (0, []) == (fetches, server.requests)

        assert 0 == without.count(b"<lastmod>")
        assert (
            "so 30 of 30 pages have no date: set the option fetch_history to true, or"
            in about_without
        )
        assert re.search(
            ": 30 pages.*, none with a date: the clone is shallow", about_without
        )
        assert 30 == full.count(b"<lastmod>")
        assert full == fetched
        assert re.search(
            "as the clone is shallow(?s:.*)fetched 30 commits in ", about_fetched
        )
        assert [] == [*tmp_path.glob("sitemap-plugins-*")]

    @FULL
    def test_lastmod_format_date_writes_days(self, build):
        built = build(
            Site(sources=(Source("index"),), options={"lastmod_format": "date"})
        )

        assert {"https://example.com/": {"lastmod": "2024-05-01"}} == built.entries


class PluginSuite(ContractSuite):
    """What only generators with plugins can do: pages show dates."""

    DATED = Site(
        sources=(
            Source("index"),
            Source("guide", date=LATER),
            Source("day", metadata={"sitemap": {"lastmod": "2023-01-02"}}),
            Source("hidden", metadata={"sitemap": False}),
            Source("untracked", date=None),
            Source("moved"),
            Source("formatted"),
        ),
        options={"page_dates": True},
    )

    @pytest.fixture
    def dated(self, tmp_path):
        """A repository with a page that was moved,
        and one that an ignored commit changed."""
        self.host.write(self.DATED, tmp_path)
        self.host.commit(self.DATED, tmp_path)
        old, new, file = (
            self.host.source_file(tmp_path, name)
            for name in ("moved", "new/place", "formatted")
        )
        new.parent.mkdir()
        later = {"GIT_COMMITTER_DATE": LATER, "GIT_AUTHOR_DATE": LATER}
        git(tmp_path, "mv", str(old), str(new))
        git(tmp_path, "commit", "-qm", "move", **later)
        file.write_text(file.read_text("utf-8") + "\n", "utf-8")
        git(tmp_path, "commit", "-qam", "format", **later)
        revision = git(tmp_path, "rev-parse", "HEAD")
        (tmp_path / ".git-blame-ignore-revs").write_text(revision)
        return tmp_path

    def test_plainest_call_writes_the_same(self, build, tmp_path):
        """From the project's folder, with the folders that the host uses by itself."""
        whole = (build().output_dir / "sitemap.xml").read_bytes()
        plain = self.host.run_plain(tmp_path)

        assert 0 == plain.returncode, plain.log
        assert whole == (plain.output_dir / "sitemap.xml").read_bytes()
        assert "Sitemap: https://example.com/sitemap.xml" in plain.robots.decode()

    def assert_shows_what_it_lists(self, built) -> list[str]:
        assert 0 == built.returncode, built.log
        shown = {loc: built.shown(loc) for loc in built.locs}
        assert shown == {
            loc: fields.get("lastmod", "").removesuffix("+00:00").replace("T", " ")
            for loc, fields in built.entries.items()
        }
        return [*shown.values()]

    def test_pages_show_the_dates_that_the_sitemap_lists(self, dated):
        built = self.host.run(dated, CI="true")

        news, later = "2024-05-01 10:00:00", "2025-02-03 04:05:06"
        shown = self.assert_shows_what_it_lists(built)
        assert [news, "2023-01-02", news, later, news, ""] == shown
        assert news == built.shown("https://example.com/hidden/")

    @FULL
    def test_pages_of_an_edited_tree_show_what_the_sitemap_lists(self, dated):
        file = self.host.source_file(dated, "guide")
        file.write_text(file.read_text("utf-8") + "\nMore.\n", "utf-8")
        os.utime(file, (1_750_000_000, 1_750_000_000))

        shown = self.assert_shows_what_it_lists(self.host.run(dated))
        assert "2025-06-15 15:06:40" in shown

    def test_pages_of_a_shallow_clone_show_no_false_date(self, dated, tmp_path_factory):
        clone = tmp_path_factory.mktemp("clone")
        git(clone, "clone", "-q", "--depth", "1", f"file://{dated}", ".")
        self.host.write(self.DATED, clone)
        git(clone, "checkout", "-q", ".")

        shown = self.assert_shows_what_it_lists(self.host.run(clone, CI="true"))
        assert {"", "2023-01-02"} == {*shown}

    @FULL
    def test_history_is_fetched_once_for_pages_and_sitemap(
        self, dated, tmp_path_factory
    ):
        full = self.assert_shows_what_it_lists(self.host.run(dated, CI="true"))
        clone = tmp_path_factory.mktemp("clone")
        site = replace(self.DATED, options={"page_dates": True, "fetch_history": True})
        with serving(dated.parent) as server:
            git(
                clone,
                "clone",
                "-q",
                "--depth",
                "1",
                f"{server.url}{dated.name}/.git",
                ".",
            )
            self.host.write(site, clone)
            git(clone, "checkout", "-q", ".")
            self.host.source_file(clone, "moved").unlink()
            shutil.copy(dated / ".git-blame-ignore-revs", clone)
            server.requests.clear()
            shown = self.assert_shows_what_it_lists(self.host.run(clone, CI="true"))

        assert (1, full) == (server.fetches, shown)
        assert [] == [*clone.parent.glob("sitemap-plugins-*")]

    @FULL
    def test_pages_outside_git_show_no_date_on_ci(self, tmp_path):
        self.host.write(self.DATED, tmp_path)
        shown = self.assert_shows_what_it_lists(self.host.run(tmp_path, CI="true"))

        assert {"", "2023-01-02"} == {*shown}

    @FULL
    def test_pages_show_no_date_of_ours_by_default(self, build):
        assert LATER[:10] not in build(
            Site(sources=(Source("index", date=LATER),))
        ).shown("https://example.com/")
