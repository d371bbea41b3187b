import { Modelport } from '@modelport/sdk'

const modelport = new Modelport()

const answer = await modelport.agents.run('summarise', 'A long text …')

console.log(answer.choices[0].message.content)
console.log(`${answer._meta.steps_executed} steps, $${answer._meta.total_cost}`)
