"""`sitemap-plugins build` on the command line: arguments, output, exit codes."""

from __future__ import annotations

import json

import pytest

from sitemap_plugins.core.options import options_of
from sitemap_plugins.folder.command import build, parse_option
from sitemap_plugins.folder.options import FOLDER_OPTIONS, FolderOptions
from tests.cli.command import run
from tests.folder.html_folder import BASE, page, write
from tests.sites import git

HEAD = "<meta name='robots' content='noindex'>"


@pytest.fixture
def site(tmp_path):
    date = "<meta property='article:modified_time' content='2024-05-0{}'>"
    files = {
        "out/index.html": page(BASE, head=date.format(1)),
        "out/a/index.html": page(f"{BASE}a/", head=HEAD + date.format(2)),
    }
    write(tmp_path, files)
    return tmp_path


def test_output_is_one_line(site):
    done = run(site, "build", "out")

    assert (0, "sitemap.xml: 1 page, 1 left out (1 noindex)\n", "") == done


def test_missing_sources_are_reported_with_the_cure(site):
    (site / "out/index.html").write_text(page(BASE))
    done = run(site, "build", "out", "--strict")

    why = (
        "1 page has no source that git can date (index.html): name the generator's settings"
        " with --generator-config, or the folder of the sources with --source; if you write"
        " the HTML by hand, give --source out"
    )
    counts = "sitemap.xml: 1 page, 1 left out (1 noindex), none with a date"
    assert (0, f"{counts}: {why} (no-source)\n", "") == done
    quiet = run(site, "build", "out", "--lastmod", "false")
    assert (0, "sitemap.xml: 1 page, 1 left out (1 noindex)\n", "") == quiet


@pytest.mark.parametrize("place", ["here", "above", "settings"])
def test_path_of_generator_settings_is_relative_to_the_folder_or_the_settings_file(
    site, place
):
    write(site, {"config/en/mkdocs.yml": "site_name: x\ndocs_dir: ../../text\n"})
    write(site, {"text/index.md": "# Home\n"})
    git(site, "init", "-q")
    git(site, "add", "text")
    git(site, "commit", "-qm", "text", GIT_COMMITTER_DATE="2024-05-06T07:08:09+00:00")
    arguments = ["--generator-config", "config/en/mkdocs.yml"]
    folder = site
    if place == "above":
        (site / "sub").mkdir()
        arguments = ["--generator-config", "../config/en/mkdocs.yml"]
        folder = site / "sub"
    elif place == "settings":
        write(site, {"sitemap.toml": 'generator_config = "config/en/mkdocs.yml"'})
        arguments = []
    done = run(folder, "build", site / "out", *arguments)

    assert (0, "") == (done.returncode, done.err)
    assert "2024-05-06T07:08:09+00:00" in (site / "out/sitemap.xml").read_text()


def test_dry_run_lists_files_and_writes_nothing(site):
    first = run(site, "build", "out", "--dry-run")
    assert [
        "would write robots.txt",
        "would write sitemap.css",
        "would write sitemap.xml",
        "sitemap.xml: 1 page, 1 left out",
    ] == [line.partition(" (")[0] for line in first.out.splitlines()]
    assert ["a", "index.html"] == sorted(file.name for file in (site / "out").iterdir())

    run(site, "build", "out", "--gzip", "--max-urls", "1")
    before = {file.name: file.read_bytes() for file in (site / "out").glob("*.*")}
    again = run(site, "build", "out", "--dry-run", "--no-gzip", "--indent", "2")
    assert [
        "would keep robots.txt",
        "would keep sitemap.css",
        "would replace sitemap.xml",
        "would remove sitemap.xml.gz",
    ] == [line.partition(" (")[0] for line in again.out.splitlines()[:4]]
    assert before == {
        file.name: file.read_bytes() for file in (site / "out").glob("*.*")
    }


