"""Versions of a page in several languages:
groups of links, and what is wrong with one."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.choice.hreflang import about_missing_default, link_groups
from sitemap_plugins.core.records import Alternate, CheckedPage, Link, Page
from tests.checked import checked

BASE = "https://example.com/"


def page(path: str, **alternates: str) -> CheckedPage:
    """Return a page with one alternate for each language, a path or a URL."""
    described = Page(
        path=path,
        name=f"{path}.md",
        alternates=tuple(
            Alternate(language=language, url=target)
            if "://" in target
            else Alternate(language=language, path=target)
            for language, target in alternates.items()
        ),
    )
    return checked(described)


def links(**targets: str) -> tuple[Link, ...]:
    return tuple(
        Link(language.replace("_", "-"), url if "://" in url else BASE + url)
        for language, url in targets.items()
    )


def test_every_version_lists_itself_and_all_others() -> None:
    expected = links(de="de", en="en", fr="fr")
    pages = [
        page("en", fr="fr", en="en", de="de"),
        page("fr", fr="fr", en="en", de="de"),
        page("de", fr="fr", en="en", de="de"),
        page("alone"),
    ]
    assert (
        {"en": expected, "fr": expected, "de": expected},
        (),
    ) == link_groups(pages, base_url=BASE)


def test_links_are_returned_and_name_the_page_itself() -> None:
    """Pages need not link to themselves; a link in each direction is enough."""
    expected = links(de="de", en="en", fr="fr")
    pages = [page("en", de="de"), page("de", en="en", fr="fr"), page("fr")]
    assert (
        {"en": expected, "de": expected, "fr": expected},
        (),
    ) == link_groups(pages, base_url=BASE)


def test_pages_of_a_group_share_one_tuple() -> None:
    found, _ = link_groups([page("en", de="de"), page("de", en="en")], base_url=BASE)
    assert found["en"] is found["de"]


def test_languages_become_bcp47_and_are_sorted() -> None:
    pages = [
        page("a", zh_Hans_CN="b", en="a", pt_BR="c", es_419="d"),
        *map(page, "bcd"),
    ]
    expected = (
        Link("en", BASE + "a"),
        Link("es-419", BASE + "d"),
        Link("pt-BR", BASE + "c"),
        Link("zh-Hans-CN", BASE + "b"),
    )
    assert expected == link_groups(pages, base_url=BASE)[0]["d"]


def test_links_to_pages_that_are_not_listed_are_dropped() -> None:
    pages = [
        page("en", en="en", de="de", fr="draft"),
        page("de", en="en", de="de", fr="draft"),
    ]
    expected = links(de="de", en="en")
    assert ({"en": expected, "de": expected}, ()) == link_groups(pages, base_url=BASE)


def test_single_version_is_not_a_group() -> None:
    assert ({}, ()) == link_groups([page("en", en="en", de="draft")], base_url=BASE)
    assert ({}, ()) == link_groups([page("en", de="draft")], base_url=BASE)
    assert ({}, ()) == link_groups([page("en", en="en", en_GB="en")], base_url=BASE)


def test_one_url_may_have_several_languages() -> None:
    pages = [page("en", en_GB="en", en_US="en", de="de"), page("de")]
    expected = (
        Link("de", BASE + "de"),
        Link("en-GB", BASE + "en"),
        Link("en-US", BASE + "en"),
    )
    assert ({"en": expected, "de": expected}, ()) == link_groups(pages, base_url=BASE)


def test_urls_outside_the_build_are_unchanged() -> None:
    pages = [page("a", en="a", fr="https://EXAMPLE.fr/caf%c3%a9"), page("b", en="b")]
    expected = links(en="a", fr="https://example.fr/caf%C3%A9")
    assert ({"a": expected}, ()) == link_groups(pages, base_url=BASE)


def test_shared_url_outside_the_build_does_not_join_groups() -> None:
    pages = [page(name, en=name, fr="https://example.fr/") for name in "ab"]
    found, notices = link_groups(pages, base_url=BASE)
    assert found == {name: links(en=name, fr="https://example.fr/") for name in "ab"}
    assert () == notices


def test_absolute_url_of_this_site_is_one_of_its_pages() -> None:
    found, _ = link_groups(
        [page("en", en="en", de=BASE + "de"), page("de")], base_url=BASE
    )
    assert links(de="de", en="en") == found["de"]


def test_lowercase_escapes_name_the_same_page() -> None:
    pages = [page("%C3%A9", en="%C3%A9", de="%c3%bc"), page("%C3%BC")]
    assert (
        links(de="%C3%BC", en="%C3%A9")
        == link_groups(pages, base_url=BASE)[0]["%C3%BC"]
    )


@pytest.mark.parametrize("link", ["%7Eme", f"{BASE}%7Eme"])
def test_another_spelling_of_a_listed_url_is_replaced_by_it(link: str) -> None:
    """As for `check`, which would otherwise report that `~me` does not link back."""
    pages = [page("en", en="en", de=link), page("~me")]
    expected = links(de="~me", en="en")
    assert ({"en": expected, "~me": expected}, ()) == link_groups(pages, base_url=BASE)


def test_home_page_has_an_empty_path() -> None:
    found, _ = link_groups([page("", en="", de="de/"), page("de/")], base_url=BASE)
    assert links(de="de/", en="") == found[""]


@pytest.mark.parametrize("default", ["en_US", "en-us", "EN-US"])
def test_default_language_is_x_default(default: str) -> None:
    pages = [page("en", en_US="en", de="de"), page("de")]
    expected = (
        Link("de", BASE + "de"),
        Link("en-US", BASE + "en"),
        Link("x-default", BASE + "en"),
    )
    assert (
        expected == link_groups(pages, base_url=BASE, default_language=default)[0]["de"]
    )


X_DEFAULT = {"x-default": "choose"}


def test_x_default_of_the_host_is_used() -> None:
    """A page where readers choose a language has links too, so it returns them."""
    pages = [
        page("en", en="en", de="de", **X_DEFAULT),
        page("de"),
        page("choose", en="en"),
    ]
    expected = (*links(de="de", en="en"), Link("x-default", BASE + "choose"))
    found, notices = link_groups(pages, base_url=BASE, default_language="fr")
    assert ({"en": expected, "de": expected, "choose": expected}, ()) == (
        found,
        notices,
    )


def test_default_language_of_no_page_is_a_notice() -> None:
    pages = [page("en/", en="en/", de="de/"), page("de/", en="en/", de="de/")]
    found, _ = link_groups(pages, base_url=BASE, default_language="fr")
    (notice,) = about_missing_default(found, "fr")

    assert (
        "no page is in default_language = 'fr', so no page is x-default" in notice.text
    )
    found, _ = link_groups(pages, base_url=BASE, default_language="de")
    assert [] == list(about_missing_default(found, "de"))
    assert [] == list(about_missing_default(found, ""))


def test_default_language_wins_over_the_x_default_of_the_host() -> None:
    pages = [page("en", en="en", de="de", **{"x-default": "en"}), page("de")]
    found, _ = link_groups(pages, base_url=BASE, default_language="de")
    assert Link("x-default", BASE + "de") == found["en"][-1]


def test_shared_x_default_does_not_join_groups() -> None:
    """It is dropped if its page does not return the link."""
    pages = [
        page("en", en="en", de="de", **{"x-default": "en"}),
        page("de"),
        page("en/b", en="en/b", de="de/b", **{"x-default": "en"}),
        page("de/b"),
    ]
    found, notices = link_groups(pages, base_url=BASE)
    assert (*links(de="de", en="en"), Link("x-default", BASE + "en")) == found["en"]
    assert links(de="de/b", en="en/b") == found["de/b"]
    assert () == notices


def test_x_default_outside_the_build_is_kept() -> None:
    pages = [
        page("en", en="en", de="de", **{"x-default": "https://example.org/"}),
        page("de"),
    ]
    assert (
        Link("x-default", "https://example.org/")
        == link_groups(pages, base_url=BASE)[0]["de"][-1]
    )


def test_repeated_language_is_one_notice_and_the_first_is_used() -> None:
    pages = [page("en", en="en", de="de"), page("de"), page("de2", de="de2", en="en")]
    found, (notice,) = link_groups(pages, base_url=BASE)
    assert {"en": links(de="de", en="en"), "de": links(de="de", en="en")} == found
    assert "hreflang" == notice.code
    assert "en.md" == notice.place
    assert (
        "the versions of one page, en.md, de.md and de2.md: "
        "de is both https://example.com/de and https://example.com/de2: give one of them"
    ) == notice.text


def test_page_in_an_unknown_language_is_one_notice_and_has_no_links() -> None:
    pages = [page("en", en="en", de="de"), page("de"), page("what", de="de")]
    found, (notice,) = link_groups(pages, base_url=BASE)
    assert {"en": links(de="de", en="en"), "de": links(de="de", en="en")} == found
    assert "no link says which language what.md is in" in notice.text


def test_all_problems_of_a_group_are_one_notice() -> None:
    pages = [
        page("en", en="en", de="de", english="en", fr="a b"),
        page("de", it="https://["),
    ]
    found, (notice,) = link_groups(pages, base_url=BASE)
    assert links(de="de", en="en") == found["en"]
    assert "'english' is not a language tag" in notice.text
    assert "'a b' contains a character" in notice.text
    assert "'https://[' is not a URL" in notice.text
    assert "\n" not in notice.text


def test_notice_names_the_language_that_is_meant() -> None:
    pages = [page("a", en_UK="a", de="b", fr="c"), page("b", de="b"), page("c", fr="c")]
    found, (notice,) = link_groups(pages, base_url=BASE)
    assert links(de="b", fr="c") == found["b"]
    assert "'UK' in 'en-UK' is not a country: write 'en-GB'" in notice.text.replace(
        "_", "-"
    )


def test_notice_is_short() -> None:
    pages = [page(f"p{number}", en=f"p{number}", de="de") for number in range(500)]
    _, (notice,) = link_groups([*pages, page("de")], base_url=BASE)
    assert len(notice.text) < 500
    assert "p0.md, p1.md, p2.md and 498 more" in notice.text
    assert "496 more of this kind" in notice.text


def test_three_problems_are_named_and_a_fourth_is_counted() -> None:
    first = page("p0", de="p0")
    for number, expected in ((3, False), (4, True)):
        wrong = {f"x{n}_": "p0" for n in range(number)}
        _, (notice,) = link_groups(
            [first, page("p1", de="p0", en="p1", **wrong)], base_url=BASE
        )
        assert ("1 more of this kind" in notice.text) is expected


def test_site_without_alternates() -> None:
    assert ({}, ()) == link_groups(
        [page("a"), page("b")], base_url=BASE, default_language="en"
    )


def test_long_chain_of_links_is_one_group() -> None:
    """Each page names the next as its German version;
    a long chain is no recursion error."""
    count = 5_000
    pages = [
        page(f"p{n}", en=f"p{n}", de=f"p{min(n + 1, count - 1)}") for n in range(count)
    ]
    found, (notice,) = link_groups(pages, base_url=BASE)
    assert dict.fromkeys(("p0", "p1"), links(de="p1", en="p0")) == found
    assert f"and {count - 3:,} more" in notice.text
