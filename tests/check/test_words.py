"""A finding names what is wrong in this file, and its cure what to write."""

from __future__ import annotations

import gzip
import io
import zipfile

import pytest

from tests.check.checked_site import index, result_of_file, url, urlset
from tests.check.kinds import IMAGE, NEWS, VIDEO, dated, entry, fields, image, loc
from tests.check.kinds import page as with_children
from tests.check.kinds import urlset as with_namespaces
from tests.folder.html_folder import BASE

HOSTS = ("192.168.0.5", "10.0.0.1:8080", "169.254.1.1", "[fe80::1]", "printer.local")


def found(folder, text, name="sitemap.xml"):
    """Return code, problem and cure of each finding in a file."""
    data = text.encode() if isinstance(text, str) else text
    (folder / name).write_bytes(data)
    findings = result_of_file(folder / name).findings
    return [(each.code, each.problem, each.cure) for each in findings]


def cure_of(folder, text, code, name="sitemap.xml"):
    cures = [cure for each, _, cure in found(folder, text, name) if each == code]
    assert cures
    return cures[0]


@pytest.mark.parametrize(
    ("children", "cure"),
    [
        (f"<loc>{BASE}a/</loc><lastMod>2024</lastMod>", "write <lastmod>"),
        (f"<loc>{BASE}a/</loc><last-modified/>", "write <lastmod>"),
        (f"<link>{BASE}a/</link>", "write <loc>"),
        (f"<Loc>{BASE}a/</Loc>", "write <loc>"),
        (f"<loc>{BASE}a/</loc><link/>", "write <xhtml:link>"),
        (f"<loc>{BASE}a/</loc><loc>{BASE}b/</loc>", "keep one"),
        (f"<loc>{BASE}a/</loc><title>A</title>", "remove it"),
    ],
)
def test_misspelt_element_is_answered_with_its_name(tmp_path, children, cure):
    assert cure == cure_of(tmp_path, entry(children), "unknown-element")


@pytest.mark.parametrize(
    ("child", "cure"),
    [
        (f"<URL><loc>{BASE}a/</loc></URL>", "write <url>, or remove it"),
        (f"<loc>{BASE}a/</loc>", "put it into a <url>"),
        (
            f"<sitemap><loc>{BASE}a.xml</loc></sitemap>",
            "let <sitemapindex> be the root",
        ),
    ],
)
def test_child_of_the_root_is_answered_with_its_place(tmp_path, child, cure):
    assert cure == cure_of(tmp_path, urlset(url(""), child), "unknown-element")


@pytest.mark.parametrize(
    ("text", "problem", "cure"),
    [
        (
            "{{ page.url }}",
            "the template '{{ page.url }}' was not filled in",
            "fill it in",
        ),
        (
            "&lt;%= url %&gt;",
            "the template '<%= url %>' was not filled in",
            "fill it in",
        ),
        (f"{BASE}a/\u00a0", "is not ASCII", f"write '{BASE}a/'"),
        (f"{BASE}ü/", "is not ASCII", f"write '{BASE}%C3%BC/'"),
        ("a/", "is not an absolute http or https URL", "write it as https://"),
    ],
)
def test_bad_url_is_answered_with_what_to_write(tmp_path, text, problem, cure):
    [(code, said, told), *_] = found(tmp_path, loc(text))

    assert "bad-url" == code
    assert problem in said
    assert cure in told


@pytest.mark.parametrize("host", HOSTS)
def test_address_in_a_local_network_is_found_alone(tmp_path, host):
    text = urlset(url("", base=f"http://{host}/"), url("a/", base=f"http://{host}/"))

    assert {"local-address"} == {code for code, *_ in found(tmp_path, text)}


def test_public_address_is_not_one_of_a_local_network(tmp_path):
    assert [] == found(tmp_path, urlset(url("", base="https://93.184.216.34/")))


@pytest.mark.parametrize(
    "other", [*(f"http://{host}/" for host in HOSTS[:1]), "http://localhost/"]
)
def test_local_address_is_never_the_majority(tmp_path, other):
    text = urlset(url("a/", base=other), url("b/", base=other), url(""))

    assert all(
        f"{BASE}'" not in said for code, said, _ in found(tmp_path, text) if code != "x"
    )
    assert "outside-scope" not in {
        code for code, said, _ in found(tmp_path, text) if said.startswith(f"'{BASE}")
    }


def test_one_of_two_is_not_most(tmp_path):
    text = urlset(url("a/"), url("b/", base="https://blog.example.com/"))
    [(_, problem, _)] = found(tmp_path, text)

    assert "is not on the host of other URLs ('https://example.com')" in problem


