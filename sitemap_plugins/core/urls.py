"""Join, percent-encode and check URLs.

A *path* is relative to the site's root and has no leading slash; the home page's path
may be empty. Nothing here guesses whether a path is encoded already: `100%` and
`100%25` are both legal names of files, so only the adapter knows, and says so by
calling `percent_encode` or not.
"""

from __future__ import annotations

import re
from contextlib import suppress
from ipaddress import AddressValueError, IPv6Address, ip_address
from urllib.parse import (
    SplitResult,
    quote,
    unquote,
    unquote_to_bytes,
    urljoin,
    urlsplit,
)

import idna

from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.core.messages import PageError, quoted

# RFC 3986, section 3.3: pchar = unreserved / pct-encoded / sub-delims / ":" / "@";
# quote() adds the unreserved characters itself.
_LITERAL = "!$&'()*+,;=:@/"

# RFC 3986, sections 3.3 and 3.4: a path, and a query, which may also hold "?". One
# character after the other would take five times as long.
_CHARACTERS = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]++|%[0-9A-Fa-f]{2})"
_PATH = re.compile(rf"(?!/){_CHARACTERS}*+(?:\?(?:{_CHARACTERS}|\?)*+)?")
_ABSOLUTE_PATH = re.compile(rf"/{_CHARACTERS}*+(?:\?(?:{_CHARACTERS}|\?)*+)?")
# RFC 3986, section 3.3: "." and ".." are removed by whoever resolves the URL, encoded
# or not (WHATWG URL, "double-dot URL path segment").
_DOT_SEGMENT = re.compile(r"(?:^|/)(?:\.|%2e){1,2}(?:[/?]|$)", re.IGNORECASE)
_UNRESERVED = re.compile(r"[A-Za-z0-9\-._~/]*")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_ILLEGAL = re.compile(r"""[ "<>\\^`{|}]|%(?![0-9A-Fa-f]{2})""")
_NOT_ASCII = re.compile(r"[^\x00-\x7f\ud800-\udfff]+")  # Half a character has no UTF-8.
# Delimiters that mean something else when they are escaped: "/", "?" and "#"; in a
# query also "&", "=", "+" and ";", raw or not (WHATWG URL,
# application/x-www-form-urlencoded).
_PATH_DELIMITER = re.compile(r"(%2[Ff]|%3[Ff]|%23)")
_QUERY_DELIMITER = re.compile(r"([&=+;]|%2[36BFbf]|%3[BDFbdf])")
_DOMAIN = re.compile(
    r"(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\.?"
)
# URLs already in normal form, as nearly all are; dot segments are checked separately.
_PLAIN = re.compile(
    r"https?://[a-z0-9.-]++/[A-Za-z0-9\-._~/]*+(?:(?:%[89A-F][0-9A-F])++[A-Za-z0-9\-._~/]*+)*+"
    r"(?:\?[A-Za-z0-9\-._~&=+;]++)?+"
)
_STRIPPED = "".join(map(chr, range(0x21)))  # WHATWG URL: "C0 control or space".
# RFC 1035, section 2.3.4: a name has at most 255 octets. What is longer is not looked
# at: normalizing thousands of accents takes quadratic time.
_LONG_HOST = re.compile(
    # urlsplit reads past white space before a URL, and past tabs and line breaks
    # within.
    r"[\0- ]*+(?:[a-zA-Z][a-zA-Z0-9+.\t\r\n-]*+:)?[\t\r\n]*+"
    r"(?:[/\\][\t\r\n]*+){2,}[^/?#\\]{1024}"
)
_NUMBER_OR_LOCAL = re.compile(
    r"https?://\[?([\d.]+|[\da-f:]+(?=\])|[^/:@]+\.local)(?=[/:\]]|\Z)", re.IGNORECASE
)
"""A host that is written as a number, or is of a local network (RFC 6762)."""

