"""Chat completions as OpenAI's client has them, with an optional ``model``."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, overload

from openai import omit
from openai.resources.chat import AsyncChat, AsyncCompletions, Chat, Completions
from typing_extensions import TypeVar

if TYPE_CHECKING:
    from openai import AsyncStream, Omit, Stream
    from openai.lib.streaming.chat import (
        AsyncChatCompletionStreamManager,
        ChatCompletionStreamManager,
    )
    from openai.types.chat import ChatCompletion, ChatCompletionChunk, ParsedChatCompletion
    from openai.types.chat.completion_create_params import ResponseFormat
    from typing_extensions import Unpack

    from ._chat_params import ChatParams

Parsed = TypeVar("Parsed", default=None)

# The methods of the base classes list every parameter. These take the same ones, but mypy cannot see that.


class ModelportCompletions(Completions):
    """``model`` is absent, empty or ``auto``: the router decides. Also ``<provider>:<model_name>``, ``agent:<name>``."""

    @overload  # type: ignore[override]
    def create(
        self,
        *,
        stream: Literal[False] | None | Omit = None,
        model: str = "",
        response_format: ResponseFormat | Omit = ...,
        **params: Unpack[ChatParams],
    ) -> ChatCompletion: ...

    @overload
    def create(
        self,
        *,
        stream: Literal[True],
        model: str = "",
        response_format: ResponseFormat | Omit = ...,
        **params: Unpack[ChatParams],
    ) -> Stream[ChatCompletionChunk]: ...

    @overload
    def create(
        self,
        *,
        stream: bool,
        model: str = "",
        response_format: ResponseFormat | Omit = ...,
        **params: Unpack[ChatParams],
    ) -> ChatCompletion | Stream[ChatCompletionChunk]: ...

    def create(self, *, model: str = "", **params: Any) -> Any:
        """``_meta`` of the answer: ``router_meta``, ``agent_meta`` or ``meta_of``."""
        return super().create(model=model, **params)

    def parse(  # type: ignore[override]
        self,
        *,
        response_format: type[Parsed],
        model: str = "",
        **params: Unpack[ChatParams],
    ) -> ParsedChatCompletion[Parsed]:
        """Parses structured output, as OpenAI's method does."""
        return super().parse(model=model, response_format=response_format, **params)

    def stream(  # type: ignore[override]
        self,
        *,
        model: str = "",
        response_format: ResponseFormat | type[Parsed] | Omit = omit,
        **params: Unpack[ChatParams],
    ) -> ChatCompletionStreamManager[Parsed]:
        """Streams with OpenAI's events; ``get_final_completion()`` has ``_meta``."""
        return super().stream(model=model, response_format=response_format, **params)


class ModelportChat(Chat):
    @cached_property
    def completions(self) -> ModelportCompletions:
        return ModelportCompletions(self._client)


class AsyncModelportCompletions(AsyncCompletions):
    """As ``ModelportCompletions``."""

    @overload  # type: ignore[override]
    async def create(
        self,
        *,
        stream: Literal[False] | None | Omit = None,
        model: str = "",
        response_format: ResponseFormat | Omit = ...,
        **params: Unpack[ChatParams],
    ) -> ChatCompletion: ...

    @overload
    async def create(
        self,
        *,
        stream: Literal[True],
        model: str = "",
        response_format: ResponseFormat | Omit = ...,
        **params: Unpack[ChatParams],
    ) -> AsyncStream[ChatCompletionChunk]: ...

    @overload
    async def create(
        self,
        *,
        stream: bool,
        model: str = "",
        response_format: ResponseFormat | Omit = ...,
        **params: Unpack[ChatParams],
    ) -> ChatCompletion | AsyncStream[ChatCompletionChunk]: ...

    async def create(self, *, model: str = "", **params: Any) -> Any:
        return await super().create(model=model, **params)

    async def parse(  # type: ignore[override]
        self,
        *,
        response_format: type[Parsed],
        model: str = "",
        **params: Unpack[ChatParams],
    ) -> ParsedChatCompletion[Parsed]:
        return await super().parse(model=model, response_format=response_format, **params)

    def stream(  # type: ignore[override]
        self,
        *,
        model: str = "",
        response_format: ResponseFormat | type[Parsed] | Omit = omit,
        **params: Unpack[ChatParams],
    ) -> AsyncChatCompletionStreamManager[Parsed]:
        return super().stream(model=model, response_format=response_format, **params)


class AsyncModelportChat(AsyncChat):
    @cached_property
    def completions(self) -> AsyncModelportCompletions:
        return AsyncModelportCompletions(self._client)
