"""Every check, one session each; sessions named check_* change nothing.

A session installs what it needs into an environment of its own, the package as a wheel.
"""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import nox

nox.options.default_venv_backend = "venv"
nox.options.sessions = [
    "check_style",
    "check_types",
    "check_package",
    "check_docs",
    "check_tests",
    "check_hosts",
    "check_real_site",
]
nox.options.error_on_missing_interpreters = False

PROJECT = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
PYTHONS = [
    classifier.rpartition(" ")[2]
    for classifier in PROJECT["classifiers"]
    if classifier.startswith("Programming Language :: Python :: 3.")
]
CODE = ["sitemap_plugins", "tests", "benchmarks", "noxfile.py", "sample_sites/build.py"]
BESIDE_TESTS = [
    "tests",
    "sample_sites",
    "benchmarks",
    "docs",
    "CONTRIBUTING.md",
    "README.md",
    "pyproject.toml",
]
REAL_SITE = "9.0.4"
"""Release of Sphinx whose documentation is built; the newest for Python 3.11."""
# The oldest version of each host, and of what the core needs, that pyproject.toml allows, and the
# newest that this Python can have.
HOSTS = {
    "oldest": [
        *("mkdocs==1.6.0", "pelican==4.8.0", "sphinx==8.2.0"),
        *("idna==3.7", "lxml==6.0.0", "pathspec==0.12.0", "protego==0.7.0"),
    ],
    "newest": ["mkdocs<2", "pelican", "sphinx"],
}


def temporary(session: nox.Session) -> Path:
    """Return the session's folder for temporary files, which the tests must not take for theirs.

    It lies in this repository, and most tests are about sites that lie in none.
    """
    folder = Path(session.create_tmp()).resolve()
    session.env.pop("TMPDIR", None)
    return folder


def wheel(session: nox.Session) -> str:
    """Build the wheel and return its path."""
    session.install("build")
    target = temporary(session) / "wheel"
    session.run("python", "-m", "build", "--wheel", "--outdir", str(target), silent=True)
    return str(next(target.glob("*.whl")))


def run_tests(session: nox.Session, *arguments: str, env: dict[str, str] | None = None) -> None:
    """Run pytest on a copy of the tests, beside which there is no package but the installed one."""
    copy = temporary(session) / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    for name in BESIDE_TESTS:
        if Path(name).is_dir():
            shutil.copytree(name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(name, copy / name)
    session.chdir(copy)
    session.run("python", "-m", "pytest", "-n", "auto", *arguments, *session.posargs, env=env)


@nox.session
def check_style(session: nox.Session) -> None:
    """Lint, format and spelling."""
    session.install("ruff>=0.14", "codespell>=2.4")
    session.run("ruff", "check", *CODE)
    session.run("ruff", "format", "--check", *CODE)
    session.run("codespell", *CODE, "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs")


@nox.session
def check_types(session: nox.Session) -> None:
    """Types, strictly."""
    session.install("mypy>=1.15", "lxml-stubs", "nox", "-e", ".[all]")
    session.run("mypy")


@nox.session(python=PYTHONS)
def check_tests(session: nox.Session) -> None:
    """All tests, on every Python that is here."""
    session.install(f"{wheel(session)}[dev]")
    run_tests(session)


@nox.session
def check_real_site(session: nox.Session) -> None:
    """A site that nobody here wrote: the documentation in Sphinx' own source distribution."""
    session.install(f"{wheel(session)}[dev]", "flit_core>=3.11")
    target = temporary(session) / "source"
    shutil.rmtree(target, ignore_errors=True)
    download = ["--no-deps", "--no-build-isolation", "--no-binary=sphinx", f"sphinx=={REAL_SITE}"]
    session.run("python", "-m", "pip", "download", "-q", *download, "-d", str(target))
    shutil.unpack_archive(next(target.glob("*.tar.gz")), target)
    folder = next(target.glob("sphinx-*/doc"))
    run_tests(session, "tests/test_real_site.py", env={"SITEMAP_REAL_SITE": str(folder)})


@nox.session
@nox.parametrize("hosts", list(HOSTS), ids=list(HOSTS))
def check_hosts(session: nox.Session, hosts: str) -> None:
    """All but the slowest tests with the oldest and the newest version of each host."""
    session.install(f"{wheel(session)}[dev]", *HOSTS[hosts])
    run_tests(session, "tests/contract", "tests/hosts", "tests/unit")


@nox.session
def check_package(session: nox.Session) -> None:
    """Wheel and source distribution, in an environment without any host."""
    session.install("build", "twine")
    target = temporary(session) / "dist"
    shutil.rmtree(target, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(target), silent=True)
    files = [str(file) for file in target.iterdir()]
    session.run("twine", "check", "--strict", *files)
    for file in files:
        session.run("python", "-m", "pip", "install", "-q", "--force-reinstall", file)
        session.run("python", "-P", "-c", "import sitemap_plugins; sitemap_plugins.generate")


@nox.session
def check_docs(session: nox.Session) -> None:
    """The manual, strictly, with our own plugin."""
    session.install(f"{wheel(session)}[mkdocs]")
    output_dir = temporary(session) / "site"
    session.run("python", "-P", "-m", "mkdocs", "build", "--strict", "-d", str(output_dir))


@nox.session
def samples(session: nox.Session) -> None:
    """Build every sample site and print each sitemap's path and URL count."""
    session.install(f"{wheel(session)}[dev]")
    session.run("python", "-P", "sample_sites/build.py", *session.posargs)


@nox.session(name="format")
def format_code(session: nox.Session) -> None:
    """Rewrite the code in its standard form."""
    session.install("ruff>=0.14")
    session.run("ruff", "check", "--fix", *CODE)
    session.run("ruff", "format", *CODE)
