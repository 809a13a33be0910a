"""The structure of the package: layers, owners, thin adapters, public names.

Imports are read with `ast`, including those under TYPE_CHECKING and inside functions:
the rules are about what a reader of a module must know, not about what it loads.
"""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context

import sitemap_plugins
from sitemap_plugins.cli.commands import commands
from sitemap_plugins.core import codes as table_of_codes

CODES = table_of_codes.table()

PACKAGE = Path(sitemap_plugins.__file__).parent
PROJECT = Path(__file__).parents[1]
FILES = {
    ".".join(file.relative_to(PACKAGE).with_suffix("").parts).removesuffix(
        ".__init__"
    ): file
    for file in sorted(PACKAGE.rglob("*.py"))
}
"""Each module's file by its name below the package, e.g. `core.urls`;
a package by its own."""
PLUGINS = ["mkdocs", "pelican", "sphinx"]
ADAPTERS = [*PLUGINS, "folder"]
OF_HOSTS = sorted(name for name in FILES if name.partition(".")[0] in ADAPTERS)
"""Each adapter's wiring and what stands beside it: `sphinx`, `sphinx.options`."""
HOSTS = {*ADAPTERS, "properdocs"}
CORE = sorted(
    name.removeprefix("core.")
    for name, file in FILES.items()
    if name.startswith("core.") and file.name != "__init__.py"
)

ADAPTER_NODES = 650
"""The size of an adapter's wiring, in expressions and statements."""

# What only some modules may do, and which; a new owner needs a reason to stand here.
OWNERS = {
    "run programs": {
        "core.git.program",
        "core.git.history",  # The supervisor of a fetch.
        "core.git.supervisor",  # Git for it, or what ends git on Windows.
    },
    "parse XML and HTML": {
        "core.publishing.read",
        "core.html.head",
        "core.html.document",
        "versions.fix",  # It escapes an attribute.
    },
    # The last silences Python's parser.
    "log": {*PLUGINS, "core.python.text"},
    "talk to people": {
        "check.targets",
        "cli.arguments",
        "live.arguments",
        "folder.command",
        "check.command",
        "cli.commands",
        "cli.console",
        "cli.progress",  # A terminal's line, and when it goes.
        "diff.command",
        "explain.command",
        "merge.command",
        "notify.command",
        "moved.command",
        "versions.command",
    },
    "write files": {
        "live.server",  # The sitemaps of a server, into a temporary folder.
        "core.git.scratch",  # Folders of builds that were ended.
        "core.kept_record",
        "core.publishing.publish",
        "core.publishing.staging",  # Also the lock, and the folder for what is not finished.
        "core.untrusted_files",  # What is kept for the next run, and what users name.
        "folder",  # It removes the parts of an index that it replaces.
        "folder.dry_run",  # Its own copies.
    },
    "use temporary files": {
        "live.check",  # The sitemaps of a server.
        "core.git.program",  # Git's input and complaints.
        "core.git.scratch",  # The history that a shallow clone lacks.
        "core.untrusted_files",  # As above.
        "folder.dry_run",
    },
    "look at the clock": {"check.command", "core.environment", "sitemaps.web"},
    # Only Sphinx's own settings and Read the Docs together say where a language's build
    # stands.
    "look at the environment": {
        "folder.arguments",
        "cli.console",
        "diff.command",
        "merge.command",
        "notify.command",
        "moved.command",
        "versions.command",
        "core.generate",
        "mkdocs.other_programs",
        "sphinx.build",
        "core.git.supervisor",  # Where Windows has its programs.
        "sitemaps.web",  # The user's certificates, as for any program that uses the network.
    },
    "use the network": {"sitemaps.web"},
}
IMPORTS = {
    "run programs": {"subprocess", "multiprocessing", "pty"},
    "parse XML and HTML": {"lxml", "selectolax", "html", "xml.etree", "xml.dom"},
    "talk to people": {"click", "rich"},
    "log": {
        "logging",
        "warnings",
        "sphinx.util.logging",
        "mkdocs.plugins.get_plugin_logger",
    },
    "use temporary files": {"tempfile"},
    "use the network": {"socket", "ssl", "http", "ftplib", "urllib.request", "urllib3"},
}
ATTRIBUTES = {
    "run programs": {"system", "popen", "execv", "fork", "spawnv"},
    "write files": {
        "write_text",
        "write_bytes",
        "writelines",
        "unlink",
        "mkdir",
        "rmdir",
        "touch",
        "rename",
        "symlink_to",
        "hardlink_to",
        "chmod",
        "rmtree",
        "copyfile",
        "copyfileobj",
        "makedirs",
    },
    "look at the environment": {"getenv"},
}
CLOCKS = {
    "datetime.now",
    "datetime.today",
    "datetime.utcnow",
    "date.today",
    "time.time",
}


