from modelport import Modelport, router_meta

client = Modelport(explain=True)

answer = client.chat.completions.create(
    messages=[{"role": "user", "content": "What is the capital of France?"}],
)

decision = router_meta(answer)["decision"]
print(decision["why"])
for ranked in decision["ranked"]:
    print(ranked["model"], ranked["estimate"] and ranked["estimate"]["costNanoUsd"])
for attempt in decision["attempts"]:
    print(attempt["model"], attempt["outcome"], f"{attempt['tookMs']} ms")
