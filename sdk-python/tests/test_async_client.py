"""The asynchronous client against a running service."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from modelport import AsyncModelport, agent_meta, is_modelport_error, router_meta
from openai import APIConnectionError, RateLimitError
from openai.types.chat import ChatCompletionUserMessageParam

hello: list[ChatCompletionUserMessageParam] = [{"role": "user", "content": "Hello"}]


def test_answers_streams_and_agents_have_meta() -> None:
    async def run() -> None:
        async with AsyncModelport() as client:
            answer = await client.chat.completions.create(messages=hello)
            stream = await client.chat.completions.create(messages=hello, stream=True)
            chunks = [chunk async for chunk in stream]
            agent = await client.agents.run("summarise", "text")
            pieces = [piece async for piece in await client.agents.run("summarise", "text", stream=True)]

        assert router_meta(answer)["modelUsed"] == "fake:fake-model"
        assert router_meta(chunks[-1])["modelUsed"] == "fake:fake-model"
        assert agent_meta(agent)["agent_name"] == "summarise"
        assert agent_meta(pieces[-1])["agent_name"] == "summarise"

    asyncio.run(run())


def test_an_error_is_told_apart_by_code() -> None:
    async def run() -> None:
        client = AsyncModelport().with_router(os.environ["LIMITED_ROUTER_ID"])
        with pytest.raises(RateLimitError) as raised:
            await client.chat.completions.create(messages=hello)
        assert is_modelport_error(raised.value, "daily_limit_exceeded")

    asyncio.run(run())


def test_connection_failures_say_what_to_do() -> None:
    async def run() -> None:
        closed = AsyncModelport(base_url="https://localhost:1", max_retries=0)
        with pytest.raises(APIConnectionError) as refused:
            await closed.models.list()
        assert "Nothing listens at https://localhost:1." in str(refused.value.__cause__)

        untrusted = AsyncModelport(ca_file="/nowhere/ca.pem", max_retries=0)
        with pytest.raises(APIConnectionError) as unknown:
            await untrusted.models.list()
        assert "/nowhere/ca.pem cannot be read" in str(unknown.value.__cause__)

    asyncio.run(run())


def test_a_copy_for_another_address_trusts_the_authority_there() -> None:
    async def run() -> None:
        client = AsyncModelport(base_url="https://localhost:1", max_retries=0)
        there = client.with_options(base_url=os.environ["MODELPORT_BASE_URL"])
        assert (await there.models.list()).data[0].id == "auto"

    asyncio.run(run())


def test_a_copy_of_a_copy_keeps_the_authority(tmp_path: Path) -> None:
    async def run() -> None:
        file = tmp_path / "ca.pem"
        file.write_text(Path(os.environ["CA_FILE"]).read_text())
        client = AsyncModelport(base_url="https://localhost:1", ca_file=file, max_retries=0)
        copy = client.with_router(client.router_id)
        there = copy.with_options(base_url=os.environ["MODELPORT_BASE_URL"])
        assert (await there.models.list()).data[0].id == "auto"

    asyncio.run(run())
