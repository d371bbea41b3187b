"""Anthropic's SDK for Python."""

from anthropic import Anthropic
from pydantic import BaseModel
from tasks import WEATHER_TOOL, answer_tasks, join_pieces, leave_at_first_piece


class City(BaseModel):
    city: str
    population: int


TOOLS = [
    {
        "name": WEATHER_TOOL["name"],
        "description": WEATHER_TOOL["description"],
        "input_schema": WEATHER_TOOL["parameters"],
    }
]


def connect(task):
    return Anthropic(base_url=task.router_url, api_key=task.api_key, max_retries=0)


def ask(task, messages=None):
    return {
        "model": task.model,
        "max_tokens": task.max_tokens,
        "messages": messages or [{"role": "user", "content": task.prompt}],
    }


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


def plain(task):
    return {"text": text_of(connect(task).messages.create(**ask(task)))}


def stream(task):
    with connect(task).messages.stream(**ask(task)) as answer:
        return join_pieces(answer.text_stream)


def abort(task):
    with connect(task).messages.stream(**ask(task)) as answer:
        return leave_at_first_piece(answer.text_stream, answer.close)


def tools(task):
    client = connect(task)
    question = {"role": "user", "content": task.prompt}
    first = client.messages.create(**ask(task), tools=TOOLS)
    called = [block for block in first.content if block.type == "tool_use"]
    results = [
        {"type": "tool_result", "tool_use_id": call.id, "content": task.tool_result}
        for call in called
    ]
    conversation = [
        question,
        {"role": "assistant", "content": first.content},
        {"role": "user", "content": results},
    ]
    last = client.messages.create(**ask(task, conversation), tools=TOOLS)
    calls = [{"name": call.name, "input": call.input} for call in called]
    return {"text": text_of(last), "calls": calls}


def structured(task):
    answer = connect(task).messages.parse(**ask(task), output_format=City)
    return {"value": answer.parsed_output.model_dump()}


answer_tasks(
    {
        "messages": {
            "plain": plain,
            "stream": stream,
            "abort": abort,
            "tools": tools,
            "structured": structured,
        }
    }
)
