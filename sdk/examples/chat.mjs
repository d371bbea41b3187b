import { Modelport } from '@modelport/sdk'

// The key and the router come from MODELPORT_API_KEY and MODELPORT_ROUTER_ID.
const modelport = new Modelport()

const answer = await modelport.chat.completions.create({
  messages: [{ role: 'user', content: 'What is the capital of France?' }],
})

console.log(answer.choices[0].message.content)
console.log(`${answer._meta.modelUsed}: $${answer._meta.cost}, ${answer._meta.latencyMs} ms`)
