"""A session for each check; sessions named check_* change nothing.

`nox` alone runs style, types and the tests on the current Python, but those that guard
what is rare and take long; `nox -t full` runs the rest: all tests on the newest Python,
the oldest hosts, coverage, a real site, the package, its types as users see them, the
manual, the workflows. Those tagged `single` keep one processor busy for most of their
time, so that `.ci/run` runs them beside the others. Each session installs its
requirements into a separate environment, and the package as a wheel.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2025.10.14"
nox.options.default_venv_backend = (
    "uv|venv"  # uv installs in seconds what takes pip a minute.
)
nox.options.download_python = "never"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["check_style", "check_types", "check_tests"]
nox.options.error_on_missing_interpreters = False

# Or each process of the tests would compile all modules that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

PYPROJECT = nox.project.load_toml("pyproject.toml")
PYTHONS = nox.project.python_versions(PYPROJECT)
NEWEST = next((p for p in reversed(PYTHONS) if shutil.which(f"python{p}")), PYTHONS[-1])
"""The newest Python that is installed here."""
DEV = nox.project.dependency_groups(PYPROJECT, "dev")
CODE = [
    "sitemap_plugins",
    "tests",
    "benchmarks",
    "docs",
    "noxfile.py",
    "sample_sites/build.py",
]
BESIDE_TESTS = [
    ".github",
    ".pre-commit-hooks.yaml",
    "action.yml",
    "action",
    "tests",
    "sample_sites",
    "benchmarks",
    "docs",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "README.md",
    "RELEASING.md",
    "SECURITY.md",
    "mkdocs.yml",
    "noxfile.py",
    "pyproject.toml",
    "schema.json",
    "sitemap.schema.json",
]
PROSE = ["docs", ".github", *sorted(map(str, Path().glob("*.md")))]
IN_PROCESS = ["tests/unit", "tests/faults", "tests/folder", "tests/test_doctests.py"]
"""Tests that run the core in their own process; beside the property tests, they show
what of it is covered."""
WORKERS = str((os.cpu_count() or 1) + 1)
"""One process more than processors, as tests also wait: for servers and limits."""
PYTEST = ("python", "-m", "pytest", "-n", WORKERS, "--dist", "worksteal")
"""Each process begins with its share of the tests, so that few modules' fixtures are
made twice."""
USUAL = ("-m", "not full")
"""All tests but those that guard what is rare and take long."""
BUILD = ("python", "-m", "build", "--installer", "uv")
"""In an environment of its own, which uv makes in a second and pip in ten."""
FULL_PROFILE = "--hypothesis-profile=full"
"""Property tests try four times as many examples."""
LEAST_COVERAGE = 95
"""Covered branches of the core, in percent. The supervisor of fetches, the tag of a
page's date and what is observed while a page is made run in other processes only, which
are not measured."""
STUBS = ["lxml-stubs", "types-Markdown", "types-PyYAML"]
REAL_SITE = "9.0.4"
"""The release of Sphinx whose documentation is built: the newest for Python 3.11."""
NPM_GENERATORS = [
    "@11ty/eleventy@3.1.7",
    "mystmd@1",
    "vitepress@1",
    "hexo@8",
    "hexo-renderer-marked@7",
    "@antora/cli@3",
    "@antora/site-generator@3",
    "@docusaurus/core@3",
    "@docusaurus/preset-classic@3",
    "react@19",
    "react-dom@19",
]
"""Generators from npm. mystmd's theme is only on GitHub: its tests run if
SITEMAP_MYST_THEME names a folder that contains it."""
# gitlab.yml is another service's.
DOCUMENTED_WORKFLOWS = sorted(map(str, Path("docs/workflows").glob("[!g]*.yml")))
GITHUB_FILES = {
    "github-workflows": [
        *sorted(map(str, Path(".github/workflows").glob("*.yml"))),
        *DOCUMENTED_WORKFLOWS,
    ],
    "github-actions": ["action.yml"],
    "gitlab-ci": ["docs/workflows/gitlab.yml"],
    "github-issue-forms": [
        ".github/ISSUE_TEMPLATE/bug.yml",
        ".github/ISSUE_TEMPLATE/idea.yml",
    ],
    "github-issue-config": [".github/ISSUE_TEMPLATE/config.yml"],
    "dependabot": [".github/dependabot.yml"],
    "citation-file-format": ["CITATION.cff"],
}
"""Each schema of check-jsonschema, with the files that it is for."""
OLDEST = [
    "mkdocs==1.6.0",
    "pelican==4.8.0",
    "sphinx==7.4.0",
    "idna==3.7",
    "lxml==6.0.0",
    "pathspec==0.12.0",
    "platformdirs==4.2.0",
    "protego==0.7.0",
    "selectolax==1.0.1",
    "click==8.1.0",
    "pyyaml==6.0.1",
    "rich==13.0.0",
    "urllib3==2.6.0",
    # Its templates call filters in another way than those of 2.0.
    "mkdocstrings-python==1.16.12",
    "mkdocstrings==0.30.0",
    "griffe==1.7.3",
    "pymdown-extensions==10.14",
]
"""The oldest versions of the hosts and libraries that pyproject.toml allows, and of what
sites use beside us; other sessions install the newest versions for their Python."""


WINE = ("wine", "wineboot", "x86_64-w64-mingw32-gcc")
"""The programs with which tests run on CPython for Windows."""


def temporary(session: nox.Session) -> Path:
    """Return the session's folder for temporary files, which are not the tests' own.

    It is in this repository, and most tests are about sites outside a repository.
    """
    folder = Path(session.create_tmp()).resolve()
    session.env.pop("TMPDIR", None)
    return folder


def wheel(session: nox.Session) -> str:
    """Return the path of the wheel in the folder DIST, or build it once for all."""
    if "DIST" not in os.environ:
        session.install("build[uv]")
        target = temporary(session) / "wheel"
        shutil.rmtree(target, ignore_errors=True)
        session.run(*BUILD, "--wheel", "--outdir", str(target), silent=True)
        os.environ["DIST"] = str(target)
    return str(next(Path(os.environ["DIST"]).resolve().glob("*.whl")))


def run_tests(
    session: nox.Session, *arguments: str, env: dict[str, str] | None = None
) -> None:
    """Run pytest in a copy of the tests, so that they import the installed package."""
    enter_copy(session)
    session.run(*PYTEST, *arguments, *session.posargs, env=env)


def enter_copy(session: nox.Session) -> None:
    """Copy the tests and what they read, and change into that folder."""
    copy = temporary(session) / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    for name in BESIDE_TESTS:
        if Path(name).is_dir():
            shutil.copytree(
                name, copy / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy(name, copy / name)
    session.chdir(copy)


@nox.session
def check_style(session: nox.Session) -> None:
    """Lint, format, spelling, and statements that must be read twice."""
    session.install("ruff>=0.14", "codespell>=2.4")
    session.run("ruff", "check", *CODE)
    session.run("ruff", "format", "--check", *CODE)
    session.run("codespell", *CODE, *PROSE)
    session.run("python", "tests/check_writing.py")


@nox.session
def check_types(session: nox.Session) -> None:
    """Types, strictly."""
    session.install("mypy>=1.15", "tomli>=2.4", "-e", ".[all]", *STUBS)
    session.run("mypy")


@nox.session(tags=["full", "single"])
def check_types_elsewhere(session: nox.Session) -> None:
    """Types on other systems, which have functions that this one lacks."""
    session.install("mypy>=1.15", "tomli>=2.4", "-e", ".[all]", *STUBS)
    for system in sorted({"linux", "darwin", "win32"} - {sys.platform}):
        session.run("mypy", "--platform", system)


@nox.session
def check_tests(session: nox.Session) -> None:
    """The usual tests, on the current Python; `-- -m ''` also runs the others."""
    session.install(f"{wheel(session)}[all]", *DEV)
    run_tests(session, *USUAL)


@nox.session(python=NEWEST, tags=["full"])
def check_newest(session: nox.Session) -> None:
    """On the newest Python, the tests but those of `check_coverage`, and more examples.

    `nox -s check_tests -P 3.12 -- -m ''` runs all tests on another one.
    """
    session.install(f"{wheel(session)}[all]", *DEV)
    run_tests(session, FULL_PROFILE, *(f"--ignore={tests}" for tests in IN_PROCESS))


@nox.session(python=NEWEST, tags=["full"])
def check_coverage(session: nox.Session) -> None:
    """The other tests on the newest Python, and the branches of the core they cover."""
    session.install("-e", ".[all]", *DEV, "pytest-cov>=6")
    session.run(
        *PYTEST,
        *IN_PROCESS,
        "tests/property",
        "--cov=sitemap_plugins.core",
        "--cov-branch",
        f"--cov-fail-under={LEAST_COVERAGE}",
        "--cov-report=term-missing:skip-covered",
        *session.posargs,
    )


@nox.session(tags=["full", "single"])
def check_real_site(session: nox.Session) -> None:
    """A site of another project: the manual in the source distribution of Sphinx."""
    session.install(f"{wheel(session)}[all]", *DEV, "flit_core>=3.11", "pip")
    target = temporary(session) / "source"
    shutil.rmtree(target, ignore_errors=True)
    download = [
        "--no-deps",
        "--no-build-isolation",
        "--no-binary=sphinx",
        f"sphinx=={REAL_SITE}",
    ]
    session.run("python", "-m", "pip", "download", "-q", *download, "-d", str(target))
    shutil.unpack_archive(next(target.glob("*.tar.gz")), target)
    folder = next(target.glob("sphinx-*/doc"))
    run_tests(
        session, "tests/test_real_site.py", env={"SITEMAP_REAL_SITE": str(folder)}
    )


@nox.session(tags=["full"])
def check_oldest(session: nox.Session) -> None:
    """The tests of the hosts and of the core, with the oldest versions allowed.

    All tests of the hosts and of Lexbor; of the others the usual ones, as the rest are
    further rows of tables. Of `tests/scale`, those of the parsers: the others depend on
    no library of ours, nor do those of git, of dates and of Python's syntax.
    """
    # import-linter needs a newer rich, and griffelib is a newer Griffe.
    newer = ("import-linter", "griffelib")
    dev = [name for name in DEV if not name.startswith(newer)]
    session.install(f"{wheel(session)}[all]", *dev, *OLDEST)
    enter_copy(session)
    html = ("tests/scale/test_html.py", "tests/unit/html")
    session.run(*PYTEST, "tests/contract", "tests/hosts", *html, *session.posargs)
    others = (
        "check",
        "cli",
        "diff",
        "explain",
        "findings",
        "folder",
        "live",
        "merge",
        "moved",
        "notify",
        "scale/test_reading.py",
        "sitemaps",
        "unit",
        "versions",
    )
    tests = [f"tests/{name}" for name in others]
    ignored = [f"--ignore=tests/unit/{name}" for name in ("dates", "git", "python")]
    session.run(*PYTEST, *USUAL, *tests, *ignored, *session.posargs)


@nox.session(tags=["full", "single"])
def check_generators(session: nox.Session) -> None:
    """Folders that generators without plugins built; those of npm if it is there."""
    session.install(f"{wheel(session)}[all]", *DEV, "pdoc")
    session.install(
        "zensical>=0.0.73"
    )  # Alone: it wants a newer Pygments than Pelican 4.12 does.
    env = {}
    if shutil.which("npm"):
        folder = temporary(session) / "npm"
        folder.mkdir(exist_ok=True)
        quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0")
        npm = ("npm", "install", *quiet, "--prefix", str(folder))
        # Without its registry, it ends with 1, and those tests are skipped.
        session.run(*npm, *NPM_GENERATORS, external=True, success_codes=[0, 1])
        env["SITEMAP_NODE_MODULES"] = str(folder / "node_modules")
    run_tests(session, "tests/folder/test_generators.py", env=env)


@nox.session(tags=["full", "single"])
def check_package(session: nox.Session) -> None:
    """Wheel and source distribution: reproducible, complete, imported without a host.

    pre-commit installs the package from its sources, too.
    """
    tests = ("pytest", "pytest-xdist", "hypothesis", "jsonschema", "pre-commit>=4")
    session.install("build[uv]", "twine", *tests)
    target = temporary(session) / "dist"
    shutil.rmtree(target, ignore_errors=True)
    env = {"SOURCE_DATE_EPOCH": "1700000000"}
    session.run(*BUILD, "--outdir", str(target), env=env, silent=True)
    sdist, built = next(target.glob("*.tar.gz")), next(target.glob("*.whl"))
    session.run("twine", "check", "--strict", str(sdist), str(built))
    shutil.unpack_archive(sdist, target)
    unpacked = target / sdist.name.removesuffix(".tar.gz")
    again = target / "again"
    session.run(*BUILD, "--outdir", str(again), str(unpacked), env=env, silent=True)
    for file in (sdist, built):
        if file.read_bytes() != (again / file.name).read_bytes():
            session.error(
                f"{file.name} is not the same when built from the source distribution"
            )
        session.install("--force-reinstall", str(file))
        session.run(
            "python", "-P", "-c", "import sitemap_plugins; sitemap_plugins.generate"
        )
    session.chdir(unpacked)
    session.run(*PYTEST, *USUAL, "tests/unit")
    from_sources = {"SITEMAP_HOOK_LANGUAGE": "python"}
    session.run(
        "python", "-m", "pytest", "-q", "tests/test_pre_commit.py", env=from_sources
    )


@nox.session(tags=["full", "single"])
def check_api_types(session: nox.Session) -> None:
    """Types in the wheel as users see them, by two checkers; Node.js is from PyPI."""
    session.install(wheel(session), "mypy>=1.15", "pyright[nodejs]")
    program = temporary(session) / "api.py"  # Away from our sources.
    shutil.copy("tests/typing/api.py", program)
    session.chdir(program.parent)
    session.run("mypy", "--strict", program.name)
    session.run("pyright", program.name)


@nox.session(tags=["full", "single"])
def check_workflows(session: nox.Session) -> None:
    """Files for GitHub and GitLab, also the manual's: security and schemas, no network.

    actionlint is not included, because its package on PyPI downloads a program from
    GitHub during installation; the workflow "Workflows" runs it.
    """
    session.install("check-jsonschema>=0.33", "zizmor>=1.16")
    files = [".github", "action.yml", *DOCUMENTED_WORKFLOWS]
    session.run("zizmor", "--offline", "--persona=pedantic", *files)
    for kind, files in GITHUB_FILES.items():
        session.run("check-jsonschema", f"--builtin-schema=vendor.{kind}", *files)


@nox.session(tags=["full", "single"])
def check_docs(session: nox.Session) -> None:
    """A strict build of the manual with our plugin, and our check of its sitemap."""
    session.install(f"{wheel(session)}[all]", "mkdocs-material>=9.5")
    output_dir = temporary(session) / "site"
    session.run(
        "python", "-P", "-m", "mkdocs", "build", "--strict", "-d", str(output_dir)
    )
    check = (
        "python",
        "-P",
        "-m",
        "sitemap_plugins",
        "check",
        "--fail-on",
        "info",
    )
    # The manual's address is an example in a folder of its host.
    session.run(*check, "--ignore", "robots-not-at-root", str(output_dir))


@nox.session
def windows(session: nox.Session) -> None:
    """The unit tests and whole builds on CPython for Windows, if there is Wine.

    The builds are in `tests/wine/trials.py`; among them are the sample sites, whose
    files must have the bytes that they have on Linux. `nox -s windows -- tests/cli`
    runs other tests instead. It needs a Python 3.11 and, of Debian, the packages wine,
    wine64 and gcc-mingw-w64-x86-64.
    """
    missing = [name for name in WINE if shutil.which(name) is None]
    if missing:
        session.skip(f"not installed: {', '.join(missing)}")
    built = wheel(session)
    session.install(f"{built}[all]", *DEV, "pip", "uv>=0.8")
    folder = temporary(session)
    python = ("python", "tests/wine/windows.py", str(folder / "wine"))
    pytest = ("-m", "pytest", "-p", "no:cacheprovider", "-rs")
    session.run(*python, built, *pytest, *(session.posargs or ["tests/unit"]))
    if not session.posargs:
        linux = folder / "built-on-linux"
        session.run("python", "-P", "sample_sites/build.py", str(linux))
        env = {"BUILT_ON_LINUX": f"Z:{linux}"}
        patience = ("-o", "faulthandler_timeout=7200")  # A trial builds all samples.
        session.run(*python, "-", *pytest, *patience, "tests/wine/trials.py", env=env)


@nox.session
def samples(session: nox.Session) -> None:
    """Build every sample site and print each sitemap's path and URL count."""
    session.install(f"{wheel(session)}[all]", *DEV)
    session.run("python", "-P", "sample_sites/build.py", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Run the benchmarks with targets, half an hour, and write docs/benchmarks.md."""
    session.install("-e", ".[all]", *DEV)
    session.run("python", "benchmarks/report.py", *session.posargs)


@nox.session
def truth(session: nox.Session) -> None:
    """Build public sites with usual sitemaps and ours, judge all, write docs/truth.md.

    An hour and a half, without the time for clones from GitHub, and 25 GB; it goes on
    where it stopped. TRUTH_MIRRORS names a folder of git directories to clone from
    instead; `nox -s truth -- hatch attrs` judges two sites.
    """
    built = wheel(session)
    session.install("uv>=0.8", "griffelib>=2.4,<3")
    arguments = (str(temporary(session) / "sites"), built, *session.posargs)
    session.run("python", "-m", "benchmarks.truth", *arguments)


@nox.session
def mutation(session: nox.Session) -> None:
    """Change a module in many small ways, and print the changes that no test notices.

    `nox -s mutation -- sitemap_plugins/core/urls.py tests/unit/test_urls.py`: the
    module, or a pattern such as 'sitemap_plugins/core/*.py', then tests and options of
    pytest. Before the module may stand `--sample 15`, which draws so many changes of
    each module; `--seconds 30`, which leaves out slow tests if those of one mutant take
    longer; and `--only FILE`, which tries again those that survived the run whose output
    is in that file (an absolute path).
    """
    session.install("-e", ".[all]", *DEV, "mutmut>=3.8,<3.9")
    package = Path("sitemap_plugins").resolve()
    enter_copy(session)
    shutil.copytree(package, package.name)
    session.run("python", "-m", "tests.mutation", *session.posargs)


@nox.session
def search(session: nox.Session) -> None:
    """Look for faults with ten times as many random examples, other ones each time."""
    session.install(f"{wheel(session)}[all]", *DEV)
    run_tests(session, "--hypothesis-profile=search", "tests/property")


@nox.session
def lock(session: nox.Session) -> None:
    """Write lists of packages, with hashes, for action.yml; Dependabot updates them.

    They are for every Python and system: what the package needs, and what builds it and
    PyYAML, which has no wheel for Python 3.15.
    """
    session.install("uv>=0.8")
    build = temporary(session) / "build.in"
    tools = [
        *PYPROJECT["build-system"]["requires"],
        "setuptools>=80; python_version >= '3.15'",
    ]
    build.write_text("\n".join(tools), "utf-8")
    lowest = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    options = (
        "--universal",
        "--python-version",
        lowest,
        "--generate-hashes",
        "--upgrade",
    )
    for source, target in ((str(build), "build"), ("pyproject.toml", "requirements")):
        compile_ = (
            "uv",
            "pip",
            "compile",
            *options,
            "--no-header",
            "--no-annotate",
            "--quiet",
        )
        session.run(*compile_, source, "--output-file", f"action/{target}.txt")


@nox.session(name="format")
def format_code(session: nox.Session) -> None:
    """Rewrite the code in its standard form."""
    session.install("ruff>=0.14")
    session.run("ruff", "check", "--fix", *CODE)
    session.run("ruff", "format", *CODE)