@pytest.mark.parametrize(
    ("language", "problem", "cure"),
    [
        ("en-EU", "'EU' in 'en-EU' is not a country", "write 'en'"),
        ("us-en", "'us' in 'us-en' is not a language of ISO 639-1", "write 'en-US'"),
        ("en_GB", "'en_GB' is not a language tag", "write 'en-GB'"),
    ],
)
def test_wrong_language_is_answered_with_the_right_one(
    tmp_path, language, problem, cure
):
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{each}" href="{BASE}{path}"/>'
        for each, path in ((language, ""), ("de", "a/"))
    )
    text = urlset(url("", more=links), url("a/", more=links))
    [(_, said, told), *_] = found(tmp_path, text)

    assert f"hreflang: {problem}" == said
    assert cure == told


def test_link_of_another_namespace_is_found_whatever_its_prefix(tmp_path):
    link = f'<x:link rel="alternate" hreflang="de" href="{BASE}a/"/>'
    text = with_namespaces(
        f"<url><loc>{BASE}</loc>{link}</url>",
        names='xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="https://x.test/html"',
    )

    assert "write 'http://www.w3.org/1999/xhtml'" == cure_of(
        tmp_path, text, "unknown-element"
    )


def zipped(text):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("sitemap.xml", text)
    return out.getvalue()


SOUND = urlset(url(""))


@pytest.mark.parametrize(
    ("data", "name", "problem", "cure"),
    [
        (
            f"Notice: x in y\n{SOUND}",
            "s.xml",
            "'Notice: x in y' stands before <?xml",
            "remove it",
        ),
        (f"\n{SOUND}", "s.xml", "a blank stands before <?xml", "remove it"),
        (zipped(SOUND), "s.xml.gz", "a zip archive", "compress it with gzip"),
        (
            gzip.compress(gzip.compress(SOUND.encode())),
            "s.xml.gz",
            "compressed twice",
            "compress it with gzip once",
        ),
        (SOUND + SOUND, "s.xml", "XML declaration allowed only", "write one document"),
        (SOUND.replace("</url>", ""), "s.xml", "mismatch", "write the end tag"),
    ],
    ids=["notice", "blank", "zip", "twice", "two documents", "unclosed"],
)
def test_file_that_is_no_xml_is_answered_with_what_it_is(
    tmp_path, data, name, problem, cure
):
    [(code, said, told), *_] = found(tmp_path, data, name)

    assert "not-well-formed" == code
    assert problem in said
    assert told.startswith(cure)


@pytest.mark.parametrize(
    ("root", "problem", "cure"),
    [
        (
            "<urlset>",
            "the root is <urlset>, and its namespace is none",
            "write <urlset xmlns=",
        ),
        ("<sitemapIndex>", "the root is <sitemapIndex>", "write <sitemapindex xmlns="),
    ],
)
def test_wrong_root_is_answered_with_the_right_one(tmp_path, root, problem, cure):
    [(_, said, told), *_] = found(tmp_path, f"{root}<url/>{root.replace('<', '</')}")

    assert said.startswith(problem)
    assert told.startswith(cure)


def video(**changes):
    values = {name: text for name, text in (VIDEO | changes).items() if text}
    return with_children(f"<video:video>{fields('video', values)}</video:video>")


def news(**changes):
    values = {name: text for name, text in (NEWS | changes).items() if text}
    return with_children(f"<news:news>{fields('news', values)}</news:news>")


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        (image(""), "add <loc>"),
        (image("<image:loc>/a.png</image:loc>"), "write it as https://"),
        (with_children(IMAGE), "put it into a <image:image>"),
        (video(thumbnail_loc=""), "add <thumbnail_loc>"),
        (video(duration="2:30"), "write the seconds, from 1 to 28800"),
        (video(family_friendly="maybe"), "write yes or no"),
        (video(rating="7.5"), "write a number from 0.0 to 5.0"),
        (
            video().replace(
                "</video:video>", "<video:title>B</video:title></video:video>"
            ),
            "keep one",
        ),
        (news(language="english"), "write a code of ISO 639, such as en"),
        (news(publication_date="28.11.2026"), "write it as 2004-12-23"),
        (news(title=""), "add <title>"),
    ],
)
def test_fault_of_an_extension_is_answered_with_what_to_write(tmp_path, text, cure):
    assert cure_of(tmp_path, text, "bad-extension").startswith(cure)


def test_index_that_lists_itself_is_answered_with_the_entry(tmp_path):
    (tmp_path / "a.xml").write_text(urlset(url("")))
    text = index(f"{BASE}a.xml", f"{BASE}sitemap.xml")

    assert "remove the entry" == cure_of(tmp_path, text, "nested-index")


@pytest.mark.parametrize("date", ["2024-05-01\u3000", "\u00a02024-05-01"])
def test_only_blanks_of_xml_are_trimmed(tmp_path, date):
    assert "bad-date" in {code for code, *_ in found(tmp_path, dated(date))}
    assert [] == found(tmp_path, dated(" \n\t2024-05-01 \r\n"))
