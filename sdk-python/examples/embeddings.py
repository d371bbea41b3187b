from modelport import Modelport, router_meta

client = Modelport()

answer = client.embeddings.create(
    model="auto",  # the router's model for embeddings
    input=["Paris is in France.", "Rome is in Italy."],
)

print(len(answer.data), "vectors of", len(answer.data[0].embedding))
print(router_meta(answer)["modelUsed"])
