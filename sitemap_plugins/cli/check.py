"""`sitemap-plugins check`: look for what is wrong with a sitemap."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from sitemap_plugins.checks.findings import Result, baseline_text, read_baseline
from sitemap_plugins.checks.formats import FORMATS, as_html, as_markdown
from sitemap_plugins.checks.run import CheckOptions, check_file, check_folder
from sitemap_plugins.cli import arguments
from sitemap_plugins.cli.arguments import FILE, OF_SERVERS, Argument, text_option
from sitemap_plugins.cli.commands import FOUND, INTERRUPTED
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core import codes, urls
from sitemap_plugins.core.crawlers.hosting import SERVICES
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.git.repository import leads_out
from sitemap_plugins.core.messages import (
    OptionsError,
    OutputError,
    PageError,
    named,
    quoted,
    sentence,
)
from sitemap_plugins.core.untrusted_files import is_given_folder
from sitemap_plugins.core.url_forms import HTML_SUFFIXES
from sitemap_plugins.core.values import did_you_mean
from sitemap_plugins.folder.options import Settings, read_settings

ROBOTS = "robots.txt"

OF_FOLDERS = ("filename", "source_dir", "generator_config", "links", "hosting")
"""The names of the options that are only for a folder."""

MAX_PROPOSED = 6
"""Codes that are proposed in place of a wrong one, at most."""

_SERVER = re.compile(
    r"(?:localhost|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:))(?::\d+)?/?", re.ASCII
)
"""A domain, or the name of a machine with a port."""

_OF_FILES = (".xml", ".gz", ".txt", *HTML_SUFFIXES)
"""Suffixes of files, which no domain has."""

_SUMMARY = "Also append Markdown to a file, such as GitHub's job summary."


def _settings(
    context: click.Context, _parameter: click.Parameter, file: Path | None
) -> Settings:
    """Read the project's settings, whose table `check` holds defaults for this command."""
    settings = read_settings(Path(), file)
    options = {
        str(p.name): p for p in context.command.params if isinstance(p, click.Option)
    }
    del options["config"]
    defaults = {}
    for name, value in settings.check.items():
        if name not in options:
            cure = did_you_mean(name, list(options)) or "remove it"
            msg = f"check.{named(name)} is not an option"
            raise OptionsError(msg, cure=cure, place=settings.where)
        is_list = options[name].multiple or options[name].nargs != 1
        defaults[name] = [value] if is_list and not isinstance(value, list) else value
        try:
            options[name].type_cast_value(context, defaults[name])
        except (click.BadParameter, TypeError) as error:
            is_clear = isinstance(error, click.BadParameter)
            problem = str(error).rstrip(".") if is_clear else "the type is wrong"
            msg = f"check.{name} = {quoted(value)} is not valid ({problem})"
            raise OptionsError(msg, cure="correct it", place=settings.where) from None
    context.default_map = defaults
    return settings


def _codes(
    _context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]
) -> Any:  # noqa: ANN401
    given = [code for text in texts for code in text.replace(",", " ").split()]
    for code in given:
        if code not in codes.findings():
            word = code.lower().removesuffix("s")
            near = [
                known
                for known in codes.findings()
                if word in known or word.startswith(f"{known}-")
            ]
            near = [word] if word in near else near
            if 0 < len(near) <= MAX_PROPOSED:
                cure = f"did you mean {' or '.join(map(repr, near))}?"
            else:
                cure = (
                    did_you_mean(code, list(codes.findings()))
                    or "see the manual for the codes"
                )
            raise click.BadParameter(
                sentence(f"{code!r} is not the code of a finding", cure)
            )
    return frozenset(given)


@click.command()
@click.argument("target", cls=Argument)
@arguments.base_url_option()
@text_option("--filename", "NAME", "The sitemap's name in the folder.")
@text_option("--source-dir", "FOLDER", "The folder of the sources.", "--source")
@text_option("--generator-config", "FILE", "The generator's settings file.")
@click.option(
    "--config",
    type=FILE,
    is_eager=True,  # Its table gives the others their defaults.
    callback=_settings,
    help="The file that holds the settings.",
)
@click.option("--links", is_flag=True, help="Follow the links within the site.")
@click.option(
    "--hosting", type=arguments.Choice([*SERVICES]), help="Hosting service of the site."
)
@arguments.patterns_option("--required", "Pattern that a listed URL must match.")
@text_option("--select", "CODES", "Check only these.", multiple=True, callback=_codes)
@text_option(
    "--ignore", "CODES", "Check all but these.", multiple=True, callback=_codes
)
@click.option("--baseline", type=FILE, help="File of known findings.")
@click.option("--write-baseline", type=FILE, help="Save the findings.")
@arguments.choice_option(
    "--fail-on",
    codes.SEVERITIES,
    "warning",
    "The least severity that makes the command fail.",
)
@arguments.format_option(FORMATS)
@click.option("--output", type=FILE, help="Write the output to a file.")
@click.option("--report", type=FILE, help="Also write an HTML page.")
@click.option("--summary", type=FILE, help=_SUMMARY)
@arguments.server_options
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; see the exit code.")
@click.option(
    "-v", "--verbose", is_flag=True, help="Print every finding, not a few of each kind."
)
def check(target: str, **given: Any) -> None:  # noqa: ANN401 click's values, typed above
    """Check a sitemap: TARGET is a built site's folder, a sitemap file or URL, or a domain.

    A folder's sitemap is compared with its pages, their sources and robots.txt; run the command in
    the project's folder. A file is checked by itself, with the parts that it lists. For a URL, or a
    domain whose robots.txt names the sitemap, each listed page is also requested from the server.

    \b
    Examples:
      sitemap-plugins check site
      sitemap-plugins check site --hosting cloudflare --links --fail-on error
      sitemap-plugins check public/sitemap.xml --format sarif --output sitemap.sarif
      sitemap-plugins check www.example.com --sample 50

    Exits with 1 if there are errors or warnings (see --fail-on), otherwise with 0; with 2 if the
    command cannot run.
    """
    output = Output(quiet=given["quiet"], verbose=given["verbose"])
    known = read_baseline(given["baseline"]) if given["baseline"] else frozenset()
    wanted = (given["select"] or codes.findings().keys()) - given["ignore"]
    result = _run(target, given, output).filtered(
        lambda finding: finding.code in wanted and finding.fingerprint not in known
    )
    if given["write_baseline"] and not result.is_interrupted:
        _write(given["write_baseline"], baseline_text(result.findings))
    if given["report"]:
        _write(given["report"], as_html(result))
    if given["summary"]:
        _write(given["summary"], as_markdown(result), append=True)
    _print(result, given, output)
    if (
        given["write_baseline"]
        and given["form"] == "text"
        and not result.is_interrupted
    ):
        output.line(f"these findings are saved in {given['write_baseline']}")
    if result.is_interrupted:
        output.problem("the check was interrupted: run it again for all findings")
        raise click.exceptions.Exit(INTERRUPTED)
    fails = codes.SEVERITIES[: codes.SEVERITIES.index(given["fail_on"]) + 1]
    if result.worst() in fails and not given["write_baseline"]:
        raise click.exceptions.Exit(FOUND)


