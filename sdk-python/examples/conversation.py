from modelport import Modelport, router_meta

# All requests of this client are one conversation of one project.
client = Modelport(tag="support-bot", conversation="ticket-4711")

question = "What is the capital of France?"
first = client.chat.completions.create(messages=[{"role": "user", "content": question}])
second = client.chat.completions.create(
    messages=[
        {"role": "user", "content": question},
        {"role": "assistant", "content": first.choices[0].message.content},
        {"role": "user", "content": "And of Italy?"},
    ]
)
print(router_meta(first)["modelUsed"] == router_meta(second)["modelUsed"])

# The same client for another conversation, and for another router.
other = client.with_options(conversation="ticket-4712")
again = other.with_router(client.router_id)
print([model.id for model in again.models.list()])
