"""https: invalid certificates, endless handshakes, and the user's own authority."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime

import pytest
import trustme

from sitemap_plugins.core.messages import OptionsError, WebError
from sitemap_plugins.sitemaps.web import Web
from tests.faults.hostile_server import HostileServer, dripping, sending
from tests.live.live_site import live_result

ANSWER = sending(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
RECORD = b"\x16\x03\x03\x3f\xff"
"""The beginning of a handshake's message, of 16 KiB."""
WARNING = b"\x15\x03\x03\0\x02\x01\x70"
"""A TLS alert that the client ignores."""


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


@pytest.fixture(autouse=True)
def trusted(authority, tmp_path, monkeypatch):
    """A file with the authority's certificate,
    which the environment names as the user's."""
    file = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(file)
    for name in ("CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return file


def serving(certificate, answer=ANSWER):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return HostileServer(answer, context=context)


def error_of(server):
    url = server.url.replace("http:", "https:")
    with (
        Web(user_agent="test", timeout=0.5, retries=0) as web,
        pytest.raises(WebError) as caught,
    ):
        web.get(url, limit=100)
    return str(caught.value)


@pytest.mark.parametrize(
    "name", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"]
)
def test_certificates_of_the_user_are_trusted(authority, trusted, monkeypatch, name):
    monkeypatch.delenv("SSL_CERT_FILE")
    with serving(authority.issue_cert("127.0.0.1")) as server:
        assert "CERTIFICATE_VERIFY_FAILED" in error_of(server)
        monkeypatch.setenv(name, str(trusted))
        with Web(user_agent="test", retries=0) as web:
            assert b"ok" == web.get(server.url, limit=100).body


def test_variables_of_requests_and_curl_win_over_those_of_openssl(trusted, monkeypatch):
    other = trustme.CA()
    with serving(other.issue_cert("127.0.0.1")) as server:
        other.cert_pem.write_to_path(trusted.parent / "other.pem")
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(trusted.parent / "other.pem"))
        with Web(user_agent="test", retries=0) as web:
            assert b"ok" == web.get(server.url, limit=100).body


@pytest.mark.parametrize("text", ["none.pem", "empty.pem"])
def test_unreadable_certificates_are_one_sentence(tmp_path, monkeypatch, text):
    (tmp_path / "empty.pem").write_text("")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / text))
    with Web(user_agent="test") as web, pytest.raises(OptionsError) as caught:
        web.get("https://127.0.0.1:9/", limit=100)

    assert str(caught.value).startswith("REQUESTS_CA_BUNDLE is '")
    assert str(caught.value).endswith("): name a file or folder of certificates")


def test_invalid_certificate_is_an_error(authority):
    issue = authority.issue_cert
    for certificate, said in (
        (trustme.CA().issue_cert("127.0.0.1"), "CERTIFICATE_VERIFY_FAILED"),
        (issue("127.0.0.1", not_before=LONG_AGO, not_after=LONG_AGO), "has expired"),
        (
            issue("example.com"),
            "IP address mismatch, certificate is not valid for '127.0.0.1'",
        ),
    ):
        with serving(certificate) as server:
            text = error_of(server)
            assert [] == server.asked
        assert text.startswith(f"'{server.url}' gives no answer: ")
        assert said in text


@pytest.mark.parametrize(
    "answer",
    [
        dripping(b"", b""),
        dripping(RECORD + b"\x02\0\x3f\xfb\x03\x03", b"\0"),
        dripping(b"", WARNING),
    ],
)
def test_endless_handshake_is_given_up(answer):
    with HostileServer(answer, reads=False) as server:
        text = error_of(server)

    assert "timed out after 0.5 seconds" in text or "TOO_MANY_WARN_ALERTS" in text


def test_server_without_tls_is_an_error():
    with HostileServer(ANSWER, reads=False) as server:
        assert "gives no answer: [SSL: WRONG_VERSION_NUMBER]" in error_of(server)


def test_response_over_tls_is_limited_in_time(authority, monkeypatch):
    monkeypatch.setattr("sitemap_plugins.sitemaps.web._SLOWEST", 1 << 40)
    for answer in (
        dripping(b"HTTP/1.1 200 OK\r\n", b"a"),
        dripping(b"HTTP/1.1 200 OK\r\n\r\n", b"a"),
    ):
        with serving(authority.issue_cert("127.0.0.1"), answer) as server:
            assert "timed out after" in error_of(server)


def test_check_gives_the_reason_of_a_failed_connection(authority):
    server = serving(authority.issue_cert("example.com"))
    with server, pytest.raises(WebError, match="IP address mismatch"):
        live_result(server.url)
