/** Requests of providers that were removed from Modelport, beside a bill whose format names the type of its providers. */
import { expect, test } from 'vitest'
import { compareSpans, tenRequests } from './run-reconcile.ts'

const day = '2026-11-10'
const used = { input: 1_000_000, output: 100_000, usd: 3 }

/** OpenAI's exports of the day: ten requests for $3. */
const startAndEnd = [0, 1].map((nth) => Date.parse(`${day}T00:00:00Z`) / 1000 + nth * 86_400)
const bill = [
  {
    name: 'usage.csv',
    text: `start_time,end_time,model,num_model_requests,input_tokens,output_tokens
${startAndEnd.join(',')},gpt-5.4-2026-03-05,10,${used.input},${used.output}`,
  },
  {
    name: 'costs.csv',
    text: `start_time,end_time,line_item,amount_value,amount_currency
${startAndEnd.join(',')},"gpt-5.4-2026-03-05, input",2,usd
${startAndEnd.join(',')},"gpt-5.4-2026-03-05, output",1,usd`,
  },
]

test('requests of a removed provider are on the bill that names their model', async () => {
  const spans = [tenRequests(day, 'gone:gpt-5.4', used)]
  const { lines, total } = await compareSpans(bill, spans, { types: { other: 'anthropic' } })
  expect(lines).toMatchObject([{ ours: { requests: 10, usd: 3 }, causes: [], unexplainedUsd: 0 }])
  expect(total).toMatchObject({ theirsUsd: 3, oursUsd: 3, differenceUsd: 0 })
})

test('models that the bill does not name, other providers and other types stay out', async () => {
  const spans = [
    tenRequests(day, 'gone:claude-opus-4-8', used),
    tenRequests(day, 'router:gpt-5.4', used),
    tenRequests(day, 'mine:gpt-5.4', used),
  ]
  const types = { mine: 'openai', router: 'openrouter' }
  const { lines } = await compareSpans(bill, spans, { types })
  expect(lines).toMatchObject([{ ours: { requests: 10 } }])

  const removed = [...spans, tenRequests(day, 'gone:gpt-5.4', used)]
  const chosen = await compareSpans(bill, removed, { types, providerId: 'mine' })
  expect(chosen.lines).toMatchObject([{ ours: { requests: 10 } }])
  await expect(compareSpans(bill, removed, { types, providerId: 'gone' })).rejects.toThrow(
    'There is no provider "gone".',
  )
})
