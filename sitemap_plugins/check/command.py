"""`sitemap-plugins check`: look for what is wrong with a sitemap."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from sitemap_plugins.check.run import CheckOptions, check_file, check_folder
from sitemap_plugins.check.targets import OF_FOLDERS, further_targets, refuse
from sitemap_plugins.cli.arguments import (
    CONFIG,
    FILE,
    Argument,
    Choice,
    Given,
    base_url_option,
    choice_option,
    flag_option,
    format_option,
    patterns_option,
    quiet_option,
    text_option,
)
from sitemap_plugins.cli.commands import FOUND, INTERRUPTED
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core import codes
from sitemap_plugins.core.crawlers.hosting import SERVICES
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.messages import (
    OptionsError,
    named,
    quoted,
    sentence,
)
from sitemap_plugins.core.untrusted_files import is_given_folder, write_text
from sitemap_plugins.core.values import did_you_mean
from sitemap_plugins.findings.formats import FORMATS, as_html, as_markdown
from sitemap_plugins.findings.records import (
    Finding,
    Result,
    baseline_text,
    read_baseline,
)
from sitemap_plugins.folder.arguments import project_of, site_options
from sitemap_plugins.folder.options import Settings, read_settings

ROBOTS = "robots.txt"


MAX_PROPOSED = 6
"""Codes that are proposed in place of a wrong one, at most."""


_HOSTING = (
    f"Report URLs that the service redirects or does not serve: {', '.join(SERVICES)}."
)
_SUMMARY = "Also append Markdown to a file, such as GitHub's job summary."


def _settings(
    context: click.Context, _parameter: click.Parameter, file: Path | None
) -> Settings:
    """Read the project's settings; the table `check` has defaults for this command."""
    settings = read_settings(Path(), file)
    options = settable(context.command)
    defaults = {}
    for name, value in settings.check.items():
        if name not in options:
            cure = did_you_mean(name, options) or "remove it"
            msg = f"check.{named(name)} is not an option"
            raise OptionsError(msg, cure=cure, place=settings.where)
        option = options[name]
        default = _as_given(value, option)
        problem = _problem_with(default, option, context)
        if problem:
            msg = f"check.{name} = {quoted(value)} is not valid ({problem})"
            cure = f"`sitemap-plugins check --help` says what --{name} takes"
            raise OptionsError(msg, cure=cure, place=settings.where)
        defaults[str(option.name)] = default
    context.default_map = defaults
    return settings


def settable(command: click.Command) -> dict[str, click.Option]:
    """Return the options that a project's settings can have, by their names there."""
    options = {}
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.name != "config":
            switch = max(parameter.opts, key=len)
            options[switch.removeprefix("--").replace("-", "_")] = parameter
    return options


def _as_given(value: object, option: click.Option) -> object:
    """Return a setting as click takes it: a list for an option that takes several."""
    takes_list = option.multiple or option.nargs != 1
    return [value] if takes_list and not isinstance(value, list) else value


def _problem_with(value: object, option: click.Option, context: click.Context) -> str:
    """Return why an option cannot have a value; empty if it can."""
    try:
        option.type_cast_value(context, value)
    except click.BadParameter as error:
        return str(error).rstrip(".")
    except TypeError:
        return "the type is wrong"
    return ""


def _codes(
    _context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]
) -> Any:  # noqa: ANN401
    given = " ".join(texts).replace(",", " ").split()
    for code in given:
        if code not in codes.findings():
            problem = f"{code!r} is not the code of a finding"
            raise click.BadParameter(sentence(problem, _meant_codes(code)))
    return frozenset(given)


def _meant_codes(code: str) -> str:
    """Propose the codes that a user may have meant with a wrong one."""
    known = codes.findings()
    word = code.lower().removesuffix("s")
    if word in known:
        near = [word]
    else:
        near = [each for each in known if word in each or word.startswith(f"{each}-")]
    if 0 < len(near) <= MAX_PROPOSED:
        return f"did you mean {' or '.join(map(repr, near))}?"
    return did_you_mean(code, known) or "`sitemap-plugins explain` lists them"