_MAY_BE_LOCAL = re.compile(r"localhost|127\.0\.0\.1|0\.0\.0\.0|::1", re.IGNORECASE)
_LOCAL = {"localhost", "127.0.0.1", "0.0.0.0", "::1"}  # noqa: S104 none is listened on
# Names that servers give to session identifiers (protocol FAQ: "remove session IDs from
# URLs").
_SESSION = re.compile(
    r"[?&;](?:phpsessid|jsessionid|aspsessionid\w*|session_?id|sid|cfid|cftoken)=",
    re.IGNORECASE,
)
_ROOT = re.compile(r"https?://[^/?#]*", re.IGNORECASE)
_SPACE_OR_CONTROL = re.compile(r"[\x00- \x7f]")
_FILES = (".html", ".htm", ".xml", ".php")  # What people copy from the browser.
_DEFAULT_PORTS = {"http": 80, "https": 443}

_EXAMPLE = "write it as https://www.example.com/"
_ENCODE = "encode or remove it"
_PERCENT = "write it percent-encoded, a space as %20 for instance"
_REAL_PORT = "write the real port"
_NAME = "write the host as www.example.com"


def percent_encode(path: str) -> str:
    """Return a raw path with all characters escaped that a URL path cannot contain.

    Characters that RFC 3986 (section 3.3) allows in a path stay, as browsers leave them
    when they follow a raw link. A percent sign is a character like others: `100%`
    becomes `100%25`. A name that is not Unicode text (`os.fsdecode` gives surrogates)
    is encoded byte for byte.

    Raises:
        PageError: `path` has an unpaired surrogate, as a file's name can on Windows.

    >>> percent_encode("tips & tricks/100% münchen.html")
    'tips%20&%20tricks/100%25%20m%C3%BCnchen.html'
    """
    try:
        return quote(path, safe=_LITERAL, errors="surrogateescape")
    except UnicodeEncodeError:
        msg = f"{quoted(path)} contains an unpaired surrogate, which URLs cannot encode"
        raise PageError(msg, cure="rename the file") from None


def percent_decode(path: str) -> str:
    """Return an encoded path as a person writes it, for patterns and messages."""
    return unquote(path, errors="replace") if "%" in path else path


def escape(address: str) -> str:
    """Return an address without its fragment, escaped where browsers escape ASCII.

    Browsers escape a space, other characters that URLs cannot contain, and a percent
    sign that begins no escape.

    >>> escape("my photo 100%.jpg#top")
    'my%20photo%20100%25.jpg'
    """
    return _ILLEGAL.sub(lambda found: quote(found[0]), address.partition("#")[0])


def normalize_base_url(url: str) -> str:
    """Check a site's address and return it as its pages' URLs begin.

    The address is returned encoded, with a last slash. The host becomes lower case and
    A-labels (UTS 46, IDNA 2008); the port stays.

    Raises:
        PageError: Not absolute, another scheme than http and https, no or an impossible
            host or port, user information, a query or a fragment, or the name of a file
            at the end.

    >>> normalize_base_url("https://Bücher.example/de")
    'https://xn--bcher-kva.example/de/'
    """
    parts = _split(url)
    if parts.query or "?" in url:
        msg = f"{quoted(url)} has a query"
        raise PageError(msg, cure="write the address of the site's root, without one")
    if parts.path.lower().endswith(_FILES):
        msg = f"{quoted(url)} is the address of a file"
        raise PageError(msg, cure="write the address of the site's root")
    path = parts.path if parts.path.endswith("/") else parts.path + "/"
    return _assemble(url, parts, path)


def normalize_url(url: str) -> str:
    """Check an absolute URL or IRI and return it encoded, in its normal form.

    Raises:
        PageError: As `normalize_base_url`, and where the path or query holds a
            character that RFC 3986 forbids, a dot segment, or where the whole is longer
            than `MAX_LOC_LENGTH`.
    """
    parts = _split(url)
    path = parts.path or "/"
    if parts.query:
        path += f"?{parts.query}"
    return _assemble(url, parts, path)