def test_dry_run_lists_files_other_than_html(site):
    (site / "out/a.pdf").write_bytes(b"%PDF")
    out = run(site, "build", "out", "--dry-run", "--files", "*.pdf", "--files", "*.odt")
    built = run(site, "build", "out", "--files", "*.pdf", "--files", "*.odt")

    assert "'*.odt' matches no file" in out.out + out.err
    assert b"a.pdf</loc>" in (site / "out/sitemap.xml").read_bytes()
    assert out.out.splitlines()[-1] == built.out.splitlines()[-1]


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_file_of_another_kind_is_not_replaced(site, more):
    write(site, {"out/feed.xml": "<rss version='2.0'/>"})
    done = run(site, "build", "out", "--filename", "feed.xml", *more)

    assert 2 == done.returncode
    assert "feed.xml: not written\n" in done.out
    assert (
        "warning 'feed.xml' in the output folder is not a sitemap, so it is not"
        in done.err
    )
    assert "<rss version='2.0'/>" == (site / "out/feed.xml").read_text()
    assert ["a", "feed.xml", "index.html"] == sorted(
        file.name for file in (site / "out").glob("[!.]*")
    )


def test_dry_run_applies_files_of_hosting_services_without_naming_them(site):
    (site / "out/_headers").write_text("/*\n  X-Robots-Tag: noindex\n")

    out = run(site, "build", "out", "--dry-run", "-v")

    assert "index.html: left out (noindex: " in out.err
    assert "would" not in out.out


def test_dry_run_proposes_the_address_that_a_build_proposes(tmp_path):
    write(
        tmp_path,
        {"out/CNAME": "docs.example.org\n", "out/index.html": "<html><title>x</title>"},
    )

    built, dry = (run(tmp_path, "build", "out", *more) for more in ([], ["--dry-run"]))

    assert "'https://docs.example.org/' (from the file CNAME)" in built.err
    assert built.err == dry.err


@pytest.mark.parametrize(
    "value", ["!ENV [NOT_SET, false]", "!ENV NOT_SET", "!ENV [NOT_SET, 8000]"]
)
def test_environment_variable_with_any_default_does_not_affect_other_settings(
    site, value
):
    """In a real environment, names are strings only."""
    write(
        site,
        {
            "mkdocs.yml": f"site_url: {BASE}docs/\nextra: {value}\n",
            "out/index.html": page(),
        },
    )
    done = run(site, "build", "out")

    assert 0 == done.returncode
    assert f"<loc>{BASE}docs/</loc>" in (site / "out/sitemap.xml").read_text()


def test_unreadable_settings_file_is_named(site):
    write(site, {"mkdocs.yml": "site_url: [\n"})
    done = run(site, "build", "out")

    assert 0 == done.returncode  # The pages' canonical links say the address.
    assert "mkdocs.yml' cannot be read (line 2: " in " ".join(done.err.split())


def test_verbose_names_each_page_left_out_and_quiet_prints_nothing(site):
    assert "a/index.html: left out (noindex: " in run(site, "build", "out", "-v").err
    assert (0, "", "") == run(site, "build", "out", "-q")


def test_quiet_prints_warnings(site):
    write(site, {"out/robots.txt": "User-agent: *\nDisallow: /*.xml$\n"})
    done = run(site, "build", "out", "-q")

    assert 0 == done.returncode
    assert done.err.startswith("warning robots.txt: a rule blocks every crawler")


def test_strict_exits_with_one_if_there_is_a_warning(site):
    assert 0 == run(site, "build", "out", "--strict").returncode
    write(site, {"out/robots.txt": "User-agent: *\nDisallow: /*.xml$\n"})
    assert 1 == run(site, "build", "out", "--strict").returncode


def test_nothing_written_is_a_failure(site):
    done = run(site, "build", "out", "--exclude", "**")

    assert (2, "sitemap.xml: not written, 2 left out (2 excluded)\n") == (
        done.returncode,
        done.out,
    )


