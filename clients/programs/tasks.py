"""Reads a task a line from the standard input, and answers each with a line."""

import asyncio
import json
import sys
import traceback

WEATHER_TOOL = {
    "name": "get_weather",
    "description": "The weather in a city.",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
}


class Task:
    def __init__(self, fields):
        self.door = fields["door"]
        self.router_url = fields["routerUrl"]
        self.api_key = fields["apiKey"]
        self.model = fields["model"]
        self.prompt = fields["prompt"]
        self.max_tokens = fields["maxTokens"]
        self.tool_result = fields["toolResult"]


def answer_tasks(doors):
    """`doors` has per door a function per kind of task, which returns the task's result."""
    answers = sys.stdout
    # What a library prints must not be taken for an answer.
    sys.stdout = sys.stderr
    for line in sys.stdin:
        fields = json.loads(line)
        try:
            outcome = {"result": doors[fields["door"]][fields["do"]](Task(fields))}
        except Exception as error:
            traceback.print_exc()
            status = getattr(error, "status_code", None)
            name = type(error).__name__
            outcome = {"error": {"type": name, "status": status, "message": str(error)[:400]}}
        print(json.dumps(outcome), file=answers, flush=True)


def join_pieces(texts):
    pieces = [text for text in texts if text]
    return {"text": "".join(pieces), "pieces": len(pieces)}


def leave_at_first_piece(texts, leave):
    for text in texts:
        if text:
            leave()
            return {"left": True}
    raise RuntimeError("the answer ended without a piece")


def cancel_at_first_piece(texts):
    """Cancels the task that reads, for libraries whose streams cannot be closed."""

    async def read(first):
        async for text in texts():
            if text:
                first.set()

    async def run():
        first = asyncio.Event()
        reading = asyncio.create_task(read(first))
        waiting = asyncio.create_task(first.wait())
        await asyncio.wait({reading, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if not first.is_set():
            await reading
            raise RuntimeError("the answer ended without a piece")
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)

    asyncio.run(run())
    return {"left": True}
