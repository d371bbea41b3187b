import asyncio

from modelport import AsyncModelport


async def main() -> None:
    client = AsyncModelport()
    call = client.chat.completions.create(
        messages=[{"role": "user", "content": "Write a long story."}],
    )
    try:
        await asyncio.wait_for(call, timeout=0.2)
    except asyncio.TimeoutError:
        # Modelport cancels the request to the model at once.
        print("Cancelled")


asyncio.run(main())
