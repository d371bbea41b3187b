"""Modelport from Python: OpenAI's client with the router, the key and the certificate set.

Everything that is not here comes from ``openai``.
"""

from ._agents import Agents, AsyncAgents
from ._client import AsyncModelport, Modelport
from ._decision import (
    AgentDecisionRecord,
    Attempt,
    Estimate,
    ExcludedModel,
    RankedModel,
    RouterDecisionRecord,
)
from ._errors import ERROR_CODES, ErrorCode, is_modelport_error
from ._meta import AgentMeta, Meta, RouterMeta, agent_meta, is_agent_meta, meta_of, router_meta

__all__ = [
    "ERROR_CODES",
    "AgentDecisionRecord",
    "AgentMeta",
    "Agents",
    "AsyncAgents",
    "AsyncModelport",
    "Attempt",
    "ErrorCode",
    "Estimate",
    "ExcludedModel",
    "Meta",
    "Modelport",
    "RankedModel",
    "RouterDecisionRecord",
    "RouterMeta",
    "agent_meta",
    "is_agent_meta",
    "is_modelport_error",
    "meta_of",
    "router_meta",
]