def request_url(url: str) -> str:
    r"""Return a URL as it is requested: one in which all programs read the same host.

    Backslashes, user information and control characters are refused: programs differ on
    them, so the server that is checked could differ from the one that is requested.
    Characters that browsers encode in a path or query are encoded, and a fragment is
    dropped.

    Raises:
        PageError: `url` is not a valid absolute http or https URL.

    >>> request_url("https://example.com/a b?c[]=1#top")
    'https://example.com/a%20b?c%5B%5D=1'
    """
    root = _ROOT.match(url)
    if root is not None and "\\" not in url:
        rest = escape(url[root.end() :]).replace("[", "%5B").replace("]", "%5D")
        with suppress(PageError):
            return normalize_url(root[0] + rest)
    return normalize_url(url)  # The error quotes the URL as it was written.


def requestable(url: str) -> str:
    """Return a URL as it is requested; empty if it cannot be requested."""
    try:
        return request_url(url)
    except PageError:
        return ""


def join(base_url: str, path: str) -> str:
    """Return the absolute URL of a percent-encoded path below a base URL.

    `base_url` is as `normalize_base_url` returned it.

    Raises:
        PageError: The path begins with a slash, holds a dot segment, a fragment or a
            character that is not encoded, or the URL is longer than `MAX_LOC_LENGTH`.

    >>> join("https://example.com/docs/", "caf%c3%a9/")
    'https://example.com/docs/caf%C3%A9/'
    """
    if not _PATH.fullmatch(path):
        raise _not_a_path(path)
    if path.endswith("?") and path.count("?") == 1:
        path = path[:-1]  # As `normalize_url` does: an empty query has no meaning.
    if "/." in path or "%2" in path or path.startswith("."):
        _refuse_dot_segments(path)
    if "%" in path:
        path = _upper_case_escapes(path)
    url = base_url + path
    if len(url) > MAX_LOC_LENGTH:
        raise _too_long(url)
    return url


def _not_a_path(path: str) -> PageError:
    """Return what is wrong with a path that does not match `_PATH`."""
    problem = "contains a character that must be percent-encoded"
    cure = _PERCENT
    if path.startswith("/"):
        problem = "begins with a slash"
        cure = "write it relative to the site's root"
    elif "#" in path:
        problem = "has a fragment, which is not part of a page's address"
        cure = "remove it"
    return PageError(f"{quoted(path)} {problem}", cure=cure)


def host_root(base_url: str) -> str:
    """Return the root of the host of a checked URL, where its robots.txt counts.

    >>> host_root("https://example.com:8443/docs/")
    'https://example.com:8443/'
    """
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.netloc}/"


def is_web(address: str) -> bool:
    """Tell whether an address begins as that of a website does."""
    return address.startswith(("http://", "https://"))


def is_local(address: str) -> bool:
    """Tell whether an address is that of a server on the same machine."""
    if not _MAY_BE_LOCAL.search(address):
        return False
    try:
        host = _split_quickly(address).hostname or ""
    except ValueError:
        return False
    return host in _LOCAL or host.endswith(".localhost")


def is_private(address: str) -> bool:
    """Return whether only this machine or a local network reaches an address."""
    found = _NUMBER_OR_LOCAL.match(address)
    if found is None:
        return is_local(address)
    try:
        return ip_address(found[1]).is_private
    except ValueError:
        return found[1].endswith(".local")


def has_session_id(url: str) -> bool:
    """Tell whether a URL contains a session identifier, by its usual names."""
    return ("?" in url or ";" in url) and _SESSION.search(url) is not None


def identity(url: str) -> str:
    """Return the same text for all spellings of one URL.

    The text is a key to compare by, not a URL to print. Case of scheme, host and
    escapes, default ports, a raw or an A-label host, raw or escaped characters of the
    path, dot segments and an empty path make no difference, nor does a fragment. An
    escaped slash, `?` or `#` stays what it is, and so do `&`, `=`, `+` and `;`
    in a query. A text that is not a URL is its own identity.
    """
    if not url or ("/." not in url and _PLAIN.fullmatch(url)):
        return url
    try:
        parts = _split_quickly(url.strip(_STRIPPED))
        scheme = parts.scheme.lower()
        host = _host(parts.hostname or "")
        port = parts.port
        path = _without_dot_segments(parts.path) or "/"
        path = path_identity(f"{path}?{parts.query}")
    except (ValueError, PageError):  # Half a character is a ValueError too.
        return url
    netloc = host if port in {None, _DEFAULT_PORTS.get(scheme)} else f"{host}:{port}"
    return f"{scheme}://{netloc}{path}"


