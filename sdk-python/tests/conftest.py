"""Tests of the installed package. `npm run sdk` starts the service and sets Modelport's variables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def variables_of_an_openai_account(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """None of them may reach Modelport."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-an-openai-key")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-openai")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-of-openai")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-openai-team: secret")
    yield
