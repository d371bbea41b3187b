"""LiteLLM's library, with the prefixes of OpenAI-compatible servers and of Anthropic."""

import json
import os

# Without it, the import downloads LiteLLM's table of models.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm
from pydantic import BaseModel
from tasks import WEATHER_TOOL, answer_tasks, cancel_at_first_piece, join_pieces, leave_at_first_piece


class City(BaseModel):
    city: str
    population: int


# LiteLLM streams the Responses form only for models that it knows.
litellm.register_model({"openai/auto": {"litellm_provider": "openai", "mode": "chat"}})

PREFIXES = {"chat": "openai/", "responses": "openai/responses/", "messages": "anthropic/"}


def asked(task):
    base = task.router_url if task.door == "messages" else f"{task.router_url}/v1"
    return {
        "model": PREFIXES[task.door] + task.model,
        "api_base": base,
        "api_key": task.api_key,
        "max_tokens": task.max_tokens,
        "max_retries": 0,
        "messages": [{"role": "user", "content": task.prompt}],
    }


def ask(task, **more):
    return litellm.completion(**{**asked(task), **more})


def texts(stream):
    for chunk in stream:
        yield chunk.choices[0].delta.content


def plain(task):
    return {"text": ask(task).choices[0].message.content}


def stream(task):
    return join_pieces(texts(ask(task, stream=True)))


def abort(task):
    if task.door == "responses":
        return abort_responses(task)

    async def texts():
        async for chunk in await litellm.acompletion(**asked(task), stream=True):
            yield chunk.choices[0].delta.content

    return cancel_at_first_piece(texts)


def abort_responses(task):
    """The bridge from completion() to this form has no way to close its stream; responses() has one."""
    answer = litellm.responses(
        model=f"openai/{task.model}",
        api_base=f"{task.router_url}/v1",
        api_key=task.api_key,
        max_output_tokens=task.max_tokens,
        input=task.prompt,
        stream=True,
    )
    texts = (getattr(event, "delta", None) for event in answer)
    return leave_at_first_piece(texts, answer.response.close)


def tools(task):
    offered = [{"type": "function", "function": WEATHER_TOOL}]
    question = {"role": "user", "content": task.prompt}
    first = ask(task, tools=offered).choices[0].message
    results = [
        {"role": "tool", "tool_call_id": call.id, "content": task.tool_result}
        for call in first.tool_calls
    ]
    last = ask(task, messages=[question, first, *results], tools=offered)
    calls = [
        {"name": call.function.name, "input": json.loads(call.function.arguments)}
        for call in first.tool_calls
    ]
    return {"text": last.choices[0].message.content, "calls": calls}


def structured(task):
    text = ask(task, response_format=City).choices[0].message.content
    return {"value": json.loads(text)}


TASKS = {
    "plain": plain,
    "stream": stream,
    "abort": abort,
    "tools": tools,
    "structured": structured,
}
answer_tasks({"chat": TASKS, "responses": TASKS, "messages": TASKS})