ABOUT_OTHERS = {
    "tests/preloaded.py",  # What tests load first, for speed.
    "tests/test_comparison.py",  # Other sitemap plugins.
    "tests/test_documentation.py",
    "tests/test_truth.py",
    "tests/test_truth_objects.py",
}
"""Files that name all hosts, and need not name another one."""


@functools.cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(FILES[module].read_text("utf-8"))


def dotted(node: ast.expr) -> str:
    """Return a name with its attributes as written; what is before a dot may lack."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def imported(module: str) -> set[tuple[str, str]]:
    """Return each name that a module imports as (module, name);
    name is empty for modules."""
    found = set()
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            found |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert 0 == node.level, f"{module}: imports are absolute"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                is_module = whole.removeprefix("sitemap_plugins.") in FILES
                found.add((whole, "") if is_module else (node.module, alias.name))
    return found


@functools.cache
def deeds(module: str) -> set[str]:
    """Return the capabilities of `OWNERS` that a module uses."""
    found = set()
    names = {name for name, _ in imported(module)} | {
        ".".join(i) for i in imported(module) if i[1]
    }
    for deed, modules in IMPORTS.items():
        if any(
            f"{name}.".startswith(f"{wanted}.") for name in names for wanted in modules
        ):
            found.add(deed)
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Attribute):
            found |= {
                deed
                for deed, attributes in ATTRIBUTES.items()
                if node.attr in attributes
            }
            if dotted(node) == "os.environ":
                found.add("look at the environment")
            if dotted(node) in CLOCKS:
                found.add("look at the clock")
        if isinstance(node, ast.Call):
            if dotted(node.func) == "print":
                found.add("log")
            if dotted(node.func).endswith("open") and opens_for_writing(node):
                found.add("write files")
    return found


def opens_for_writing(call: ast.Call) -> bool:
    texts = [*call.args, *(keyword.value for keyword in call.keywords)]
    modes = [str(text.value) for text in texts if isinstance(text, ast.Constant)]
    return any(re.fullmatch("[wax]b?|[rwax]b?[+]b?", mode) for mode in modes)


def test_contracts_about_imports_are_kept():
    """The contracts of import-linter in pyproject.toml;
    they also see imports in functions."""
    code = "from importlinter.cli import lint_imports_command as run; run()"
    options = ["--config", str(PROJECT / "pyproject.toml"), "--no-cache"]
    done = subprocess.run(
        [sys.executable, "-c", code, *options],
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stdout


@pytest.mark.parametrize("deed", OWNERS)
def test_only_owners_use_a_capability_and_all_do(deed):
    doers = {module for module in FILES if deed in deeds(module)}

    assert doers == OWNERS[deed]


def test_only_one_module_names_files_from_a_folder():
    """`os.path.relpath` raises for a file on another drive of Windows.

    URL paths, which `posixpath` is for, are on none.
    """
    callers = set()
    for module in FILES:
        calls = (n for n in ast.walk(tree_of(module)) if isinstance(n, ast.Call))
        called = {dotted(call.func) for call in calls}
        if called & {"relpath", "os.path.relpath", "os_path.relpath"}:
            callers.add(module)

    assert {"core.untrusted_files"} == callers


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_adapter_is_short(adapter):
    tree = ast.parse(FILES[adapter].read_text("utf-8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr | ast.stmt)]
    assert len(nodes) <= ADAPTER_NODES


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_adapter_builds_no_url_date_or_archive(adapter):
    roots = {name.partition(".")[0] for name, _ in imported(adapter)}
    attributes = {
        n.attr for n in ast.walk(tree_of(adapter)) if isinstance(n, ast.Attribute)
    }

    assert roots.isdisjoint({"gzip", "idna", "time", "urllib", "xml", "zlib"})
    assert attributes.isdisjoint(
        {"isoformat", "strftime", "strptime", "quote", "urljoin"}
    )


@pytest.mark.parametrize("module", OF_HOSTS)
def test_host_has_no_state_in_modules(module):
    """State belongs to the host's object: hosts build several sites in one process."""
    tree = tree_of(module)
    assigned = [n for n in tree.body if isinstance(n, ast.Assign | ast.AnnAssign)]
    names = {
        name.id
        for n in assigned
        for name in ast.walk(n)
        if isinstance(name, ast.Name)
        if isinstance(name.ctx, ast.Store)
    }
    mutators = {
        "add",
        "append",
        "clear",
        "discard",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "setdefault",
        "update",
        "__setitem__",
    }
    changed = set()
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Global)
        if (isinstance(node, ast.Attribute) and node.attr in mutators) or (
            isinstance(node, ast.Subscript | ast.Attribute)
            and not isinstance(node.ctx, ast.Load)
        ):
            changed.add(ast.unparse(node.value))

    assert changed.isdisjoint(names)


