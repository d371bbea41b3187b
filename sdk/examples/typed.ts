import { isAgentMeta, metaOf, Modelport, type RouterMeta } from '@modelport/sdk'

const modelport = new Modelport({ maxRetries: 0, timeout: 30_000 })

// `model` is optional, and `_meta` has the fields of a router's answer.
const answer = await modelport.chat.completions.create({
  messages: [{ role: 'user', content: 'What is the capital of France?' }],
})
const meta: RouterMeta = answer._meta
console.log(meta.modelUsed, meta.carbonGrams)

// `agent:…` changes the type of `_meta`.
const agent = await modelport.chat.completions.create({
  model: 'agent:summarise',
  messages: [{ role: 'user', content: 'A long text …' }],
})
console.log(agent._meta.steps_executed)

// OpenAI's own helpers work; `metaOf` reads `_meta` where their types do not have it.
const final = await modelport.chat.completions
  .stream({ messages: [{ role: 'user', content: 'What is the capital of France?' }] })
  .finalChatCompletion()
const finalMeta = metaOf(final)
if (finalMeta !== null && !isAgentMeta(finalMeta)) console.log(finalMeta.routerDecision)
