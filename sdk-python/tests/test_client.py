"""The synchronous client against a running service, and its requests against a recorder."""

from __future__ import annotations

import os
import ssl
from pathlib import Path
from typing import Any

import httpx2
import pytest
from modelport import (
    ERROR_CODES,
    AsyncModelport,
    Modelport,
    agent_meta,
    is_agent_meta,
    is_modelport_error,
    meta_of,
    router_meta,
)
from openai import APIConnectionError, APIError, APITimeoutError, OpenAIError, RateLimitError
from openai.types.chat import ChatCompletionUserMessageParam
from pydantic import BaseModel

hello: list[ChatCompletionUserMessageParam] = [{"role": "user", "content": "Hello"}]
story: list[ChatCompletionUserMessageParam] = [{"role": "user", "content": "A story"}]


class Recorder:
    """A client that sends nothing and records its requests."""

    def __init__(self) -> None:
        self.requests: list[httpx2.Request] = []
        self.client = httpx2.Client(transport=httpx2.MockTransport(self._answer))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return httpx2.Response(200, json={"object": "list", "data": []})


class LosingTransport(httpx2.HTTPTransport):
    """Loses the first answer after it arrived completely."""

    def __init__(self) -> None:
        super().__init__(verify=ssl.create_default_context(cafile=os.environ["CA_FILE"]))
        self.answers: list[httpx2.Response] = []

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        response = super().handle_request(request)
        response.read()
        self.answers.append(response)
        if len(self.answers) == 1:
            raise httpx2.ReadError("connection reset", request=request)
        return response


def test_an_answer_has_meta_over_the_local_authority() -> None:
    answer = Modelport().chat.completions.create(messages=hello)

    meta = router_meta(answer)
    assert answer.choices[0].message.content == "Paris."
    assert meta["modelUsed"] == "fake:fake-model"
    assert meta["cost"] > 0
    assert not is_agent_meta(meta)


def test_a_stream_has_meta_on_its_last_chunk() -> None:
    chunks = list(Modelport().chat.completions.create(messages=hello, stream=True))

    assert [meta_of(chunk) is not None for chunk in chunks].count(True) == 1
    assert router_meta(chunks[-1])["modelUsed"] == "fake:fake-model"


def test_meta_of_the_other_form_is_refused() -> None:
    answer = Modelport().agents.run("summarise", "text")

    assert agent_meta(answer)["steps_executed"] == 1
    with pytest.raises(ValueError, match="no _meta of a router"):
        router_meta(answer)


def test_helpers_of_openai_work_without_a_model() -> None:
    with Modelport().chat.completions.stream(messages=hello) as stream:
        final = stream.get_final_completion()
    raw = Modelport().chat.completions.with_raw_response.create(messages=hello, model="")

    assert final.choices[0].message.content == "Paris."
    assert raw.headers["x-request-id"]


def test_parse_reads_structured_output() -> None:
    class City(BaseModel):
        city: str

    # The fake model's answer is not JSON, so parsing it fails in OpenAI's own helper.
    with pytest.raises(ValueError):
        Modelport().chat.completions.parse(messages=hello, response_format=City)


def test_an_error_is_told_apart_by_code() -> None:
    client = Modelport().with_router(os.environ["LIMITED_ROUTER_ID"])

    with pytest.raises(RateLimitError) as raised:
        client.chat.completions.create(messages=hello)

    assert is_modelport_error(raised.value, "daily_limit_exceeded")
    assert is_modelport_error(raised.value)
    assert not is_modelport_error(raised.value, "budget_exceeded")
    assert not is_modelport_error(ValueError("other"))
    assert "daily_limit_exceeded" in ERROR_CODES


def test_an_error_inside_a_stream_has_its_code() -> None:
    stream = Modelport().chat.completions.create(model="fake:broken", messages=hello, stream=True)

    with pytest.raises(APIError) as raised:
        list(stream)

    assert is_modelport_error(raised.value, "all_models_unavailable")


def test_a_request_that_is_repeated_because_its_answer_was_lost_is_paid_once() -> None:
    transport = LosingTransport()

    answer = Modelport(http_client=httpx2.Client(transport=transport)).chat.completions.create(
        messages=hello
    )

    lost, replayed = transport.answers
    assert answer.choices[0].message.content == "Paris."
    # A second request to a model would have an id of its own.
    assert lost.json()["id"] == replayed.json()["id"] == answer.id
    assert replayed.headers["idempotent-replayed"] == "true"


def test_two_requests_have_two_keys_and_a_given_key_is_kept() -> None:
    recorder = Recorder()
    completions = Modelport(http_client=recorder.client).chat.completions

    completions.create(messages=hello)
    completions.create(messages=hello)
    completions.create(messages=hello, extra_headers={"Idempotency-Key": "order-1"})

    keys = [request.headers.get_list("idempotency-key") for request in recorder.requests]
    assert [len(each) for each in keys] == [1, 1, 1]
    assert keys[0] != keys[1]
    assert keys[2] == ["order-1"]


def test_a_timeout_ends_the_request() -> None:
    client = Modelport(timeout=0.2, max_retries=0)

    with pytest.raises(APITimeoutError):
        client.chat.completions.create(messages=story)