def _run(target: str, given: dict[str, Any], output: Output) -> Result:
    if (robots := Path(target)).name == ROBOTS and robots.is_file():
        target, given = str(robots.parent), {**given}
        given["filename"] = given["filename"] or _named_by(robots.parent)
    options = arguments.site_options(given["config"], Path(target), given)
    wanted = CheckOptions(
        now=datetime.now(UTC),
        base_url=options.base_url,
        links=given["links"],
        hosting=given["hosting"] or "",
        required=given["required"],
    )
    url, path = _remote_target(target), Path(target)
    if not url and is_given_folder(path):
        _refuse(OF_SERVERS, "a server, not for a folder: remove it")
        return check_folder(
            arguments.project_of(path, options), wanted, track=output.track
        )
    if not url and path.is_file():
        _refuse(OF_FOLDERS, "a folder, not for a file: remove it")
        if not given["map_host"]:
            _refuse(OF_SERVERS, "a server: name a URL, or give --map-host")
    if not url and (given["no_fetch"] or not given["map_host"]):
        return check_file(path, target, wanted)
    from sitemap_plugins.checks import live  # noqa: PLC0415 slow to import

    how = arguments.live_options(given)
    if not url:
        return live.check_file_live(path, target, wanted, how, track=output.track)
    _refuse(("base_url", *OF_FOLDERS), "a folder, not for a URL: remove it")
    return live.check_live(url, wanted, how, track=output.track)


def _named_by(site_dir: Path) -> str | None:
    """Return the first file of a folder that a Sitemap line of its robots.txt names."""
    robots = Robots.read(site_dir, "", on_read_the_docs=False)
    names = (url.rpartition("/")[2] for url in robots.sitemaps)
    return next((name for name in names if (site_dir / name).is_file()), None)


def _refuse(names: Iterable[str], place: str) -> None:
    """Refuse options without effect; settings of the same names are for other targets."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise OptionsError(f"--{name.replace('_', '-')} is for {place}")


def _remote_target(target: str) -> str:
    """Return the URL that a target names, normalized; empty for a file or folder.

    The URL of a domain ends with a slash; for a robots.txt, it is that of its folder.

    Raises:
        OptionsError: The target begins like a URL, but is not one.
    """
    if not target.lower().startswith(("http://", "https://")):
        is_file = Path(target).exists() or target.lower().endswith(_OF_FILES)
        if is_file or not _SERVER.fullmatch(target):
            return ""
        target = (
            f"{'http' if urls.is_local(f'http://{target}') else 'https'}://{target}"
        )
    try:
        url = urls.normalize_url(target)
    except PageError as error:
        raise OptionsError(error.problem, cure=error.cure) from None
    return url.removesuffix(ROBOTS) if url.endswith(f"/{ROBOTS}") else url


def _write(file: Path, text: str, *, append: bool = False) -> None:
    if leads_out(file, file.parent):
        msg = f"{str(file)!r} is a link to a file outside the repository"
        raise OutputError(msg, cure="name another file")
    try:
        if append:
            with file.open("a", encoding="utf-8") as stream:
                stream.write(text)
        else:
            file.write_text(text, "utf-8")
    except OSError as error:
        msg = f"{str(file)!r} cannot be written ({error.strerror})"
        raise OutputError(msg, cure="name another file") from None


def _print(result: Result, given: dict[str, Any], output: Output) -> None:
    if given["form"] != "text":
        text = FORMATS[given["form"]](result)
        if given["output"]:
            _write(given["output"], text)
        elif not given["quiet"]:
            click.echo(text.encode(), nl=False)  # UTF-8, whatever the terminal shows.
        return
    if given["output"]:
        lines = [f"{f.severity} {f} ({f.code})\n" for f in result.findings]
        _write(given["output"], "".join(lines))
    output.findings(result)
    output.line(result.summary())
