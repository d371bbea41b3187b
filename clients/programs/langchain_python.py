"""LangChain for Python, with its OpenAI and Anthropic packages."""

from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI
from pydantic import BaseModel
from tasks import WEATHER_TOOL, answer_tasks, join_pieces, leave_at_first_piece


class City(BaseModel):
    """A city."""

    city: str
    population: int


def connect(task):
    common = {"model": task.model, "api_key": task.api_key, "max_retries": 0}
    if task.door == "messages":
        return ChatAnthropic(base_url=task.router_url, max_tokens=task.max_tokens, **common)
    return ChatOpenAI(
        base_url=f"{task.router_url}/v1",
        max_tokens=task.max_tokens,
        use_responses_api=task.door == "responses",
        **common,
    )


def texts(stream):
    for chunk in stream:
        yield str(chunk.text)


def plain(task):
    return {"text": str(connect(task).invoke(task.prompt).text)}


def stream(task):
    return join_pieces(texts(connect(task).stream(task.prompt)))


def abort(task):
    answer = connect(task).stream(task.prompt)
    return leave_at_first_piece(texts(answer), answer.close)


def tools(task):
    # The Responses form requires the field.
    strict = {"strict": True} if task.door == "responses" else {}
    offered = {"type": "function", "function": {**WEATHER_TOOL, **strict}}
    model = connect(task).bind_tools([offered])
    question = HumanMessage(task.prompt)
    first = model.invoke([question])
    results = [
        ToolMessage(content=task.tool_result, tool_call_id=call["id"]) for call in first.tool_calls
    ]
    last = model.invoke([question, first, *results])
    calls = [{"name": call["name"], "input": call["args"]} for call in first.tool_calls]
    return {"text": str(last.text), "calls": calls}


def structured(task):
    return {"value": connect(task).with_structured_output(City).invoke(task.prompt).model_dump()}


TASKS = {
    "plain": plain,
    "stream": stream,
    "abort": abort,
    "tools": tools,
    "structured": structured,
}
answer_tasks({"chat": TASKS, "responses": TASKS, "messages": TASKS})