def test_a_missing_authority_is_named_with_the_option() -> None:
    client = Modelport(ca_file="/nowhere/ca.pem", max_retries=0)

    with pytest.raises(APIConnectionError) as raised:
        client.models.list()

    assert "/nowhere/ca.pem cannot be read. Pass ca_file" in str(raised.value.__cause__)


def test_the_authority_of_another_modelport_is_refused_with_its_file(tmp_path: Path) -> None:
    other = tmp_path / "ca.pem"
    other.write_text(Path(os.environ["OTHER_CA_FILE"]).read_text())
    client = Modelport(ca_file=other, max_retries=0)

    with pytest.raises(APIConnectionError) as raised:
        client.models.list()

    assert f"not signed by the authority in {other}" in str(raised.value.__cause__)


def test_a_renewed_authority_is_used_by_the_next_request(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    client = Modelport(ca_file=file, max_retries=0)
    with pytest.raises(APIConnectionError):
        client.models.list()

    file.write_text(Path(os.environ["CA_FILE"]).read_text())

    assert client.models.list().data[0].id == "auto"


def test_another_address_is_not_trusted_with_the_local_authority() -> None:
    client = Modelport(max_retries=0)
    elsewhere = str(client.base_url).replace("localhost", "127.0.0.1")

    with pytest.raises(APIConnectionError) as raised:
        client.get(f"{elsewhere}models", cast_to=object)

    assert "CERTIFICATE_VERIFY_FAILED" in str(raised.value.__cause__)


def test_nothing_listening_says_how_to_start_modelport() -> None:
    client = Modelport(base_url="https://localhost:1", max_retries=0)

    with pytest.raises(APIConnectionError) as raised:
        client.models.list()

    assert str(raised.value.__cause__) == (
        "Nothing listens at https://localhost:1. Start Modelport, or run “modelport serve”."
    )


def test_no_variable_of_an_openai_account_is_sent() -> None:
    recorder = Recorder()

    Modelport(http_client=recorder.client).models.list()

    headers = recorder.requests[0].headers
    assert headers["authorization"] == f"Bearer {os.environ['MODELPORT_API_KEY']}"
    assert not {"openai-organization", "openai-project", "x-openai-team"} & set(headers)


def test_headers_of_a_client_are_sent_also_by_its_copies() -> None:
    recorder = Recorder()
    client = Modelport(
        tag="one",
        conversation="c-1",
        explain=True,
        default_headers={"x-mine": "kept"},
        http_client=recorder.client,
    )

    client.models.list()
    client.with_options(tag="two", explain=False).models.list()

    names = ["x-modelport-tag", "x-modelport-conversation", "x-modelport-explain", "x-mine"]
    assert [[request.headers[name] for name in names] for request in recorder.requests] == [
        ["one", "c-1", "true", "kept"],
        ["two", "c-1", "false", "kept"],
    ]


def test_an_argument_wins_over_its_variable_and_an_address_may_name_the_router() -> None:
    client = Modelport(
        base_url="https://localhost:1/api/router/router_other/v1/", api_key="mp_other"
    )

    assert client.router_id == "router_other"
    assert client.api_key == "mp_other"
    third = client.with_router("router_third")
    assert str(third.base_url) == "https://localhost:1/api/router/router_third/v1/"
    assert third.api_key == "mp_other"
    assert client.with_options(base_url="https://localhost:2").router_id == "router_other"


def test_a_copy_for_another_address_trusts_the_authority_there() -> None:
    client = Modelport(base_url="https://localhost:1", max_retries=0)

    there = client.with_options(base_url=os.environ["MODELPORT_BASE_URL"])

    assert there.models.list().data[0].id == "auto"


def test_a_copy_of_a_copy_keeps_the_authority(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text(Path(os.environ["CA_FILE"]).read_text())
    here, nowhere = os.environ["MODELPORT_BASE_URL"], tmp_path / "missing.pem"

    moved = Modelport(base_url="https://localhost:1", ca_file=file, max_retries=0)
    wrong = Modelport(ca_file=nowhere, max_retries=0)

    copies = [
        moved.with_router(moved.router_id).with_options(base_url=here),
        moved.with_options(tag="one").with_options(base_url=here),
        wrong.with_options(tag="one").with_options(ca_file=file),
    ]
    assert [copy.models.list().data[0].id for copy in copies] == ["auto"] * 3


@pytest.mark.parametrize(
    ("variable", "message"),
    [
        ("MODELPORT_API_KEY", "needs a key: pass api_key or set MODELPORT_API_KEY"),
        ("MODELPORT_ROUTER_ID", "needs a router: pass router_id or set MODELPORT_ROUTER_ID"),
    ],
)
def test_without_a_variable_and_its_argument_the_client_says_what_is_missing(
    variable: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "")

    with pytest.raises(OpenAIError, match=message):
        Modelport()


@pytest.mark.parametrize("name", ["max_retires", "time_out", "routerid"])
@pytest.mark.parametrize("client", [Modelport, AsyncModelport])
def test_a_misspelt_argument_is_refused(client: type[Any], name: str) -> None:
    with pytest.raises(TypeError, match=f"no argument '{name}'"):
        client(**{name: "value"})
    with pytest.raises(TypeError, match=name):
        client().with_options(**{name: "value"})


def test_an_address_that_is_no_url_is_refused() -> None:
    with pytest.raises(OpenAIError, match='"localhost" is not a URL'):
        Modelport(base_url="localhost")
