import asyncio

from modelport import AsyncModelport


async def main() -> None:
    async with AsyncModelport() as client:
        answer = await client.chat.completions.create(
            messages=[{"role": "user", "content": "What is the capital of France?"}],
        )
        print(answer.choices[0].message.content)


asyncio.run(main())
