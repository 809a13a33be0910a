"""Connections to web servers, through the user's proxies and with the user's certificates.

The sockets enforce a limit on the time of a whole request: servers that send a byte now and then
never exceed the timeout of a single read.
"""

from __future__ import annotations

import math
import os
import socket
import ssl
import threading
import time
from functools import cached_property
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3.connection import HTTPConnection

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.messages import quoted

if TYPE_CHECKING:
    from urllib.parse import SplitResult

__all__ = ["CLOCK", "Connections"]

_CONNECTIONS = 64
"""Kept open for each host: the largest number of requests at once."""
_BUNDLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


class _Clock(threading.local):
    """The limits of this thread's request: seconds for the next bytes, and for all."""

    _wait = _whole = _end = math.inf

    def start(self, wait: float, whole: float) -> None:
        """Begin to count."""
        self._wait, self._whole = wait, whole
        self._end = time.monotonic() + whole

    def left(self) -> float:
        """Return the seconds to wait for the next bytes.

        Raises:
            TimeoutError: The time is up.
        """
        if problem := self.problem():
            raise TimeoutError(problem)
        return max(0.001, min(self._end - time.monotonic(), self._wait))

    def problem(self) -> str:
        """Return an error message if the time is up; otherwise an empty text."""
        is_over = time.monotonic() >= self._end
        return f"it timed out after {self._whole:.3g} seconds" if is_over else ""


CLOCK = _Clock()


class _Socket(socket.socket):
    """Waits no longer than the request's clock allows, however often it is read."""

    def recv(self, *args: Any) -> bytes:  # noqa: ANN401 the socket's own signature
        self.settimeout(CLOCK.left())
        return super().recv(*args)

    def recv_into(self, *args: Any) -> int:  # noqa: ANN401
        self.settimeout(CLOCK.left())
        return super().recv_into(*args)

    def send(self, *args: Any) -> int:  # noqa: ANN401
        self.settimeout(CLOCK.left())
        return super().send(*args)

    def sendall(self, *args: Any) -> None:  # noqa: ANN401
        self.settimeout(CLOCK.left())
        super().sendall(*args)


class _TLSSocket(_Socket, ssl.SSLSocket):
    """The same for https."""


class _Connection(HTTPConnection):
    def connect(self) -> None:
        super().connect()
        self.sock = _Socket(fileno=self.sock.detach())


class _Pool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Connection


class Connections:
    """Connections that are kept open; several threads can share them."""

    def __init__(self) -> None:
        """Begin without connections; the environment or the system names the proxies."""
        self._proxies = getproxies()
        self._managers: dict[tuple[str, str], urllib3.PoolManager] = {}
        self._lock = threading.Lock()

    def request(
        self,
        method: str,
        url: str,
        headers: urllib3.HTTPHeaderDict,
        body: bytes | None,
        timeout: float,
    ) -> urllib3.BaseHTTPResponse:
        """Send one request; `url` is what `request_url` returns."""
        parts = urlsplit(url)
        proxy = self._proxy_of(parts)
        manager = self._manager(parts.scheme, proxy)
        pool = manager.connection_from_host(parts.hostname, parts.port, parts.scheme)
        target = url.removeprefix(urls.host_root(url).removesuffix("/"))
        return pool.urlopen(
            method,
            url if proxy and parts.scheme == "http" else target,
            body=body,
            headers=headers,
            timeout=timeout,
            retries=False,
            redirect=False,
            assert_same_host=False,  # A proxy's pool is for all hosts.
            preload_content=False,
        )

    def close(self) -> None:
        """Close the connections that are not in use."""
        for manager in self._managers.values():
            manager.clear()

    def _manager(self, scheme: str, proxy: str) -> urllib3.PoolManager:
        with self._lock:
            if (scheme, proxy) not in self._managers:
                is_encrypted = "https" in {scheme, proxy.partition(":")[0]}
                context = self._context if is_encrypted else None  # It takes 50 ms to make.
                self._managers[scheme, proxy] = _make_manager(proxy, context)
            return self._managers[scheme, proxy]

    @cached_property
    def _context(self) -> ssl.SSLContext:
        """Trust the certificates that the variables of requests and curl name, or OpenSSL's."""
        name = next(filter(os.environ.get, _BUNDLES), "")
        path = os.environ.get(name) or None
        is_folder = path is not None and Path(path).is_dir()
        try:
            context = ssl.create_default_context(
                cafile=None if is_folder else path, capath=path if is_folder else None
            )
        except OSError as error:
            msg = f"{name} is {quoted(path)}, whose certificates cannot be read ({error.strerror})"
            raise OptionsError(msg, cure="name a file or folder of certificates") from None
        context.sslsocket_class = _TLSSocket
        return context

    def _proxy_of(self, parts: SplitResult) -> str:
        """Return the proxy for a URL, as the environment or the system names it; empty for none."""
        proxy = self._proxies.get(parts.scheme) or self._proxies.get("all", "")
        if not proxy or proxy_bypass(parts.netloc):
            return ""
        networks = map(str.strip, self._proxies.get("no", "").split(","))
        is_exempt = any(_is_in_network(parts.hostname or "", network) for network in networks)
        return "" if is_exempt else proxy


def _make_manager(proxy: str, context: ssl.SSLContext | None) -> urllib3.PoolManager:
    if not proxy:
        manager = urllib3.PoolManager(maxsize=_CONNECTIONS, ssl_context=context)
    else:
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        user = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
        manager = urllib3.ProxyManager(
            parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl(),
            proxy_headers=urllib3.make_headers(
                proxy_basic_auth=user if "@" in parts.netloc else None
            ),
            maxsize=_CONNECTIONS,
            ssl_context=context,
            proxy_ssl_context=context,
        )
    manager.pool_classes_by_scheme = {**manager.pool_classes_by_scheme, "http": _Pool}
    return manager


def _is_in_network(host: str, network: str) -> bool:
    try:
        return ip_address(host) in ip_network(network, strict=False)
    except ValueError:
        return False
