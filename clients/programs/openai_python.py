"""OpenAI's SDK for Python, over chat completions and over Responses."""

import json

from openai import OpenAI
from pydantic import BaseModel
from tasks import WEATHER_TOOL, answer_tasks, join_pieces, leave_at_first_piece


class City(BaseModel):
    city: str
    population: int


def connect(task):
    return OpenAI(base_url=f"{task.router_url}/v1", api_key=task.api_key, max_retries=0)


def ask(task, messages=None):
    return {
        "model": task.model,
        "max_completion_tokens": task.max_tokens,
        "messages": messages or [{"role": "user", "content": task.prompt}],
    }


def chat_texts(stream):
    for chunk in stream:
        if chunk.choices:
            yield chunk.choices[0].delta.content


def chat_plain(task):
    answer = connect(task).chat.completions.create(**ask(task))
    return {"text": answer.choices[0].message.content}


def chat_stream(task):
    return join_pieces(chat_texts(connect(task).chat.completions.create(**ask(task), stream=True)))


def chat_abort(task):
    stream = connect(task).chat.completions.create(**ask(task), stream=True)
    return leave_at_first_piece(chat_texts(stream), stream.close)


def chat_tools(task):
    client = connect(task)
    tools = [{"type": "function", "function": WEATHER_TOOL}]
    question = {"role": "user", "content": task.prompt}
    first = client.chat.completions.create(**ask(task), tools=tools).choices[0].message
    results = [
        {"role": "tool", "tool_call_id": call.id, "content": task.tool_result}
        for call in first.tool_calls
    ]
    last = client.chat.completions.create(**ask(task, [question, first, *results]), tools=tools)
    return {
        "text": last.choices[0].message.content,
        "calls": [
            {"name": call.function.name, "input": json.loads(call.function.arguments)}
            for call in first.tool_calls
        ],
    }


def chat_structured(task):
    answer = connect(task).chat.completions.parse(**ask(task), response_format=City)
    return {"value": answer.choices[0].message.parsed.model_dump()}


def asked(task, conversation=None):
    return {
        "model": task.model,
        "max_output_tokens": task.max_tokens,
        "input": conversation or [{"role": "user", "content": task.prompt}],
    }


def responses_texts(stream):
    for event in stream:
        if event.type == "response.output_text.delta":
            yield event.delta


def responses_plain(task):
    return {"text": connect(task).responses.create(**asked(task)).output_text}


def responses_stream(task):
    return join_pieces(responses_texts(connect(task).responses.create(**asked(task), stream=True)))


def responses_abort(task):
    stream = connect(task).responses.create(**asked(task), stream=True)
    return leave_at_first_piece(responses_texts(stream), stream.close)


def responses_tools(task):
    client = connect(task)
    tools = [{"type": "function", "strict": True, **WEATHER_TOOL}]
    question = {"role": "user", "content": task.prompt}
    first = client.responses.create(**asked(task), tools=tools)
    called = [item for item in first.output if item.type == "function_call"]
    results = [
        {"type": "function_call_output", "call_id": call.call_id, "output": task.tool_result}
        for call in called
    ]
    last = client.responses.create(
        **asked(task, [question, *first.output, *results]), tools=tools
    )
    calls = [{"name": call.name, "input": json.loads(call.arguments)} for call in called]
    return {"text": last.output_text, "calls": calls}


def responses_structured(task):
    answer = connect(task).responses.parse(**asked(task), text_format=City)
    return {"value": answer.output_parsed.model_dump()}


answer_tasks(
    {
        "chat": {
            "plain": chat_plain,
            "stream": chat_stream,
            "abort": chat_abort,
            "tools": chat_tools,
            "structured": chat_structured,
        },
        "responses": {
            "plain": responses_plain,
            "stream": responses_stream,
            "abort": responses_abort,
            "tools": responses_tools,
            "structured": responses_structured,
        },
    }
)
