"""The address of a router, from what a caller gives or the environment has."""

from __future__ import annotations

import os
import re
from urllib.parse import quote, unquote, urlsplit

from openai import OpenAIError

DEFAULT_BASE_URL = "https://localhost:6778"


def read_variable(name: str) -> str | None:
    """None where the variable is empty."""
    return os.environ.get(name, "").strip() or None


def router_url(
    base_url: str | None, router_id: str | None, default_router_id: str | None = None
) -> str:
    """``<address>/api/router/<id>/v1``, the base URL of OpenAI's SDK.

    ``base_url`` is the service's address, or a router's with or without ``/v1``; ``router_id`` replaces the router that
    it names, and ``default_router_id`` is for an address without one. Missing values come from MODELPORT_BASE_URL and
    MODELPORT_ROUTER_ID. Raises OpenAIError for an address that is not a URL, and without a router.
    """
    address = base_url or read_variable("MODELPORT_BASE_URL") or DEFAULT_BASE_URL
    url = urlsplit(address)
    if url.scheme not in ("http", "https") or not url.netloc:
        raise OpenAIError(
            f'"{address}" is not a URL. The base URL of Modelport is an address such as {DEFAULT_BASE_URL}.'
        )
    match = re.match(r"^(.*?)(?:/api/router/([^/]+))?(?:/v1)?/*$", url.path)
    prefix, in_path = match.groups() if match else ("", None)
    in_address = unquote(in_path) if in_path else None
    router = router_id or in_address or default_router_id or read_variable("MODELPORT_ROUTER_ID")
    if not router:
        raise OpenAIError(
            "Modelport needs a router: pass router_id or set MODELPORT_ROUTER_ID. "
            "Its page in Modelport shows the id, such as router_…."
        )
    return f"{url.scheme}://{url.netloc}{prefix}/api/router/{quote(router, safe='')}/v1"


def router_of(url: str) -> str:
    """The router's id in an address of ``router_url``."""
    return unquote(url.rstrip("/").split("/")[-2])


def origin_of(url: str) -> str:
    """``https://host:port``"""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
