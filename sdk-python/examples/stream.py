from modelport import Modelport, meta_of, router_meta

client = Modelport()

stream = client.chat.completions.create(
    messages=[{"role": "user", "content": "What is the capital of France?"}],
    stream=True,
)

for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="")
    # The last chunk has the figures of the whole answer.
    if meta_of(chunk):
        meta = router_meta(chunk)
        print(f"\n{meta['modelUsed']}: ${meta['cost']}")
