from modelport import Modelport, router_meta

# The key and the router come from MODELPORT_API_KEY and MODELPORT_ROUTER_ID.
client = Modelport()

answer = client.chat.completions.create(
    messages=[{"role": "user", "content": "What is the capital of France?"}],
)

print(answer.choices[0].message.content)
meta = router_meta(answer)
print(f"{meta['modelUsed']}: ${meta['cost']}, {meta['latencyMs']} ms")
