from modelport import Modelport, agent_meta

client = Modelport()

answer = client.agents.run("summarise", "A long text …")

print(answer.choices[0].message.content)
meta = agent_meta(answer)
print(f"{meta['steps_executed']} steps, ${meta['total_cost']}")
