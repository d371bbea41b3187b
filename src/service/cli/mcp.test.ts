/** `modelport mcp` as an assistant uses it: the official client starts it and calls its tools. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test, vi } from 'vitest'
import { binary, newModelport } from '../../../test/command-line/modelport.ts'
import { errorReply, startFakeProvider } from '../../../test/fake-provider.ts'

// Processes take their time on a busy computer.
vi.setConfig({ testTimeout: 90_000 })

const figures = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '2', '--context', '8000']

/** A running service whose router has two models that answer and one that fails, and what starts an assistant's server. */
async function startRouter() {
  const modelport = newModelport()
  const { json, dataDir } = modelport
  const fake = await startFakeProvider({
    tls: false,
    models: {
      good: { text: 'Four.' },
      poor: { text: 'Five.' },
      down: { reply: errorReply(400, { message: 'broken' }) },
    },
  })
  onTestFinished(() => fake.close())
  await json('provider', 'add', 'mine', '--type', 'openai-compatible', '--base-url', fake.url)
  const models = ['mine:good', 'mine:poor', 'mine:down']
  for (const model of models) await json('model', 'add', model, ...figures)
  const named = ['--name', 'Everyday', '--strategy', 'priority', '--models', models.join(',')]
  const [router] = await json('router', 'create', ...named, '--budget-usd-per-day', '2')
  const routerId = String(router?.['id'])
  const [key] = await json('key', 'create', '--name', 'Assistant', '--routers', routerId)
  const { child, exited } = await modelport.serve()
  const server = {
    command: process.execPath,
    args: [binary, '--data-dir', dataDir, 'mcp', '--router', routerId],
    env: definedOnly({ ...modelport.environment(), MODELPORT_API_KEY: String(key?.['key']) }),
  }
  const stop = async () => {
    child.kill()
    await exited
  }
  return { fake, server, stop }
}

/** @param mode  `auto` speaks the newest version of the protocol, `legacy` that of 2025 */
async function connectAssistant(
  server: Awaited<ReturnType<typeof startRouter>>['server'],
  mode: 'auto' | 'legacy',
) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StdioClientTransport(server))
  onTestFinished(() => client.close())
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
    const [first] = content
    return { text: first?.type === 'text' ? first.text : '', data: structuredContent, isError }
  }
  return { client, call }
}

type Call = Awaited<ReturnType<typeof connectAssistant>>['call']

test('assistants of the new and the old protocol ask, compare and preview', async () => {
  const { fake, server } = await startRouter()
  for (const mode of ['auto', 'legacy'] as const) {
    const { client, call } = await connectAssistant(server, mode)
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.openWorldHint])).toEqual([
      ['ask', true],
      ['compare', true],
      ['preview', false],
      ['spend', false],
      ['budget', false],
    ])

    const asked = await call('ask', { prompt: 'What is two and two?', maxTokens: 50 })
    expect(asked.text).toMatch(/^Four\.\n\n\(mine:good, \$0\.0000\d+, .+ CO2e\)$/)
    expect(asked.data).toMatchObject({ modelUsed: 'mine:good', routerDecision: 'priority' })
    expect(fake.requests.at(-1)?.body).toMatchObject({ max_tokens: 50 })

    const models = ['mine:poor', 'mine:good', 'mine:down']
    const compared = await call('compare', { prompt: 'What is two and two?', models })
    expect(compared.text).toContain('## mine:poor\n\nFive.')
    expect(compared.data).toMatchObject({
      answers: [
        { model: 'mine:poor', answer: 'Five.', modelUsed: 'mine:poor' },
        { model: 'mine:good', answer: 'Four.' },
        { model: 'mine:down', error: expect.stringContaining('broken') },
      ],
    })

    const before = fake.requests.length
    const preview = await call('preview', { prompt: 'What is two and two?' })
    expect(preview.text).toContain('Expected: $')
    expect(preview.data).toMatchObject({ model: 'mine:good', why: expect.any(String) })
    expect(fake.requests).toHaveLength(before)
  }
})

test('spending and budgets are those of the rows, and errors are results that say why', async () => {
  const { server, stop } = await startRouter()
  const { call } = await connectAssistant(server, 'auto')
  await call('ask', { prompt: 'What is two and two?' })
  await expect.poll(() => costByModel(call)).toMatchObject({ 'mine:good': 0.000028 })
  const budget = await call('budget')
  expect(budget.data).toEqual({
    budgets: [
      { kind: 'router', name: 'Everyday', budgetUsdPerDay: 2, budgetUsdPerMonth: null },
      { kind: 'key', name: 'Assistant', budgetUsdPerDay: null, budgetUsdPerMonth: null },
    ].map((one) => ({ ...one, spentUsdToday: 0.000028, spentUsdThisMonth: 0.000028 })),
    dailyLimit: 10_000,
    requestsToday: 1,
  })
  expect(budget.text).toContain('The router Everyday: $0.000028 today, of $2')

  const unknown = await call('ask', { prompt: 'Hello', model: 'mine:other' })
  expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('mine:good') })
  const alone = await call('compare', { prompt: 'Hello', models: ['mine:good'] })
  expect(alone).toMatchObject({ isError: true, text: expect.stringContaining('models') })
  await stop()
  const stopped = await call('ask', { prompt: 'Hello' })
  expect(stopped).toMatchObject({ isError: true, text: expect.stringContaining('modelport serve') })
})

test('a start without a key that works with the router says so; another one is a use of the key', async () => {
  const { run, json } = newModelport()
  await json(
    'provider',
    'add',
    'mine',
    '--type',
    'openai-compatible',
    '--base-url',
    'http://localhost:9',
  )
  await json('model', 'add', 'mine:good', ...figures)
  const named = ['--name', 'One', '--strategy', 'priority', '--models', 'mine:good']
  const [router] = await json('router', 'create', ...named)
  const routerId = String(router?.['id'])
  const [key] = await json('key', 'create', '--name', 'Assistant', '--routers', routerId)
  const start = (apiKey: string, id: string) =>
    run(['mcp', '--router', id], { env: { MODELPORT_API_KEY: apiKey } })
  const apiKey = String(key?.['key'])
  const refused = [
    ['', routerId, 'has no API key'],
    [`${apiKey}x`, routerId, 'unknown, revoked or expired'],
    [apiKey, 'router_1', 'modelport router list'],
  ] as const
  for (const [given, id, words] of refused)
    expect(await start(given, id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(words),
    })
  expect((await json('key', 'list'))[0]).toMatchObject({ lastUsedAtMs: null })

  expect(await start(apiKey, routerId)).toMatchObject({ code: 0 })
  expect((await json('key', 'list'))[0]).toMatchObject({ lastUsedAtMs: expect.any(Number) })
})

async function costByModel(call: Call): Promise<Record<string, number>> {
  const { data } = await call('spend', { by: 'model' })
  const { rows } = data as { rows: { group: string; costUsd: number }[] }
  return Object.fromEntries(rows.map(({ group, costUsd }) => [group, costUsd]))
}

function definedOnly(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
