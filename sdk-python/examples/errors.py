from modelport import Modelport, is_modelport_error
from openai import APIConnectionError, APIError

client = Modelport()

try:
    client.chat.completions.create(
        model="no-such-model",
        messages=[{"role": "user", "content": "Hello"}],
    )
except APIConnectionError as error:
    print(error.__cause__)
except APIError as error:
    if is_modelport_error(error, "daily_limit_exceeded", "budget_exceeded"):
        print(f"Limit reached: {error.message}")
    elif is_modelport_error(error):
        print(f"{error.code}: {error.message}")
    else:
        raise
