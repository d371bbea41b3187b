import { Modelport } from '@modelport/sdk'

// All requests of this client are one conversation of one project.
const modelport = new Modelport({ tag: 'support-bot', conversation: 'ticket-4711' })

const messages = [{ role: 'user', content: 'What is the capital of France?' }]
const first = await modelport.chat.completions.create({ messages })

messages.push(first.choices[0].message, { role: 'user', content: 'And of Italy?' })
const second = await modelport.chat.completions.create({ messages })
console.log(first._meta.modelUsed === second._meta.modelUsed)

// The same client for another conversation, and for another router.
const other = modelport.withOptions({ conversation: 'ticket-4712' })
const again = other.withRouter(modelport.routerId)
console.log((await again.models.list()).data.map(({ id }) => id))
