"""The parameters of chat completions: OpenAI's, without those that the methods name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from typing_extensions import Required, TypedDict

if TYPE_CHECKING:
    import httpx2
    from openai import NotGiven, Omit
    from openai._types import Body, Headers, Query, SequenceNotStr
    from openai.types.chat import (
        ChatCompletionAudioParam,
        ChatCompletionMessageParam,
        ChatCompletionPredictionContentParam,
        ChatCompletionStreamOptionsParam,
        ChatCompletionToolChoiceOptionParam,
        ChatCompletionToolUnionParam,
        completion_create_params,
    )
    from openai.types.shared_params import Metadata, ReasoningEffort


class ChatParams(TypedDict, total=False):
    """``model``, ``stream`` and ``response_format`` are parameters of their own."""

    messages: Required[Iterable[ChatCompletionMessageParam]]
    audio: ChatCompletionAudioParam | None | Omit
    frequency_penalty: float | None | Omit
    logit_bias: dict[str, int] | None | Omit
    logprobs: bool | None | Omit
    max_completion_tokens: int | None | Omit
    max_tokens: int | None | Omit
    metadata: Metadata | None | Omit
    modalities: list[Literal["text", "audio"]] | None | Omit
    n: int | None | Omit
    parallel_tool_calls: bool | Omit
    prediction: ChatCompletionPredictionContentParam | None | Omit
    presence_penalty: float | None | Omit
    prompt_cache_key: str | None | Omit
    reasoning_effort: ReasoningEffort | None | Omit
    safety_identifier: str | None | Omit
    seed: int | None | Omit
    stop: str | SequenceNotStr[str] | None | Omit
    stream_options: ChatCompletionStreamOptionsParam | None | Omit
    temperature: float | None | Omit
    tool_choice: ChatCompletionToolChoiceOptionParam | Omit
    tools: Iterable[ChatCompletionToolUnionParam] | Omit
    top_logprobs: int | None | Omit
    top_p: float | None | Omit
    user: str | Omit
    verbosity: Literal["low", "medium", "high"] | None | Omit
    web_search_options: completion_create_params.WebSearchOptions | Omit
    extra_headers: Headers | None
    extra_query: Query | None
    extra_body: Body | None
    timeout: float | httpx2.Timeout | None | NotGiven
