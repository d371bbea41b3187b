"""Trust in Modelport's local authority, for Modelport's address only and without any variable."""

from __future__ import annotations

import os
import ssl
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

import httpx2
from openai import DEFAULT_CONNECTION_LIMITS, DefaultAsyncHttpxClient, DefaultHttpxClient

Transport = TypeVar("Transport", httpx2.HTTPTransport, httpx2.AsyncHTTPTransport)


def default_authority_file() -> Path:
    """``tls/ca.pem`` in Modelport's data folder, the same for the desktop app and ``modelport serve``."""
    return _applications_folder() / "Modelport" / "tls" / "ca.pem"


def _applications_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


class _Renewed(Generic[Transport]):
    """The transport for the current file: a replaced authority is used by the next request."""

    def __init__(self, ca_file: Path, make: Callable[[ssl.SSLContext], Transport]) -> None:
        self._ca_file = ca_file
        self._make: Callable[[ssl.SSLContext], Transport] = make
        self._version: tuple[float, int, int] | None = None
        self._transport: Transport | None = None

    def get(self) -> Transport:
        version = self._read_version()
        if self._transport is None or version != self._version:
            context = httpx2.create_ssl_context()
            if version is not None:
                context.load_verify_locations(cafile=self._ca_file)
            # Running streams keep the transport they started with.
            self._version, self._transport = version, self._make(context)
        return self._transport

    @property
    def is_trusted(self) -> bool:
        return self._version is not None

    @property
    def last(self) -> Transport | None:
        return self._transport

    def _read_version(self) -> tuple[float, int, int] | None:
        try:
            stat = self._ca_file.stat()
        except OSError:
            # Modelport never ran here. The usual authorities then decide.
            return None
        return stat.st_mtime, stat.st_size, stat.st_ino


class AuthorityTransport(httpx2.BaseTransport):
    def __init__(self, origin: str, ca_file: Path) -> None:
        self._origin, self._ca_file = origin, ca_file
        self._renewed: _Renewed[httpx2.HTTPTransport] = _Renewed(
            ca_file,
            lambda context: httpx2.HTTPTransport(verify=context, limits=DEFAULT_CONNECTION_LIMITS),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            return self._renewed.get().handle_request(request)
        except httpx2.ConnectError as error:
            message = _explain(error, self._origin, self._ca_file, self._renewed.is_trusted)
            raise httpx2.ConnectError(message, request=request) from error

    def close(self) -> None:
        if self._renewed.last is not None:
            self._renewed.last.close()


class AsyncAuthorityTransport(httpx2.AsyncBaseTransport):
    def __init__(self, origin: str, ca_file: Path) -> None:
        self._origin, self._ca_file = origin, ca_file
        self._renewed: _Renewed[httpx2.AsyncHTTPTransport] = _Renewed(
            ca_file,
            lambda context: httpx2.AsyncHTTPTransport(
                verify=context, limits=DEFAULT_CONNECTION_LIMITS
            ),
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            return await self._renewed.get().handle_async_request(request)
        except httpx2.ConnectError as error:
            message = _explain(error, self._origin, self._ca_file, self._renewed.is_trusted)
            raise httpx2.ConnectError(message, request=request) from error

    async def aclose(self) -> None:
        if self._renewed.last is not None:
            await self._renewed.last.aclose()


class TrustingClient(DefaultHttpxClient):
    """OpenAI's default client, which trusts the authority for ``origin`` in addition to the usual ones."""

    def __init__(self, origin: str, ca_file: Path) -> None:
        super().__init__(mounts={origin: AuthorityTransport(origin, ca_file)})
        self.ca_file = ca_file


class AsyncTrustingClient(DefaultAsyncHttpxClient):
    """As ``TrustingClient``."""

    def __init__(self, origin: str, ca_file: Path) -> None:
        super().__init__(mounts={origin: AsyncAuthorityTransport(origin, ca_file)})
        self.ca_file = ca_file


def _explain(error: Exception, origin: str, ca_file: Path, is_trusted: bool) -> str:
    """A sentence for the two failures that a user can fix: not running, and not trusted."""
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return (
            f"The certificate of {origin} is not signed by the authority in {ca_file}. "
            "Another Modelport may listen there: pass ca_file with its tls/ca.pem."
            if is_trusted
            else f"The certificate of {origin} is not trusted, and the authority's file {ca_file} cannot be read. "
            "Pass ca_file with the path of Modelport's tls/ca.pem."
        )
    if _is_refused(error):
        return f"Nothing listens at {origin}. Start Modelport, or run “modelport serve”."
    return str(error)


def _is_refused(error: BaseException | None) -> bool:
    if error is None or isinstance(error, ConnectionRefusedError):
        return error is not None
    inner: tuple[BaseException, ...] = getattr(error, "exceptions", ())
    return any(_is_refused(each) for each in (*inner, error.__cause__ or error.__context__))
