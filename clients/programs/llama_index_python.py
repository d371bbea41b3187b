"""LlamaIndex for Python, with its class for OpenAI-compatible servers."""

from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel
from tasks import answer_tasks, cancel_at_first_piece, join_pieces


class City(BaseModel):
    """A city."""

    city: str
    population: int


def connect(task):
    return OpenAILike(
        api_base=f"{task.router_url}/v1",
        api_key=task.api_key,
        model=task.model,
        max_retries=0,
        max_tokens=task.max_tokens,
        context_window=8192,
        is_chat_model=True,
        is_function_calling_model=True,
        should_use_structured_outputs=True,
    )


def question(task):
    return [ChatMessage(role="user", content=task.prompt)]


def plain(task):
    return {"text": connect(task).chat(question(task)).message.content}


def stream(task):
    return join_pieces(piece.delta for piece in connect(task).stream_chat(question(task)))


def abort(task):
    async def texts():
        async for piece in await connect(task).astream_chat(question(task)):
            yield piece.delta

    return cancel_at_first_piece(texts)


def tools(task):
    calls = []

    def get_weather(city: str) -> str:
        """The weather in a city."""
        calls.append({"name": "get_weather", "input": {"city": city}})
        return task.tool_result

    model = connect(task)
    tool = FunctionTool.from_defaults(get_weather)
    first = model.chat_with_tools([tool], chat_history=question(task))
    results = [
        ChatMessage(
            role="tool",
            content=str(tool(**call.tool_kwargs)),
            additional_kwargs={"tool_call_id": call.tool_id},
        )
        for call in model.get_tool_calls_from_response(first)
    ]
    history = [*question(task), first.message, *results]
    last = model.chat_with_tools([tool], chat_history=history)
    return {"text": last.message.content, "calls": calls}


def structured(task):
    answer = connect(task).as_structured_llm(City).chat(question(task))
    return {"value": answer.raw.model_dump()}


TASKS = {
    "plain": plain,
    "stream": stream,
    "abort": abort,
    "tools": tools,
    "structured": structured,
}
answer_tasks({"chat": TASKS})
