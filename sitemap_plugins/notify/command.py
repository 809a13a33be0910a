"""`sitemap-plugins notify`: tell search engines what changed, by IndexNow."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from sitemap_plugins.cli.arguments import (
    FILE,
    Argument,
    Given,
    NumberRange,
    base_url_option,
    flag_option,
    number_option,
    patterns_option,
    quiet_option,
    text_option,
    url_type,
)
from sitemap_plugins.cli.commands import FOUND
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import OptionsError, printable
from sitemap_plugins.core.patterns import Patterns
from sitemap_plugins.folder.arguments import required_base_url
from sitemap_plugins.notify import indexnow
from sitemap_plugins.sitemaps.changes import find_changes
from sitemap_plugins.sitemaps.locations import (
    FileLocation,
    Location,
    WebLocation,
    find_locations,
)
from sitemap_plugins.sitemaps.parts import all_elements
from sitemap_plugins.sitemaps.web import Deadline, Web

_CHANGES = "The output of `diff --format json` before the deploy, in place of --since."
_KEY_LOCATION = "The key file, if it is not KEY.txt beside the live sitemap."
_WAIT = "Longest time to wait for the deploy, and for search engines that ask to wait."


@click.command()
@click.argument("new", cls=Argument)
@text_option("--since", "OLD", "The earlier sitemap, written as for `diff`.")
@text_option("--changes", "FILE", _CHANGES, type=FILE)
@flag_option("--all", "Send every URL, changed or not.", "everything")
@patterns_option("--exclude", "Pattern of URLs not to send, such as lists of posts.")
@flag_option("--init", "Write a key file into NEW, a folder, and send nothing.")
@click.option("--key", envvar="INDEXNOW_KEY", default="", help="The site's key.")
@text_option("--key-location", "URL", _KEY_LOCATION, default="", type=url_type)
@base_url_option()
@number_option("--wait", "SECONDS", NumberRange(min=0), 300, _WAIT)
@click.option(
    "--endpoint",
    metavar="URL",
    multiple=True,
    default=indexnow.ENDPOINTS,
    show_default=True,
    type=url_type,
    help="Where to send; the next one is used if one refuses.",
)
@flag_option("--dry-run", "Print what would be sent, and send nothing.")
@quiet_option()
def notify(new: str, **given: Any) -> None:  # noqa: ANN401 click's values, typed above
    """Send the URLs that were added, changed or removed to search engines, by IndexNow.

    NEW is the sitemap of the site as it is now: a file, a folder or a URL. Run the
    command after the deploy: it sends nothing until the live sitemap lists the same as
    NEW and the key file is published.

    \b
    Examples:
      sitemap-plugins notify docs --init
      sitemap-plugins notify site --since old-sitemap.xml --key KEY
      sitemap-plugins notify https://example.com/ --changes changes.json --key KEY

    Exits with 0 if everything was accepted or nothing changed, with 1 if no search
    engine accepts it, with 2 if the command cannot run.
    """
    output = Output(quiet=given["quiet"], verbose=False)
    if given["init"]:
        _init(Path(new), output)
        return
    output.step("Reading sitemaps")
    with Web() as web:
        locations = find_locations(new, web=web, environ=os.environ)
        excluded = Patterns.compile(given["exclude"])
        changed = indexnow.without(_urls(locations, given, web), excluded)
        if given["dry_run"]:
            for url in changed:
                output.data(f"{printable(url)}\n")
            return
        key = indexnow.check_key(given["key"])
        live = [_live(location, given["base_url"], web) for location in locations]
        folder = live[0].url.rpartition("/")[0]
        submitter = indexnow.Submitter(
            key=key,
            location=given["key_location"] or f"{folder}/{key}.txt",
            endpoints=given["endpoint"],
            web=web,
            deadline=Deadline(given["wait"]),
        )
        to_send = list(changed)
        if to_send:
            output.step("Waiting for the deploy")
            indexnow.wait_until_live(locations, live, submitter.deadline)
            _send(to_send, submitter, output)
            return
    what = "nothing else" if given["exclude"] else "nothing"
    output.line(f"{what} changed: nothing is sent")


def _send(
    to_send: Sequence[str], submitter: indexnow.Submitter, output: Output
) -> None:
    """Send URLs, and print which search engine took them."""
    try:
        output.step("Sending URLs")
        for host, number, endpoint, meaning in indexnow.send(to_send, submitter):
            output.line(f"{host}: {number:,} sent to {endpoint} ({meaning})")
    except indexnow.RefusedError as error:
        output.problem(str(error))
        raise click.exceptions.Exit(FOUND) from None


def _init(folder: Path, output: Output) -> None:
    old = indexnow.key_file_in(folder)
    file = old or indexnow.write_key_file(folder)
    state = "there already" if old else "written"
    output.line(f"{file} is {state}: the key is {file.stem}")
    output.line(
        f"Publish it beside the sitemap, such as https://www.example.com/{file.name},"
        " unchanged and without a redirect. Below a path"
        " (https://user.github.io/project/) it covers the URLs there. Commit it: the"
        " key is not a secret."
    )


def _urls(locations: Sequence[Location], given: Given, web: Web) -> Iterator[str]:
    ways = [given["since"], given["changes"], given["everything"]]
    if sum(map(bool, ways)) != 1:
        cure = "give --since OLD, --changes FILE or --all"
        raise OptionsError("what changed is not known", cure=cure)
    if given["everything"]:
        return (element.get("loc") for element in all_elements(locations))
    if given["changes"]:
        return indexnow.urls_to_send(indexnow.read_changes(given["changes"]))
    old = find_locations(given["since"], web=web, environ=os.environ)
    changes = find_changes(all_elements(old), all_elements(locations))
    return indexnow.urls_to_send(changes)


def _live(location: Location, base_url: str, web: Web) -> WebLocation:
    """Return where a sitemap is published."""
    if isinstance(location, WebLocation):
        return location
    if not isinstance(location, FileLocation):
        msg = f"{location.name} is a commit, which is not published"
        raise OptionsError(msg, cure="name a file, a folder or a URL")
    folder = required_base_url(base_url, location.path.parent)
    name = urls.percent_encode(location.path.name)
    return WebLocation(urls.join(folder, name), web)
