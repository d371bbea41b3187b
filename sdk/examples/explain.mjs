import { Modelport } from '@modelport/sdk'

const modelport = new Modelport({ explain: true })

const answer = await modelport.chat.completions.create({
  messages: [{ role: 'user', content: 'What is the capital of France?' }],
})

const { why, ranked, attempts } = answer._meta.decision
console.log(why)
for (const { model, estimate } of ranked) console.log(model, estimate?.costNanoUsd)
for (const { model, outcome, tookMs } of attempts) console.log(model, outcome, `${tookMs} ms`)