def _options_of_targets(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that are only for further targets."""
    for module in further_targets():
        for option in reversed(module.OPTIONS):
            command = option(command)
    return command


@click.command()
@click.argument("target", cls=Argument)
@base_url_option()
@text_option("--filename", "NAME", "The sitemap's name in the folder.")
@text_option("--source-dir", "FOLDER", "The folder of the pages' sources.", "--source")
@text_option("--generator-config", "FILE", "The generator's settings file.")
@click.option(
    "--config",
    type=FILE,
    is_eager=True,  # Its table gives the others their defaults.
    callback=_settings,
    help=CONFIG,
)
@click.option(
    "--hosting",
    metavar="SERVICE",
    type=Choice([*SERVICES]),
    help=_HOSTING,
)
@patterns_option(
    "--required", "Report an error unless a listed URL matches the pattern."
)
@text_option(
    "--select", "CODES", "Report only these codes.", multiple=True, callback=_codes
)
@text_option(
    "--ignore", "CODES", "Report all but these codes.", multiple=True, callback=_codes
)
@click.option("--baseline", type=FILE, help="Ignore the findings saved in this file.")
@click.option(
    "--write-baseline",
    type=FILE,
    help="Save the findings in this file, and exit with 0.",
)
@choice_option(
    "--fail-on",
    codes.SEVERITIES,
    "warning",
    "The lowest severity that makes the command fail.",
)
@format_option(FORMATS)
@click.option("--output", type=FILE, help="Write the output to this file.")
@click.option("--report", type=FILE, help="Also write an HTML report.")
@click.option("--summary", type=FILE, help=_SUMMARY)
@_options_of_targets
@quiet_option("Print nothing; see the exit code.")
@flag_option("-v", "Print every finding, not a few of each kind.", "--verbose")
def check(  # noqa: PLR0913 click's values; `given` holds those of sites and servers
    target: str,
    *,
    select: frozenset[str],
    ignore: frozenset[str],
    baseline: Path | None,
    write_baseline: Path | None,
    fail_on: str,
    form: str,
    output: Path | None,
    report: Path | None,
    summary: Path | None,
    quiet: bool,
    verbose: bool,
    **given: Any,  # noqa: ANN401 typed above
) -> None:
    """Check a sitemap: TARGET is a built site's folder, a file, a URL or a domain.

    A folder's sitemap is compared with its pages, their sources and robots.txt; run
    the command in the project's folder. A file is checked alone, with the parts that it
    lists. For a URL, or a domain whose robots.txt names the sitemap, each listed page
    is also requested from the server.

    \b
    Examples:
      sitemap-plugins check site
      sitemap-plugins check site --hosting cloudflare --fail-on error
      sitemap-plugins check public/sitemap.xml --format sarif --output check.sarif
      sitemap-plugins check www.example.com --sample 50

    Exits with 0 if there are no errors or warnings (see --fail-on), with 1 if there
    are some, with 2 if the command cannot run.
    """
    console = Output(quiet=quiet, verbose=verbose)
    known = read_baseline(baseline) if baseline else frozenset()
    wanted_codes = (select or codes.findings().keys()) - ignore

    def is_wanted(finding: Finding) -> bool:
        return finding.code in wanted_codes and finding.fingerprint not in known

    result = _run(target, given, console).filtered(is_wanted)
    if write_baseline and not result.is_interrupted:
        write_text(write_baseline, baseline_text(result.findings))
    if report:
        write_text(report, as_html(result))
    if summary:
        write_text(summary, as_markdown(result), append=True)
    _print(result, form, output, console)
    if result.is_interrupted:
        console.problem("the check was interrupted: run it again for all findings")
        raise click.exceptions.Exit(INTERRUPTED)
    if not write_baseline:
        _fail(result, fail_on)
    elif form == "text":
        console.line(f"these findings are saved in {write_baseline}")


def _fail(result: Result, least: str) -> None:
    """Exit if there is a finding of the severity `least`, or of a worse one."""
    fatal = codes.SEVERITIES[: codes.SEVERITIES.index(least) + 1]
    if result.worst() in fatal:
        raise click.exceptions.Exit(FOUND)


def _run(target: str, given: Given, console: Output) -> Result:
    """Check what a target names: a server, a built site's folder, or a file."""
    path = Path(target).expanduser()
    # robots.txt stands for its folder, with the sitemap that it names.
    if path.name == ROBOTS and path.is_file():
        path = path.parent
        given["filename"] = given["filename"] or _named_by(path)
    options = site_options(given["config"], path, given)
    wanted = _check_options(options.base_url, given)
    for module in further_targets():
        result: Result | None = module.check_target(target, wanted, given, console)
        if result:
            return result
    if is_given_folder(path):
        project = project_of(path, options)
        console.step("Checking the folder")
        return check_folder(project, wanted, track=console.track)
    if path.is_file():
        refuse(OF_FOLDERS, "a folder, not for a file: remove it")
    console.step("Checking the file")
    return check_file(path, target, wanted)


def _check_options(base_url: str, given: Given) -> CheckOptions:
    return CheckOptions(
        now=datetime.now(UTC),
        base_url=base_url,
        hosting=given["hosting"] or "",
        required=given["required"],
    )


def _named_by(site_dir: Path) -> str | None:
    """Return the first file of a folder that a Sitemap line of its robots.txt names."""
    robots = Robots.read(site_dir, "", on_read_the_docs=False)
    for url in robots.sitemaps:
        name = url.rpartition("/")[2]
        if (site_dir / name).is_file():
            return name
    return None


def _print(result: Result, form: str, file: Path | None, console: Output) -> None:
    """Print a result, or write it to a file.

    A text for people is printed in any case.
    """
    if form == "text":
        if file:
            lines = [
                f"{each.severity} {each} ({each.code})\n" for each in result.findings
            ]
            write_text(file, "".join(lines))
        console.findings(result)
        console.summary(result)
        return
    text = FORMATS[form](result)
    if file:
        write_text(file, text)
    elif not console.quiet:
        console.data(text)
