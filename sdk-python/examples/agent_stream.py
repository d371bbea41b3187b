from modelport import Modelport, agent_meta, meta_of

client = Modelport()

for chunk in client.agents.run("summarise", "A long text …", stream=True):
    print(chunk.choices[0].delta.content or "", end="")
    if meta_of(chunk):
        print(f"\nModels: {', '.join(agent_meta(chunk)['models_used'])}")