def test_preview_without_a_sitemap_is_not_a_failure(site):
    environ = {"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": "external"}
    done = run(site, "build", "out", "--strict", **environ)

    assert 0 == done.returncode
    assert not (site / "out/sitemap.xml").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["nowhere"],
            "nowhere' is not a folder: name the folder that holds the built site",
        ),
        (["out", "--max-urls", "0"], "0 is not a whole number from 1 to 50,000"),
        (["out", "--exclud", "x"], "No such option"),
        (
            ["out", "--config", "nowhere.toml"],
            "'nowhere.toml' does not exist: let --config name a TOML file",
        ),
        (["out", "--base-url", "example.com"], "is not an absolute http or https URL"),
        ([], "Missing argument 'SITE_DIR'"),
    ],
)
def test_mistake_is_one_line_with_the_cure(site, arguments, said):
    done = run(site, "build", *arguments)

    assert 2 == done.returncode
    assert "" == done.out
    assert said in " ".join(done.err.split())
    assert "Traceback" not in done.err


@pytest.mark.parametrize("name", ["sitemap.toml", "zensical.toml"])
@pytest.mark.parametrize("command", ["build", "check"])
def test_broken_settings_stop_every_command_with_one_line(site, name, command):
    write(site, {name: f'base_url = "{BASE}"\nexclude = [\n  "draft/"\n'})
    done = run(site, command, "out")

    assert (2, "") == (done.returncode, done.out)
    assert done.err.startswith(f"Error: '{name}' is not valid TOML (")
    assert "in the last line, 3)): close the bracket" in done.err
    assert 1 == done.err.count("\n")
    assert done == run(site, command, "out", "--config", name)
    assert not (site / "out/sitemap.xml").exists()


def test_all_wrong_settings_are_reported_at_once_with_their_file(site):
    write(
        site, {"pyproject.toml": "[tool.sitemap-plugins]\nexlude = []\nmax_urls = 0\n"}
    )
    done = run(site, "build", "out")

    assert 2 == done.returncode
    assert done.err.startswith(
        "Error: pyproject.toml: exlude is not an option: did you mean"
    )
    assert "max_urls = 0 is not a whole number" in done.err
    assert 1 == done.err.count("\n")


def test_command_line_wins_over_the_settings(site):
    write(
        site,
        {"sitemap.toml": 'base_url = "https://wrong.com/"\nfilename = "map.xml"\n'},
    )
    run(site, "build", "out", "--base-url", BASE, "--no-inspect-html")

    assert f"<loc>{BASE}a/</loc>" in (site / "out/map.xml").read_text()


def test_every_folder_option_is_a_parameter_with_the_same_default():
    names = {parameter.name for parameter in build.params}

    assert {option.name for option in options_of(FolderOptions)} <= names


@pytest.mark.parametrize(
    ("name", "given", "written"),
    [
        ("exclude", ("a/", "re:b"), ["a/", "re:b"]),
        ("lastmod", ("git", "page"), ["git", "page"]),
        ("lastmod", ("false",), False),
        ("ignore_revs", "true", True),
        ("ignore_revs", "revs.txt", "revs.txt"),
        ("priority", ("0.5",), 0.5),
        ("priority", ("a/=0.5", "b=c/=1"), {"a/": 0.5, "b=c/": 1}),
        ("changefreq", ("daily",), "daily"),
        ("sources", ("a/=x/*", "a/=y", "b/=z"), {"a/": ["x/*", "y"], "b/": ["z"]}),
        ("max_urls", "5", 5),
        ("gzip", "true", True),
        ("text", True, True),
        ("split", ("section",), "section"),
        ("split", ("a/=one", "b/=two"), {"a/": "one", "b/": "two"}),
    ],
)
def test_argument_has_the_same_meaning_as_in_a_settings_file(name, given, written):
    (option,) = (option for option in FOLDER_OPTIONS if option.name == name)

    assert parse_option(option, given) == option.parse(written)


def test_help_has_examples_and_fits_the_terminal(tmp_path):
    done = run(tmp_path, "build", "--help")

    assert "\n    zensical build && sitemap-plugins build site\n" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert "build" in run(tmp_path, "-h").out


def test_shell_completion_is_generated(tmp_path):
    done = run(
        tmp_path, code="from sitemap_plugins.cli import main; main()", **COMPLETION
    )

    assert "_sitemap_plugins_completion" in done.out


