"""OpenAI's clients at a router of Modelport."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import Any

import httpx2
from openai import DEFAULT_MAX_RETRIES, AsyncOpenAI, NotGiven, OpenAI, OpenAIError, not_given
from typing_extensions import Self

from ._address import origin_of, read_variable, router_of, router_url
from ._agents import Agents, AsyncAgents
from ._chat import AsyncModelportChat, ModelportChat
from ._trust import AsyncTrustingClient, TrustingClient, default_authority_file

# ``copy`` passes these to the constructor, in each version of OpenAI's client those that it knows.
_INHERITED = frozenset(signature(OpenAI.__init__).parameters)


class Modelport(OpenAI):
    """OpenAI's client with the router, the key and the certificate set: every method and helper of it works.

    :param api_key: a key of Modelport, ``mp_…``. Default: the variable ``MODELPORT_API_KEY``.
    :param router_id: ``router_…``. Default: the router in ``base_url``, then ``MODELPORT_ROUTER_ID``.
    :param base_url: Modelport's address, or a router's. Default: ``MODELPORT_BASE_URL``, then
        ``https://localhost:6778``.
    :param ca_file: the certificate of Modelport's local authority. Default: ``tls/ca.pem`` in Modelport's data folder of
        this user. It is trusted for Modelport's address only.
    :param tag: groups requests in Modelport's usage by project, 1 to 64 printable characters.
    :param conversation: identifies the conversation of this client's requests, so that they stay with one model.
    :param explain: adds ``_meta.decision``: the candidates, the attempts and the reasons.
    :param timeout: seconds, or ``httpx2.Timeout``. Default: 10 minutes.
    :param max_retries: repetitions after connection errors, 408, 409, 429 and 5xx. Default: 2.
    :param http_client: replaces the client that trusts the authority.
    :raises openai.OpenAIError: without a key or a router.
    :raises TypeError: for an argument that does not exist.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        router_id: str | None = None,
        base_url: str | httpx2.URL | None = None,
        ca_file: str | os.PathLike[str] | None = None,
        tag: str | None = None,
        conversation: str | None = None,
        explain: bool | None = None,
        timeout: float | httpx2.Timeout | None | NotGiven = not_given,
        max_retries: int = DEFAULT_MAX_RETRIES,
        default_headers: Mapping[str, str] | None = None,
        default_query: Mapping[str, object] | None = None,
        http_client: httpx2.Client | None = None,
        **inherited: Any,
    ) -> None:
        _refuse_unknown(inherited)
        url = router_url(str(base_url) if base_url else None, router_id)
        file = Path(ca_file) if ca_file else default_authority_file()
        headers = {**(default_headers or {}), **_headers(tag, conversation, explain)}
        super().__init__(
            api_key=api_key or _require_key(),
            base_url=url,
            timeout=timeout,
            max_retries=max_retries,
            default_headers=headers,
            default_query=default_query,
            http_client=http_client or TrustingClient(origin_of(url), file),
            webhook_secret=inherited.get("webhook_secret"),
        )
        _adapt(self, headers)

    @property
    def router_id(self) -> str:
        """The id of the router that this client calls."""
        return router_of(str(self.base_url))

    @cached_property
    def chat(self) -> ModelportChat:
        return ModelportChat(self)

    @cached_property
    def agents(self) -> Agents:
        """Runs agents: ``client.agents.run("name", "input")``."""
        return Agents(self)

    def copy(
        self,
        *,
        router_id: str | None = None,
        tag: str | None = None,
        conversation: str | None = None,
        explain: bool | None = None,
        **options: Any,
    ) -> Self:
        """The same client with some options changed; the other options are those of OpenAI's ``copy``."""
        return super().copy(**_changed(self, router_id, _headers(tag, conversation, explain), options))

    with_options = copy

    def with_router(self, router_id: str) -> Self:
        """The same client for another router of the same Modelport."""
        return self.copy(router_id=router_id)


