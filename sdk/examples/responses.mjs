import { metaOf, Modelport } from '@modelport/sdk'

const modelport = new Modelport()

const response = await modelport.responses.create({ input: 'What is the capital of France?' })
console.log(response.output_text, metaOf(response)?.modelUsed)

const stream = await modelport.responses.create({ input: 'And of Italy?', stream: true })
for await (const event of stream) {
  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta)
  if (event.type === 'response.completed') console.log('', metaOf(event.response)?.modelUsed)
}
