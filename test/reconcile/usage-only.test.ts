/** Bills that have only tokens, of models with and without a price. */
import { expect, test } from 'vitest'
import type { Model } from '../../src/shared/entities.ts'
import { compareSpans, tenRequests, toModel } from './run-reconcile.ts'

const day = '2026-11-10'
const head = 'date,model,requests,input_tokens,output_tokens,cost_usd,tier'
const used = { input: 1_000_000, output: 100_000, usd: 0 }
const spans = [tenRequests(day, 'vendor:own', used)]
const prices = { input: 1, cacheRead: 1, write5m: 1, write1h: 1, output: 2 }
const priced = toModel({ name: 'own', billed: 'own', prices })
const unpriced: Model = { ...priced, inputUsdPerMtok: null, outputUsdPerMtok: null }

function compare(rows: readonly string[], models = [unpriced]) {
  const text = [head, ...rows].join('\n')
  return compareSpans([{ name: 'own.csv', text }], spans, { models })
}

const noPrice = [{ kind: 'noPrice', usd: 0 }]

test.each([
  ['more input', `${day},own,10,2000000,100000,,`],
  ['less output', `${day},own,10,1000000,99999,,`],
  ['a batch beside equal tokens', `${day},own,10,1000000,100000,,\n${day},own,1,500,50,,batch`],
])('without a price, %s is no agreement', async (_what, row) => {
  const { lines, total } = await compare([row])
  expect(lines).toMatchObject([{ isPriced: true, differenceUsd: 0, causes: noPrice }])
  expect(total).toMatchObject({ differenceUsd: 0, unexplainedUsd: 0 })
})

test('without a price, a model that one side does not have is no agreement', async () => {
  const { lines } = await compare([`${day},other,10,1000000,100000,,`])
  expect(lines).toMatchObject([
    { model: expect.stringMatching(/own|other/), causes: noPrice },
    { model: expect.stringMatching(/own|other/), causes: noPrice },
  ])
})

test('equal tokens, a price and a cost need no such words', async () => {
  const more = `${day},own,10,2000000,100000`
  const equal = await compare([`${day},own,10,1000000,100000,,`])
  const known = await compare([`${more},,`], [priced])
  const billed = await compare([`${more},3,`])
  const elsewhere = await compare([`${day},other,10,1000000,100000,3,`])
  for (const { lines } of [equal, known, billed, elsewhere]) {
    const kinds = lines.flatMap(({ causes }) => causes.map(({ kind }) => kind))
    expect(kinds).not.toContain('noPrice')
  }
  expect(equal.lines).toMatchObject([{ causes: [], unexplainedUsd: 0 }])
  expect(known.total.differenceUsd).toBeCloseTo(1)
  expect(billed.total.differenceUsd).toBe(3)
})