@pytest.mark.parametrize("module", FILES)
def test_modules_use_no_private_names_of_others(module):
    taken = {name for _, name in imported(module)}
    aliases = {
        name.rpartition(".")[2] for name, inside in imported(module) if not inside
    }
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            taken |= {node.attr} if node.value.id in aliases else set()

    assert not {name for name in taken if re.match("_[^_]", name)}


def fresh(code: str, folder: Path) -> str:
    """Run Python code in a new interpreter, in an empty folder."""
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True
    ).stdout


def test_import_of_the_package_loads_no_other_module_of_it(tmp_path):
    code = "import sys, sitemap_plugins; print(*sys.modules)"

    loaded = set(fresh(code, tmp_path).split())

    assert {"sitemap_plugins"} == {
        name for name in loaded if name.startswith("sitemap_plugins")
    }


def test_plugin_of_mkdocs_reads_no_code_until_a_site_documents_some(tmp_path):
    code = "import sys, sitemap_plugins.mkdocs; print(*sys.modules)"

    loaded = fresh(code, tmp_path).split()

    assert "sitemap_plugins.mkdocs.includes" in loaded
    assert "sitemap_plugins.core.python" not in loaded


@pytest.mark.parametrize("host", PLUGINS)
def test_plugin_loads_only_the_core_and_itself(tmp_path, host):
    """What only `check` and the other commands need takes time to import."""
    code = f"import sys, sitemap_plugins.{host}; print(*sys.modules)"

    loaded = fresh(code, tmp_path).split()

    ours = {
        name.split(".")[1] for name in loaded if name.startswith("sitemap_plugins.")
    }
    assert {"core", host} == ours
    assert {*loaded}.isdisjoint({"lxml.etree", "platformdirs", "sitemap_plugins.cli"})


def test_public_names_load_no_host_and_no_parser(tmp_path):
    """Only `generate`, with its `Report` and `GitCache`, needs them."""
    code = (
        "import sys, sitemap_plugins as s;"
        " needed = {'generate', 'Report', 'GitCache'};"
        " [getattr(s, n) for n in s.__all__ if n not in needed];"
        " print(*{name.partition('.')[0] for name in sys.modules})"
    )

    loaded = fresh(code, tmp_path).split()

    assert "idna" in loaded  # The names were really loaded.
    parsers = {"lxml", "selectolax", "xml", "protego"}
    assert {*loaded}.isdisjoint({*HOSTS, *parsers, "subprocess", "gzip"})


def test_build_loads_no_host_and_no_xml_parser(tmp_path):
    """A build parses XML only if robots.txt names an index of another program."""
    code = (
        "import sys, sitemap_plugins as s; from pathlib import Path;"
        " site = s.Site(output_dir=Path.cwd(), base_url='https://example.com/');"
        " report = s.generate([s.Page(path='a/')], site=site, options=s.Options());"
        " print(report.listed, *({'mkdocs', 'lxml'} & sys.modules.keys()))"
    )
    robots = tmp_path / "robots.txt"
    robots.write_text("Sitemap: https://example.com/sitemap.xml\n")

    assert ["1"] == fresh(code, tmp_path).split()


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_help_and_version_load_few_modules(tmp_path, option):
    """Imports take time, so no command is loaded,
    nor a library that only a command needs."""
    code = (
        f"import atexit, sys; sys.argv = ['sitemap-plugins', '{option}'];"
        " atexit.register(lambda: print('loaded:', *sys.modules));"
        " from sitemap_plugins.cli import main; main()"
    )

    loaded = fresh(code, tmp_path).partition("loaded:")[2].split()

    assert {*loaded}.isdisjoint({"rich", "urllib3", "yaml", "lxml", "pathspec"})
    ours = {name for name in loaded if name.startswith("sitemap_plugins.")}
    assert ours == {
        "sitemap_plugins.cli",
        "sitemap_plugins.cli.commands",
        "sitemap_plugins.core",
        "sitemap_plugins.core.codes",
        "sitemap_plugins.core.messages",
    }


