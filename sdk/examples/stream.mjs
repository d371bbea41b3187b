import { Modelport } from '@modelport/sdk'

const modelport = new Modelport()

const stream = await modelport.chat.completions.create({
  messages: [{ role: 'user', content: 'What is the capital of France?' }],
  stream: true,
})

for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '')
  // The last chunk has the figures of the whole answer.
  if (chunk._meta) console.log(`\n${chunk._meta.modelUsed}: $${chunk._meta.cost}`)
}
