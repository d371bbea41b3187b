"""``client.agents``: runs the agents that are stored in Modelport."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncStream, NotGiven, Stream
    from openai._types import Headers
    from openai.types.chat import ChatCompletion, ChatCompletionChunk, ChatCompletionMessageParam
    from typing_extensions import TypedDict, Unpack

    from ._client import AsyncModelport, Modelport

    class AgentOptions(TypedDict, total=False):
        extra_headers: Headers | None
        timeout: float | httpx2.Timeout | None | NotGiven
        """Seconds."""


def _request(name: str, input: str | Iterable[ChatCompletionMessageParam]) -> dict[str, Any]:
    messages = [{"role": "user", "content": input}] if isinstance(input, str) else input
    return {"model": f"agent:{name}", "messages": messages}


class Agents:
    def __init__(self, client: Modelport) -> None:
        self._client = client

    @overload
    def run(
        self,
        name: str,
        input: str | Iterable[ChatCompletionMessageParam],
        *,
        stream: Literal[False] = False,
        **options: Unpack[AgentOptions],
    ) -> ChatCompletion: ...

    @overload
    def run(
        self,
        name: str,
        input: str | Iterable[ChatCompletionMessageParam],
        *,
        stream: Literal[True],
        **options: Unpack[AgentOptions],
    ) -> Stream[ChatCompletionChunk]: ...

    def run(
        self,
        name: str,
        input: str | Iterable[ChatCompletionMessageParam],
        *,
        stream: bool = False,
        **options: Unpack[AgentOptions],
    ) -> ChatCompletion | Stream[ChatCompletionChunk]:
        """Runs an agent on the client's router.

        ``input`` is a text, or the messages of a conversation whose last one is the user's. Returns the text of the last
        step, or with ``stream=True`` its pieces; ``agent_meta`` reads the figures. Raises an error with the code
        ``agent_not_found`` for an unknown name, and one with the code and status of a step that failed (``param`` is the
        step's id).
        """
        return self._client.chat.completions.create(
            stream=stream, **_request(name, input), **options
        )


class AsyncAgents:
    """As ``Agents``."""

    def __init__(self, client: AsyncModelport) -> None:
        self._client = client

    @overload
    async def run(
        self,
        name: str,
        input: str | Iterable[ChatCompletionMessageParam],
        *,
        stream: Literal[False] = False,
        **options: Unpack[AgentOptions],
    ) -> ChatCompletion: ...

    @overload
    async def run(
        self,
        name: str,
        input: str | Iterable[ChatCompletionMessageParam],
        *,
        stream: Literal[True],
        **options: Unpack[AgentOptions],
    ) -> AsyncStream[ChatCompletionChunk]: ...

    async def run(
        self,
        name: str,
        input: str | Iterable[ChatCompletionMessageParam],
        *,
        stream: bool = False,
        **options: Unpack[AgentOptions],
    ) -> ChatCompletion | AsyncStream[ChatCompletionChunk]:
        return await self._client.chat.completions.create(
            stream=stream, **_request(name, input), **options
        )
