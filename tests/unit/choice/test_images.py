"""Which images of a page are listed, and at which URLs."""

from __future__ import annotations

import pytest

from sitemap_plugins import Page
from sitemap_plugins.core.choice.images import find_images
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.limits import MAX_IMAGES
from tests.checked import checked

BASE = "https://example.com/"
FOUND = [f"{BASE}a/x.jpg"]


@pytest.fixture
def found(tmp_path):
    """Return a function that gives the images of a page with this body,
    or this whole HTML."""

    def images(body, head="", robots=None, content="<main>{}</main>"):
        file = tmp_path / "index.html"
        file.write_text(
            f"<head>{head}</head><body>{content.format(body)}</body>", "utf-8"
        )
        page = checked(Page(path="a/", name="a.md", output_file=file))
        by_url, notices = find_images([page], base_url=BASE, robots=robots)
        assert () == notices
        return list(by_url.get(f"{BASE}a/", ()))

    return images


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("x.jpg", f"{BASE}a/x.jpg"),
        ("../x.jpg", f"{BASE}x.jpg"),
        (" /x.jpg ", f"{BASE}x.jpg"),
        (f"{BASE}x.jpg#top", f"{BASE}x.jpg"),
        ("//EXAMPLE.com/x", f"{BASE}x"),
        ("my photo (1).jpg", f"{BASE}a/my%20photo%20(1).jpg"),
        ("100%.jpg", f"{BASE}a/100%25.jpg"),
        ("m%c3%bcnchen.jpg", f"{BASE}a/m%C3%BCnchen.jpg"),
        ("münchen.jpg?a=1&amp;b=2", f"{BASE}a/m%C3%BCnchen.jpg?a=1&b=2"),
    ],
)
def test_urls_are_absolute_and_encoded(found, address, expected):
    assert [expected] == found(f'<img src="{address}">')


@pytest.mark.parametrize(
    "image",
    [
        "<img>",
        "<img src=''>",
        "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>",
        "<img src='https://other.example/x.jpg'>",
        "<img src='http://example.com/x.jpg'>",
        "<img src='https://example.com:8443/x.jpg'>",
        "<img src='http://['>",
        "<img src='blob:https://example.com/x'>",
        "<img src='icon.svg'>",
        "<img src='badge.SVG?branch=main'>",
        "<img src=x.jpg width=1>",
        "<img src=x.jpg height=0>",
        "<img src=x.jpg width=1px height=20>",
        "<img src=x.jpg height=0px width=20>",
        "<img src=x.png class='icon Emoji'>",
        "<img src=x.png class=emojione>",
        "<img src=x.png class=twemoji>",
        "<img srcset='x.jpg 2x'>",
        "<picture><source srcset='x.webp'></picture>",
        "<nav><a href=/><img src=x.jpg></a></nav>",
        "<aside><p><img src=x.jpg></aside>",
        "<footer><img src=x.jpg></footer>",
        "<template><img src=x.jpg></template>",
        "<!-- <img src=x.jpg> -->",
    ],
)
def test_elements_that_are_not_images_of_the_page(found, image):
    assert [] == found(image)


@pytest.mark.parametrize(
    "image",
    [
        "<img src=x.jpg srcset='y.jpg 2x' data-src=z.jpg>",
        "<img src='data:image/gif;base64,R0lG' data-src=x.jpg>",
        "<img data-src=x.jpg class=lazyload>",
        "<picture><source srcset='x.webp'><img src=x.jpg></picture>",
        "<header><figure><a href=/><img src=x.jpg width=100 height=1px0></a></figure></header>",
        "<a href=x.html><img src=x.jpg></a>",
        "<div href=y.jpg><img src=x.jpg></div>",
        "<img src=x.jpg><p><img src=../a/x.jpg><a href=x.jpg><img src=x.jpg></a>",
        "<noscript><img src=x.jpg></noscript>",
    ],
)
def test_elements_that_are_images_of_the_page(found, image):
    assert FOUND == found(image)


@pytest.mark.parametrize(
    "full", ["x.JPG?v=1", "x.avif", "x.bmp", "x.gif", "x.jpeg", "x.png", "x.webp"]
)
def test_thumbnail_is_listed_with_the_image_that_it_links_to(found, full):
    body = f"<a class=glightbox href={full}><figure><img src=thumb.png></figure></a>"

    assert [f"{BASE}a/thumb.png", f"{BASE}a/{full}"] == found(body)


@pytest.mark.parametrize(
    "content",
    [
        "<img src=logo.png><main>{}</main><img src=ad.png>",
        "<div role=main>{}</div><article><img src=logo.png></article>",
        "<main><img src=logo.png><div class='a md-content'>{}</div></main>",
        "<img src=logo.png><article>{}</article>",
        "<img src=logo.png><div class=body>{}</div>",
    ],
)
def test_only_images_of_the_content_are_listed(found, content):
    assert FOUND == found("<img src=x.jpg>", content=content)


def test_page_without_a_content_element_has_no_images(found):
    assert [] == found("<img src=x.jpg>", content="<div>{}</div>")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Robots", []),
        ("googlebot", []),
        ("googlebot-image", []),
        ("description", FOUND),
    ],
)
def test_noimageindex_lists_no_image(found, name, expected):
    head = f"<meta name={name} content='NoImageIndex, nofollow'>"

    assert expected == found("<img src=x.jpg>", head)


def test_base_of_the_page_applies(found):
    assert [f"{BASE}b/x.jpg"] == found("<img src=x.jpg>", "<base href=/b/>")


def test_robots_txt_applies_to_images(found):
    robots = Robots(
        b"User-agent: *\nDisallow: /a/x", base_url=BASE, on_read_the_docs=False
    )

    assert [f"{BASE}y.jpg"] == found("<img src=x.jpg><img src=/y.jpg>", robots=robots)


def test_images_of_a_page_are_limited_as_in_google(found):
    body = "".join(f"<img src={number}.jpg>" for number in range(MAX_IMAGES + 1))

    images = found(body)

    assert (MAX_IMAGES, f"{BASE}a/0.jpg") == (len(images), images[0])


def test_pages_without_readable_images_are_not_returned(tmp_path):
    (tmp_path / "b.html").write_text("<main>" + "<div>" * 100_000)
    (tmp_path / "d.html").write_text("<main>")
    pages = [
        Page(path="a/"),
        Page(path="b/", name="b.md", output_file=tmp_path / "b.html"),
        Page(path="c/", name="c.md", output_file=tmp_path / "none.html"),
        Page(path="d/", name="d.md", output_file=tmp_path / "d.html"),
    ]

    by_url, notices = find_images(map(checked, pages), base_url=BASE, robots=None)

    assert {} == by_url
    assert ["b.md: images were not read: ", "c.md: images were not read: "] == [
        str(notice)[:28] for notice in notices
    ]
    assert {"html-unreadable"} == {notice.code for notice in notices}