def path_identity(path: str) -> str:
    """Return the same text for all spellings of one path with its query.

    A path that is longer than crawlers read is its own identity: a stranger's path can
    have millions of characters, and each of these takes 190 bytes here.
    """
    if len(path) > MAX_LOC_LENGTH or _UNRESERVED.fullmatch(path):
        return path
    path, _, query = path.partition("?")
    same_query = f"?{_same_escapes(query, _QUERY_DELIMITER)}" if query else ""
    return f"{_same_escapes(path, _PATH_DELIMITER)}{same_query}"


def path_below(url: str, base_url: str) -> str | None:
    """Return a URL's path and query below a base, as `path_identity` spells it.

    The result is None for a URL elsewhere. The base without its last slash is the home
    page's URL too.

    >>> path_below("HTTPS://Example.com:443/docs/a%7e.html", "https://example.com/docs/")
    'a~.html'
    """
    whole = identity(url)
    base = identity(base_url)
    if f"{whole}/" == base:
        return ""
    return whole.removeprefix(base) if whole.startswith(base) else None


def resolve(address: str, page_url: str, base: str = "") -> str:
    """Return an address on a page, as written, as an absolute URL.

    The result is empty if the address is invalid. `base` is the address in the page's
    `<base>`, as written; empty for none.

    >>> resolve("../a.html#top", "https://example.com/docs/guide/", "/other/")
    'https://example.com/a.html#top'
    """
    # As most canonical links are.
    if "/." not in address and _PLAIN.fullmatch(address):
        return address
    if _LONG_HOST.match(address) or _LONG_HOST.match(base):
        return ""
    try:
        url = urljoin(urljoin(page_url, base), address)
        parts = urlsplit(url)
    except ValueError:  # Such as `http://[`.
        return ""
    # urljoin leaves the dot segments of absolute addresses.
    path = _without_dot_segments(parts.path)
    return url if path == parts.path else parts._replace(path=path).geturl()


def scheme_twin(url: str) -> str:
    """Return an http URL as https and the other way round."""
    scheme, _, rest = url.partition("://")
    other = "http" if scheme == "https" else "https"
    return f"{other}://{rest}"


def _split_quickly(url: str) -> SplitResult:
    if _LONG_HOST.match(url):
        raise ValueError("the host has more than 255 characters")
    return urlsplit(url)


def _split(url: str) -> SplitResult:
    try:
        parts = _split_quickly(url)
        fault = _fault_of(url, parts)
    except ValueError as error:
        # The error can quote a password.
        reason = "" if "@" in url else f" ({error})"
        fault = (f"{quoted(url)} is not a URL{reason}", _EXAMPLE)
    if fault is not None:
        problem, cure = fault
        raise PageError(problem, cure=cure)
    return parts


def _fault_of(url: str, parts: SplitResult) -> tuple[str, str] | None:
    """Return what is wrong with an absolute URL, and the cure; None for nothing.

    Raises:
        ValueError: The port is not a number below 65,536.
    """
    # A wrong port raises an error before all other faults are looked for.
    port = parts.port
    # urlsplit silently drops tabs and line breaks, so they are looked for in the text.
    if _SPACE_OR_CONTROL.search(url):
        return f"{quoted(url)} contains a space or control character", _ENCODE
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        return f"{quoted(url)} is not an absolute http or https URL", _EXAMPLE
    if "@" in parts.netloc:
        # The text leaves out a password.
        shown = f"{parts.scheme}://…@{parts.hostname}"
        return f"{shown} contains user information", "remove it"
    if "#" in url:
        problem = "has a fragment, which is not part of a page's address"
        return f"{quoted(url)} {problem}", "remove it"
    if port == 0:
        return f"{quoted(url)} has port 0, which servers cannot use", _REAL_PORT
    return None


