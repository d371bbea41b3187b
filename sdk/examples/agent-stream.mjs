import { Modelport } from '@modelport/sdk'

const modelport = new Modelport()

const stream = await modelport.agents.run('summarise', 'A long text …', { stream: true })

for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '')
  if (chunk._meta) console.log(`\nModels: ${chunk._meta.models_used.join(', ')}`)
}
