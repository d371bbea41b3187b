"""``_meta``: what an answer cost, how long it took, and which model gave it."""

from __future__ import annotations

from typing import Union, cast

from typing_extensions import NotRequired, TypedDict, TypeIs

from ._decision import AgentDecisionRecord, RouterDecisionRecord


class RouterMeta(TypedDict):
    """``_meta`` of an answer that a router chose a model for."""

    modelUsed: str
    """``<provider>:<model_name>`` of the model that answered."""
    cost: float
    """US dollars."""
    latencyMs: float
    """Milliseconds."""
    carbonGrams: float
    """Grams of CO2e."""
    routerDecision: str
    """The strategy that chose the model, such as ``cost_optimized``, or ``pinned`` for a named model."""
    decision: NotRequired[RouterDecisionRecord]
    """Only with ``explain``."""


class AgentMeta(TypedDict):
    """``_meta`` of an agent's answer."""

    execution_id: str
    agent_name: str
    steps_executed: int
    """Requests to models."""
    total_cost: float
    """US dollars, the sum of all steps."""
    total_latency: float
    """Milliseconds, from the request to its last token."""
    models_used: list[str]
    """``<provider>:<model_name>``, each once."""
    decision: NotRequired[AgentDecisionRecord]
    """Only with ``explain``."""


Meta = Union[RouterMeta, AgentMeta]


def meta_of(answer: object) -> Meta | None:
    """``_meta`` of any answer: completions, chunks, Responses, embeddings. None for an answer without it.

    In streams it is on the last chunk, or on the ``response`` of ``response.completed``.
    """
    # OpenAI's models keep fields that they do not declare.
    meta = (getattr(answer, "model_extra", None) or {}).get("_meta")
    return cast(Meta, meta) if isinstance(meta, dict) else None


def router_meta(answer: object) -> RouterMeta:
    """``_meta`` of an answer that a router chose a model for. Raises ValueError for any other answer."""
    meta = meta_of(answer)
    if meta is None or is_agent_meta(meta):
        raise ValueError("The answer has no _meta of a router: it is an agent's, or a piece of a stream.")
    return meta


def agent_meta(answer: object) -> AgentMeta:
    """``_meta`` of an agent's answer. Raises ValueError for any other answer."""
    meta = meta_of(answer)
    if meta is None or not is_agent_meta(meta):
        raise ValueError("The answer has no _meta of an agent: it is a router's, or a piece of a stream.")
    return meta


def is_agent_meta(meta: Meta) -> TypeIs[AgentMeta]:
    """Tells the two forms apart."""
    return "execution_id" in meta