class AsyncModelport(AsyncOpenAI):
    """As ``Modelport``, for asyncio and trio."""

    def __init__(
        self,
        *,
        api_key: str | None = None,
        router_id: str | None = None,
        base_url: str | httpx2.URL | None = None,
        ca_file: str | os.PathLike[str] | None = None,
        tag: str | None = None,
        conversation: str | None = None,
        explain: bool | None = None,
        timeout: float | httpx2.Timeout | None | NotGiven = not_given,
        max_retries: int = DEFAULT_MAX_RETRIES,
        default_headers: Mapping[str, str] | None = None,
        default_query: Mapping[str, object] | None = None,
        http_client: httpx2.AsyncClient | None = None,
        **inherited: Any,
    ) -> None:
        _refuse_unknown(inherited)
        url = router_url(str(base_url) if base_url else None, router_id)
        file = Path(ca_file) if ca_file else default_authority_file()
        headers = {**(default_headers or {}), **_headers(tag, conversation, explain)}
        super().__init__(
            api_key=api_key or _require_key(),
            base_url=url,
            timeout=timeout,
            max_retries=max_retries,
            default_headers=headers,
            default_query=default_query,
            http_client=http_client or AsyncTrustingClient(origin_of(url), file),
            webhook_secret=inherited.get("webhook_secret"),
        )
        _adapt(self, headers)

    @property
    def router_id(self) -> str:
        return router_of(str(self.base_url))

    @cached_property
    def chat(self) -> AsyncModelportChat:
        return AsyncModelportChat(self)

    @cached_property
    def agents(self) -> AsyncAgents:
        return AsyncAgents(self)

    def copy(
        self,
        *,
        router_id: str | None = None,
        tag: str | None = None,
        conversation: str | None = None,
        explain: bool | None = None,
        **options: Any,
    ) -> Self:
        return super().copy(**_changed(self, router_id, _headers(tag, conversation, explain), options))

    with_options = copy

    def with_router(self, router_id: str) -> Self:
        return self.copy(router_id=router_id)


def _refuse_unknown(inherited: Mapping[str, object]) -> None:
    """A misspelt name would otherwise be accepted and do nothing."""
    for name in inherited.keys() - _INHERITED:
        raise TypeError(f"Modelport has no argument {name!r}.")


def _require_key() -> str:
    key = read_variable("MODELPORT_API_KEY")
    if key is None:
        raise OpenAIError(
            "Modelport needs a key: pass api_key or set MODELPORT_API_KEY. "
            "Create keys in Modelport under Settings, API keys."
        )
    return key


def _headers(tag: str | None, conversation: str | None, explain: bool | None) -> dict[str, str]:
    values = {
        "x-modelport-tag": tag,
        "x-modelport-conversation": conversation,
        "x-modelport-explain": None if explain is None else str(explain).lower(),
    }
    return {name: value for name, value in values.items() if value is not None}


def _adapt(client: OpenAI | AsyncOpenAI, headers: Mapping[str, str]) -> None:
    """Sets what the constructor of OpenAI's client has no argument for."""
    # Every POST then has a key, the same one when it is repeated: Modelport pays only once for an answer that was lost
    # on the way. A key on repetitions alone would not help, because the first request must have had it.
    client._idempotency_header = "Idempotency-Key"
    # OpenAI's client reads the variables of an OpenAI account and would send them to Modelport.
    client.organization = None
    client.project = None
    client.admin_api_key = None
    client._custom_headers = headers


def _changed(
    client: Modelport | AsyncModelport,
    router_id: str | None,
    headers: dict[str, str],
    options: dict[str, Any],
) -> dict[str, Any]:
    """Arguments of OpenAI's ``copy``. A client that trusts one address is replaced when the address changes."""
    url = router_url(str(options.get("base_url") or client.base_url), router_id, client.router_id)
    ca_file = options.pop("ca_file", None)
    is_elsewhere = origin_of(url) != origin_of(str(client.base_url)) or ca_file is not None
    # Copies share it, so a copy of a copy still knows the file.
    current = client._client
    is_replaced = is_elsewhere and options.get("http_client") is None
    if is_replaced and isinstance(current, (TrustingClient, AsyncTrustingClient)):
        options["http_client"] = type(current)(origin_of(url), Path(ca_file or current.ca_file))
    name = "set_default_headers" if "set_default_headers" in options else "default_headers"
    merged = {**(options.pop(name, None) or {}), **headers}
    return {**options, "base_url": url, name: merged}