def _assemble(url: str, parts: SplitResult, path: str) -> str:
    """Return the checked parts of a URL as one encoded URL."""
    if len(path) > MAX_LOC_LENGTH:  # Encoding takes a hundred bytes a character.
        raise _too_long(url)
    # RFC 3987, section 3.1: what is not ASCII becomes UTF-8, then percent-encoded.
    path = _NOT_ASCII.sub(lambda found: quote(found[0]), path)
    if not _ABSOLUTE_PATH.fullmatch(path):
        msg = f"{quoted(url)} contains a character that must be percent-encoded"
        raise PageError(msg, cure=_PERCENT)
    _refuse_dot_segments(path)
    port = "" if parts.port is None else f":{parts.port}"
    host = _host(parts.hostname or "")
    whole = f"{parts.scheme}://{host}{port}{_upper_case_escapes(path)}"
    if len(whole) > MAX_LOC_LENGTH:
        raise _too_long(whole)
    return whole


def _host(host: str) -> str:
    """Return a host in lower case and A-labels.

    IPv6 is in brackets (RFC 3986, section 3.2.2).
    """
    if ":" in host:
        try:
            address = IPv6Address(host)
        except AddressValueError:
            address = None
        # A scope means something on one machine only.
        if address is None or address.scope_id:
            msg = f"{quoted(host)} is not an IPv6 address"
            raise PageError(msg, cure="write the host's name")
        return f"[{address.compressed}]"
    ascii_host = host.lower()
    if not host.isascii():
        try:
            ascii_host = idna.encode(host, uts46=True).decode()
        except (idna.IDNAError, UnicodeError) as error:
            msg = f"{quoted(host)} is not a host name ({error})"
            raise PageError(msg, cure=_NAME) from None
    if not _DOMAIN.fullmatch(ascii_host):
        msg = f"{quoted(host)} is not a host name"
        raise PageError(msg, cure=_NAME)
    return ascii_host


def _upper_case_escapes(text: str) -> str:
    # RFC 3986, section 2.1: "URI producers and normalizers should use uppercase
    # hexadecimal digits for all percent-encodings."
    return _ESCAPE.sub(lambda escape: escape[0].upper(), text)


def _same_escapes(text: str, delimiter: re.Pattern[str]) -> str:
    """Return a path or query in which each octet is escaped in one way.

    Delimiters stay as they are, but for the case of their escapes.
    """
    pieces = delimiter.split(text)
    # Every second piece is a delimiter.
    pieces[::2] = [quote(unquote_to_bytes(piece), safe="/") for piece in pieces[::2]]
    pieces[1::2] = map(str.upper, pieces[1::2])
    return "".join(pieces)


def _without_dot_segments(path: str) -> str:
    """Return a path as crawlers resolve it.

    The rules are those of RFC 3986, section 5.2.4; encoded dots count as dots.
    """
    if not (path.startswith("/") and _DOT_SEGMENT.search(path)):
        return path
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        dots = segment.lower().replace("%2e", ".")
        if dots == "..":
            del kept[-1:]
        elif dots != ".":
            kept.append(segment)
    # A path that ends in a dot segment is that of a folder.
    end = "/" if kept and dots in {".", ".."} else ""
    return f"/{'/'.join(kept)}{end}"


def _refuse_dot_segments(path: str) -> None:
    if _DOT_SEGMENT.search(path.partition("?")[0]):
        msg = f"{quoted(path)} has '.' or '..' as a folder, which crawlers remove"
        raise PageError(msg, cure="write the path without it")


def _too_long(url: str) -> PageError:
    msg = (
        f"{quoted(url)} has {len(url)} characters, and crawlers read at most"
        f" {MAX_LOC_LENGTH}"
    )
    return PageError(msg, cure="shorten the page's address")
