"""Environment variables of the services that build sites."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.environment import CI

UNSHALLOW = "run `git fetch --unshallow`"
CLOUDFLARE = "begin the build command with `git fetch --unshallow || true;`"


def test_empty_environment():
    assert CI() == CI.from_environ({})
    assert (False, False, "", "", "") == (
        CI().is_ci,
        CI().read_the_docs,
        CI().preview,
        CI().canonical_url,
        CI().language,
    )


@pytest.mark.parametrize(
    ("variable", "unshallow"),
    [
        ("CI", UNSHALLOW),
        (
            "READTHEDOCS",
            "set `build.jobs.post_checkout` to `git fetch --unshallow || true`",
        ),
        ("CF_PAGES", CLOUDFLARE),
        ("WORKERS_CI", CLOUDFLARE),
        ("NETLIFY", CLOUDFLARE),
        ("VERCEL", "set the environment variable `VERCEL_DEEP_CLONE=true`"),
        ("GITHUB_ACTIONS", "set `fetch-depth: 0` at actions/checkout"),
        ("GITLAB_CI", "set the variable `GIT_DEPTH: 0`"),
    ],
)
@pytest.mark.parametrize("value", ["1", "true", "True"])
def test_service_is_recognized_by_its_variable_and_has_its_cure(
    variable, unshallow, value
):
    ci = CI.from_environ({variable: value})

    assert (True, unshallow) == (ci.is_ci, ci.unshallow)
    assert (variable == "READTHEDOCS") == ci.read_the_docs


@pytest.mark.parametrize("value", ["", "0", "false", "False"])
def test_variable_that_means_no_is_not_set(value):
    assert CI() == CI.from_environ(
        {"CI": value, "READTHEDOCS": value, "NETLIFY": value}
    )


def test_service_on_the_machines_of_another_wins():
    ci = CI.from_environ({"GITHUB_ACTIONS": "true", "CF_PAGES": "1"})

    assert CLOUDFLARE == ci.unshallow


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        (
            {"READTHEDOCS_VERSION_TYPE": "external"},
            "a pull request's preview on Read the Docs",
        ),
        ({"READTHEDOCS_VERSION_TYPE": "branch"}, ""),
        (
            {"NETLIFY": "true", "CONTEXT": "deploy-preview"},
            "a deploy preview on Netlify",
        ),
        ({"NETLIFY": "true", "CONTEXT": "production"}, ""),
        ({"NETLIFY": "true", "CONTEXT": "branch-deploy"}, ""),
        ({"VERCEL": "1", "VERCEL_ENV": "preview"}, "a preview deployment on Vercel"),
        ({"VERCEL": "1", "VERCEL_ENV": "production"}, ""),
        ({"CONTEXT": "deploy-preview"}, ""),
        # Its production branch can have any name, and the build is not told it.
        ({"CF_PAGES": "1", "CF_PAGES_BRANCH": "gh-pages"}, ""),
        ({"WORKERS_CI": "1", "WORKERS_CI_BRANCH": "feature"}, ""),
    ],
)
def test_preview_builds_are_recognized(environ, expected):
    assert expected == CI.from_environ(environ).preview


@pytest.mark.parametrize(
    ("variable", "expected"),
    [
        ("CF_PAGES", "cloudflare-pages"),
        ("WORKERS_CI", "cloudflare"),
        ("NETLIFY", ""),
        ("VERCEL", ""),
        ("GITHUB_ACTIONS", ""),
    ],
)
def test_builds_on_cloudflare_give_the_hosting(variable, expected):
    assert expected == CI.from_environ({variable: "1"}).hosting


def test_read_the_docs_gives_address_and_language():
    environ = {
        "READTHEDOCS_CANONICAL_URL": "https://docs.example.com/de/latest/",
        "READTHEDOCS_LANGUAGE": "de",
    }

    ci = CI.from_environ(environ)

    assert ("https://docs.example.com/de/latest/", "de") == (
        ci.canonical_url,
        ci.language,
    )


@pytest.mark.parametrize(
    ("text", "expected"), [("60", 60.0), ("", None), ("soon", None)]
)
def test_source_date_epoch_is_a_number_of_seconds(text, expected):
    assert expected == CI.from_environ({"SOURCE_DATE_EPOCH": text}).source_date_epoch
