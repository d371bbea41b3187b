from modelport import Modelport, router_meta

client = Modelport()

response = client.responses.create(input="What is the capital of France?")
print(response.output_text, router_meta(response)["modelUsed"])

for event in client.responses.create(input="And of Italy?", stream=True):
    if event.type == "response.output_text.delta":
        print(event.delta, end="")
    if event.type == "response.completed":
        print("", router_meta(event.response)["modelUsed"])
