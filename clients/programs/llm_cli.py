"""The command line of llm, with a model of its own model file."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from tasks import answer_tasks, join_pieces, leave_at_first_piece

SETTINGS = Path.cwd() / "llm"
CALLS = Path.cwd() / "calls.json"
ENVIRONMENT = {**os.environ, "LLM_USER_PATH": str(SETTINGS), "PYTHONUNBUFFERED": "1"}


class LlmError(Exception):
    def __init__(self, text):
        super().__init__(text)
        status = re.search(r"Error code: (\d+)", text)
        self.status_code = int(status.group(1)) if status else None


def start(task, *options):
    """Without `api_key_name`, llm sends a key of its own."""
    SETTINGS.mkdir(exist_ok=True)
    model = {
        "model_id": "router",
        "model_name": task.model,
        "api_base": f"{task.router_url}/v1",
        "api_key_name": "modelport",
        "supports_tools": True,
        "supports_schema": True,
    }
    # JSON is YAML, too.
    (SETTINGS / "extra-openai-models.yaml").write_text(json.dumps([model]))
    (SETTINGS / "keys.json").write_text(json.dumps({"modelport": task.api_key}))
    tokens = ["-o", "max_tokens", str(task.max_tokens)]
    return subprocess.Popen(
        [sys.executable, "-m", "llm", "-m", "router", *tokens, *options, task.prompt],
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(task, *options):
    printed, complaints = start(task, *options).communicate()
    if complaints:
        raise LlmError(complaints)
    return printed.removesuffix("\n")


def pieces(process):
    while piece := os.read(process.stdout.fileno(), 4096):
        yield piece.decode()


def plain(task):
    return {"text": run(task, "--no-stream")}


def stream(task):
    process = start(task)
    joined = join_pieces(pieces(process))
    if process.wait() != 0:
        raise LlmError(process.stderr.read())
    return {**joined, "text": joined["text"].removesuffix("\n")}


def abort(task):
    process = start(task)
    left = leave_at_first_piece(pieces(process), lambda: process.send_signal(signal.SIGINT))
    process.wait()
    return left


def tools(task):
    function = f'''
import json
def get_weather(city: str) -> str:
    "The weather in a city."
    with open({str(CALLS)!r}, "a") as calls:
        calls.write(json.dumps({{"name": "get_weather", "input": {{"city": city}}}}) + chr(10))
    return {task.tool_result!r}
'''
    CALLS.unlink(missing_ok=True)
    text = run(task, "--functions", function)
    calls = [json.loads(line) for line in CALLS.read_text().splitlines()] if CALLS.exists() else []
    return {"text": text, "calls": calls}


def structured(task):
    return {"value": json.loads(run(task, "--schema", "city, population int"))}


answer_tasks(
    {
        "chat": {
            "plain": plain,
            "stream": stream,
            "abort": abort,
            "tools": tools,
            "structured": structured,
        }
    }
)