COMPLETION = {"_SITEMAP_PLUGINS_COMPLETE": "bash_source"}


def test_interrupt_ends_the_command_without_a_traceback(site):
    code = (
        "import sitemap_plugins.folder.reading as f\n"
        "def interrupted(*_): raise KeyboardInterrupt\n"
        "f.files_below = interrupted\n"
        "import sys; sys.argv = ['x', 'build', 'out']\n"
        "from sitemap_plugins.cli import main; main()"
    )
    done = run(site, code=code)

    assert (130, "Aborted!") == (done.returncode, done.err.strip())


def test_interrupt_during_imports_is_one_line(tmp_path):
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    done = run(
        tmp_path,
        code="import sys; sys.path.insert(0, '.')\nfrom sitemap_plugins.cli import main; main()",
    )

    assert (130, "Aborted!") == (done.returncode, done.err.strip())


def test_page_of_another_program_is_reported_once(site):
    """Once the sitemap lists it, nothing is to correct."""
    write(site, {"sitemap.toml": f"base_url = '{BASE}'\nurls = ['/app/']\n"})
    first = run(site, "build", "out")
    again = run(site, "build", "out")

    assert "/app/: it has no file in the folder, so another" in first.err
    assert "correct" not in first.err
    assert "/app/" not in again.err
    assert f"{BASE}app/" in (site / "out/sitemap.xml").read_text()


WRONG = [
    (["a.txt"], "'a.txt' is not a folder: name the folder that holds the built site"),
    (
        ["out", "--sources", "a.txt"],
        "'a.txt' names no pages: write PATTERN=a.txt, such as '**=a.txt' for all pages",
    ),
]


@pytest.mark.parametrize(("arguments", "expected"), WRONG, ids=str)
def test_wrong_call_is_answered_with_the_cure(site, arguments, expected):
    write(site, {"a.txt": ""})

    assert expected in run(site, "build", *arguments).err.replace(f"{site}/", "")


def test_option_of_plugins_alone_is_named_as_one(site):
    write(site, {"sitemap.toml": "page_dates = true\n"})
    done = run(site, "build", "out")

    expected = "page_dates is an option of the plugins, which make the pages: remove it"
    assert f"Error: sitemap.toml: {expected}" == done.err.strip()


def test_page_names_cannot_color_the_terminal(site):
    write(site, {"out/[red]b/index.html": page(f"{BASE}b/", head=HEAD)})
    write(site, {"out/\x1b[31mc/index.html": page(f"{BASE}c/", head=HEAD)})
    done = run(site, "build", "out", "-v", FORCE_COLOR="1")

    assert "[red]b/index.html: left out" in done.err
    assert "\x1b[31mc" not in done.err
    assert "\x1b[2m" in done.err


def test_color_is_for_terminals_and_those_who_ask_for_it(site):
    """As the results go into files and logs, whose readers see the codes."""
    assert "\x1b" not in run(site, "build", "out", "-v").err
    assert (
        "\x1b" not in run(site, "build", "out", "-v", NO_COLOR="1", FORCE_COLOR="1").err
    )


def test_numbers_are_written_for_programs(site):
    (site / "out/index.html").write_text(page(BASE))
    code, out, err = run(site, "build", "out", "--numbers", "numbers.json")
    found = json.loads((site / "numbers.json").read_text("utf-8"))

    assert (0, "") == (code, err)
    notices = found.pop("notices")
    assert [("info", "no-source")] == [(n["level"], n["code"]) for n in notices]
    assert notices[0]["text"] in out
    assert {
        "listed": 1,
        "undated": 1,
        "left_out": {"noindex": 1},
        "no_dates": "no-source",
        "summary": out.strip(),
    } == found


def test_numbers_that_cannot_be_written_are_a_problem_with_a_cure(site):
    code, _, err = run(site, "build", "out", "--numbers", "out/index.html/n.json")

    assert 2 == code
    assert err.startswith("Error: 'out/index.html/n.json' cannot be written (")
    assert err.endswith("): name another file\n")
