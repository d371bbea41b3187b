/** Refreshing the catalogue: fetched, shown, applied and reset when the user asks for it. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { models, prices, sendJson, startCatalogSources } from './fake-catalog-sources.ts'
import { startTestService } from '../test-service.ts'

const today = Date.parse('2026-11-21T12:00:00Z')

async function start() {
  const sources = await startCatalogSources()
  const running = await startTestService({ service: { env: sources.env, now: () => today } })
  const { dashboard } = running.service
  await dashboard.addProvider({ id: 'openai', type: 'openai', apiKey: 'sk-test-key-0123456789' })
  const modelWithId = async (id: string) =>
    (await dashboard.models()).find((model) => model.id === id)
  return { ...running, ...sources, dashboard, catalog: dashboard.catalog, modelWithId }
}

test('shows the changes without making them', async () => {
  const { catalog, modelWithId, proxy } = await start()
  const before = await catalog.state()

  const { asOf, changes } = await catalog.check()

  expect(asOf).toBe('2026-11-21')
  expect(changes).toEqual(
    expect.arrayContaining([
      {
        modelId: 'openai:gpt-5.4',
        kind: 'dearer',
        before: { inputUsdPerMtok: 2.5, outputUsdPerMtok: 15 },
        after: { inputUsdPerMtok: 3, outputUsdPerMtok: 18 },
      },
      expect.objectContaining({ modelId: 'openai:gpt-5-mini', kind: 'cheaper' }),
      expect.objectContaining({ modelId: 'openai:gpt-7', kind: 'new', before: null }),
      expect.objectContaining({ modelId: 'together:maker/new', kind: 'new' }),
    ]),
  )
  expect(await catalog.state()).toEqual(before)
  expect((await modelWithId('openai:gpt-5.4'))?.inputUsdPerMtok).toBe(2.5)
  expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(
    new Set(['models.dev:443', 'raw.githubusercontent.com:443']),
  )
})

test('offers no model that is retired, has no price, uses another API or has control characters in its name', async () => {
  const { catalog } = await start()

  const { changes } = await catalog.check()
  const added = changes.filter(({ kind }) => kind === 'new').map(({ modelId }) => modelId)

  expect(added).toEqual(['openai:gpt-7', 'together:maker/new'])
})

test('applies the changes that were shown, with their date, to the next listing', async () => {
  const { catalog, modelWithId } = await start()
  const { token } = await catalog.check()

  expect(await catalog.apply(token)).toMatchObject({ origin: 'downloaded', asOf: '2026-11-21' })

  expect(await modelWithId('openai:gpt-5.4')).toMatchObject({
    inputUsdPerMtok: 3,
    priceSource: { kind: 'catalog', source: 'genai-prices (MIT), downloaded', asOf: '2026-11-21' },
  })
  expect(await modelWithId('openai:gpt-5-mini')).toMatchObject({
    inputUsdPerMtok: 0.2,
    priceTiers: [{ fromPromptTokens: 100_000, inputUsdPerMtok: 0.4, outputUsdPerMtok: 2 }],
    contextTokens: 500_000,
  })
  expect((await modelWithId('openai:gpt-5-mini'))?.capabilities).not.toContain('tools')
  expect(await modelWithId('openai:gpt-7')).toMatchObject({
    inputUsdPerMtok: 4,
    capabilities: ['vision', 'tools', 'json'],
    quality: null,
    parameters: { refuses: expect.arrayContaining(['temperature', 'max_tokens']) },
  })
})

test('keeps prices that depend on time', async () => {
  const { catalog, dashboard, modelWithId } = await start()
  await dashboard.addProvider({ id: 'deepseek', type: 'deepseek', apiKey: 'sk-test-key-012345' })
  await catalog.apply((await catalog.check()).token)

  expect((await modelWithId('deepseek:deepseek-v4-pro'))?.timedPrices).toMatchObject([
    { startsAtMs: Date.parse('2027-01-01'), hoursUtc: null, inputUsdPerMtok: 5 },
    { startsAtMs: null, hoursUtc: { from: '01:00', until: '04:00' }, inputUsdPerMtok: 2 },
  ])
})

test('the user’s own price stays in force', async () => {
  const { catalog, dashboard, modelWithId } = await start()
  await dashboard.saveModel({
    id: 'openai:gpt-5.4',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 1,
    contextTokens: 1_000,
  })
  await catalog.apply((await catalog.check()).token)

  expect(await modelWithId('openai:gpt-5.4')).toMatchObject({
    inputUsdPerMtok: 1,
    priceSource: { kind: 'user' },
  })
})

test('can be reset to the catalogue that came with the program', async () => {
  const { catalog, modelWithId } = await start()
  const bundled = await catalog.state()
  await catalog.apply((await catalog.check()).token)

  expect(await catalog.reset()).toEqual(bundled)
  expect((await modelWithId('openai:gpt-5.4'))?.inputUsdPerMtok).toBe(2.5)
  expect(await modelWithId('openai:gpt-7')).toBeUndefined()
})

test('applies only the changes that were shown last', async () => {
  const { catalog, answers } = await start()
  const { token } = await catalog.check()
  answers.prices = sendJson(prices.slice(0, 1))
  await catalog.check()

  for (const old of [token, '']) {
    const outcome = await catalog.apply(old).catch((error: unknown) => error)
    expect(outcome).toMatchObject({ code: 'conflict' })
  }
  expect(await catalog.state()).toMatchObject({ origin: 'bundled' })
})

const half = JSON.stringify(models).slice(0, 200)

test.each([
  [
    'is truncated',
    (_: unknown, response: { end(text: string): void }) => response.end(half),
    /JSON/,
  ],
  ['has another form', sendJson({ openai: 'no models' }), /another form/],
  ['has no provider', sendJson([]), /another form/],
])('nothing changes when one of the two sources %s', async (_what, answer, words) => {
  const { catalog, answers } = await start()
  answers.models = answer

  await expect(catalog.check()).rejects.toMatchObject({ code: 'unreachable', message: words })
  expect(await catalog.state()).toMatchObject({ origin: 'bundled' })
})

test('nothing changes when a source fails or redirects', async () => {
  const { catalog, answers } = await start()
  answers.prices = (_, response) => response.writeHead(503).end()
  await expect(catalog.check()).rejects.toMatchObject({
    message: 'raw.githubusercontent.com answered 503. Nothing was changed.',
  })

  answers.prices = (_, response) => response.writeHead(302, { location: 'http://a.test' }).end()
  await expect(catalog.check()).rejects.toMatchObject({ code: 'unreachable' })
})

test('reads no more than 16 MiB', async () => {
  const { catalog, answers } = await start()
  let sent = 0
  answers.models = (_, response) => {
    const chunk = Buffer.alloc(1024 * 1024, ' ')
    const more = () => {
      sent += chunk.length
      if (sent <= 64 * chunk.length && !response.destroyed) response.write(chunk, more)
    }
    more()
  }

  await expect(catalog.check()).rejects.toMatchObject({
    message: 'models.dev sent more than 16 MiB. Nothing was changed.',
  })
  expect(sent).toBeLessThan(40 * 1024 * 1024)
})

test('reports the proxy’s response when the sources cannot be reached', async () => {
  const { catalog, proxy } = await start()
  proxy.answerWith(403)

  await expect(catalog.check()).rejects.toMatchObject({ code: 'unreachable', message: /403/ })
})

test('with an invalid file, the catalogue that came with the program stays in force', async () => {
  const { catalog, dataDir } = await start()
  await catalog.apply((await catalog.check()).token)
  const file = join(dataDir, 'catalog.json')
  const kept = await readFile(file, 'utf8')

  await writeFile(file, kept.replace('"formatVersion":1', '"formatVersion":2'))
  await expect.poll(async () => (await catalog.state()).origin).toBe('bundled')

  // As if another process had applied it.
  await writeFile(file, kept)
  await expect.poll(async () => (await catalog.state()).origin).toBe('downloaded')
})

test('a download that is older than the program is ignored', async () => {
  const { catalog, dataDir } = await start()
  await catalog.apply((await catalog.check()).token)
  const file = join(dataDir, 'catalog.json')
  const kept = await readFile(file, 'utf8')

  await writeFile(file, kept.replace('"asOf":"2026-11-21"', '"asOf":"2026-01-01"'))
  await expect.poll(async () => (await catalog.state()).origin).toBe('bundled')
})

test('ratings come with the program: a download neither asks for them nor stores them', async () => {
  const { catalog, dataDir, modelWithId, proxy } = await start()
  const before = await modelWithId('openai:gpt-5.4')

  await catalog.apply((await catalog.check()).token)

  const { rating, quality } = (await modelWithId('openai:gpt-5.4')) ?? {}
  expect({ rating, quality }).toEqual({ rating: before?.rating, quality: before?.quality })
  expect(rating).toMatchObject({ basis: 'measured', effort: 'none' })
  expect(await readFile(join(dataDir, 'catalog.json'), 'utf8')).not.toMatch(/"rating|"efforts/)
  expect(proxy.asked).toHaveLength(2)
})