def test_every_command_module_is_listed():
    modules = {name for name in FILES if name.endswith(".command")}
    names = commands.list_commands(Context(commands))

    assert len(modules) == len(names)
    for name in commands.list_commands(Context(commands)):
        assert name == commands.get_command(Context(commands), name).name


def test_every_public_name_exists_and_no_other():
    assert all(hasattr(sitemap_plugins, name) for name in sitemap_plugins.__all__)
    with pytest.raises(AttributeError, match="'nothing'"):
        sitemap_plugins.nothing  # noqa: B018


def test_public_names_are_documented():
    """The manual names every public name of the package,
    and no name that is not public."""
    manual = "".join(
        file.read_text("utf-8") for file in (PROJECT / "docs").rglob("*.md")
    )
    imports = re.findall(r"from sitemap_plugins import \(?([\w, \n]+)", manual)
    named = {
        name.strip() for line in imports for name in line.split("\n\n")[0].split(",")
    }

    assert named - {""} <= {*sitemap_plugins.__all__}
    assert set() == {
        name for name in sitemap_plugins.__all__ if f"`{name}`" not in manual
    }


def test_unit_tests_are_in_files_named_after_modules():
    """With a topic behind it, if a module has several files."""
    unit = PROJECT / "tests/unit"
    files = [file.relative_to(unit) for file in unit.rglob("test_*.py")]
    tested = [
        ".".join([*file.parts[:-1], file.stem.removeprefix("test_")]) for file in files
    ]
    modules = {*CORE}

    assert [] == [
        name
        for name in tested
        if not {name, *(name[: m.start()] for m in re.finditer("_", name))} & modules
    ]


def test_each_code_in_the_table_is_used_and_each_code_that_is_used_is_in_the_table():
    nodes = [
        node
        for name in FILES
        if name != "core.codes"
        for node in ast.walk(tree_of(name))
    ]
    constants = {node.value for node in nodes if isinstance(node, ast.Constant)}
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    made = {
        node.args[0].value
        for node in calls
        if node.args
        and isinstance(node.args[0], ast.Constant)
        and dotted(node.func) in {"Notice", "Finding", "_finding", "_notice"}
    }

    assert set() == CODES.keys() - constants
    assert set() == made - CODES.keys()
    assert made > {"bad-option", "duplicate", "byte-order-mark"}


def test_manual_names_only_existing_modules():
    design = (PROJECT / "docs/design.md").read_text("utf-8")
    section = design.partition("## Where does this line go?\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([a-z_/]+(?:/|\.py))`", section)) - {"sitemap_plugins/"}

    assert named
    assert set() == {name for name in named if not (PACKAGE / name).exists()}


def places_of_hosts() -> list[str]:
    """Return the files that CONTRIBUTING names for a new host, called `<host>`."""
    text = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.partition("## How to add a host\n")[2].partition("\n## ")[0]
    return re.findall(r"`([^`\s]+(?:/|\.\w+))`", section)


@pytest.mark.parametrize("host", PLUGINS)
def test_host_is_in_every_place_that_contributing_names(host):
    for place in places_of_hosts():
        # The package is that which is installed.
        top = PACKAGE.parent if place.startswith("sitemap_plugins/") else PROJECT
        file = top / place.replace("<host>", host)

        assert file.exists()
        if file.is_file():
            assert host in file.read_text("utf-8").lower(), place


def test_contributing_names_every_list_of_hosts():
    files = [*PROJECT.glob("*.*"), *PROJECT.glob("*/*.py")]
    files += PROJECT.glob(".github/*/*.yml")
    lists = set()
    for file in files:
        if file.suffix in {".toml", ".py", ".yml"}:
            text = file.read_text("utf-8").lower()
            if all(host in text for host in PLUGINS):
                lists.add(file.relative_to(PROJECT).as_posix())

    ours = {name for name in lists if not name.startswith(("benchmarks/", "sitemap_"))}
    assert ours - ABOUT_OTHERS <= {*places_of_hosts()}
