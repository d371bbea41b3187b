"""Modelport's errors, told apart by ``code``."""

from __future__ import annotations

from typing import Literal, get_args

from openai import APIError
from typing_extensions import TypeIs

ErrorCode = Literal[
    "invalid_json",
    "missing_required_parameter",
    "invalid_parameter",
    "no_capable_model",
    "context_length_exceeded",
    "invalid_api_key",
    "budget_exceeded",
    "router_access_denied",
    "origin_not_allowed",
    "router_not_found",
    "model_not_found",
    "agent_not_found",
    "request_not_found",
    "endpoint_not_found",
    "method_not_allowed",
    "request_timeout",
    "idempotency_in_progress",
    "body_too_large",
    "unsupported_media_type",
    "host_not_allowed",
    "idempotency_key_reused",
    "https_required",
    "websocket_unsupported",
    "daily_limit_exceeded",
    "rate_limit_exceeded",
    "headers_too_large",
    "internal_error",
    "all_models_unavailable",
    "overloaded",
    "storage_unavailable",
]
"""Every code, in the order of their HTTP statuses. docs/api.md of Modelport says when each occurs."""

ERROR_CODES: tuple[ErrorCode, ...] = get_args(ErrorCode)


def is_modelport_error(error: object, *codes: ErrorCode) -> TypeIs[APIError]:
    """Whether Modelport answered with one of ``codes``, or with any of its errors when none is given.

    The error is of OpenAI's class for its status, such as ``RateLimitError``. An error inside a stream is an
    ``APIError`` without a status. Connection errors and timeouts are ``openai.APIConnectionError`` and
    ``openai.APITimeoutError``.
    """
    return isinstance(error, APIError) and error.code in (codes or ERROR_CODES)
