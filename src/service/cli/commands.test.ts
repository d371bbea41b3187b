import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'

const model = 'local:smollm2-135m-instruct'
const createRouter = ['router', 'create', '--name', 'Mine', '--strategy', 'priority']

test('creates, shows, changes and deletes a router', async () => {
  const { run, json } = newModelport()
  const created = await run([...createRouter, '--models', model])
  expect(created.code).toBe(0)
  expect(created.stdout).toMatch(/^\{"id":"router_[0-9A-Za-z]{16}"\}\n$/)
  const { id } = JSON.parse(created.stdout)
  const [updated] = await json('router', 'update', id, '--tier', 'enterprise', '--daily-limit', '7')
  expect(updated).toMatchObject({ name: 'Mine', tier: 'enterprise', dailyLimit: 7 })
  const [unlimited] = await json('router', 'update', id, '--daily-limit', 'none')
  expect(unlimited).toMatchObject({ tier: 'enterprise', dailyLimit: null })
  // Leaving the enterprise tier resets its limit.
  const [free] = await json('router', 'update', id, '--tier', 'free')
  expect(free).toMatchObject({ tier: 'free', dailyLimit: null, models: [model] })
  expect(await json('router', 'show', id)).toEqual([free])
  await json('router', 'delete', id)
  expect(await run(['router', 'show', id])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `modelport: There is no router ${id}.\n`,
  })
})

test('switches the cache of a router on and off, and keeps it otherwise', async () => {
  const { run, json } = newModelport()
  const create = [...createRouter, '--models', model, '--cache-ttl', '3600']
  const { id } = JSON.parse((await run(create)).stdout)
  const [renamed] = await json('router', 'update', id, '--name', 'Repeated')
  expect(renamed).toMatchObject({ name: 'Repeated', cacheTtlSeconds: 3600 })
  expect((await run(['router', 'show', id])).stdout).toMatch(/CACHE +3600 s/)
  const [off] = await json('router', 'update', id, '--cache-ttl', 'off')
  expect(off).toMatchObject({ cacheTtlSeconds: null })
  for (const wrong of ['0', '86401', 'on'])
    expect((await run(['router', 'update', id, '--cache-ttl', wrong])).code).toBe(2)
})

test('shows which requests were answered from the cache', async () => {
  const { run, dataDir } = newModelport()
  const storage = await openStorage({ dataDir })
  await storage.ledger.append(sampleRecord({ cachedFrom: 'request-0' }), sampleDetail())
  await storage.close()
  const { stdout } = await run(['requests'])
  expect(stdout).toMatch(/CACHE +ERROR\n/)
  expect(stdout).toMatch(/ hit +–\n$/)
})

test('sets and resets a router’s time limits individually', async () => {
  const { run, json } = newModelport()
  const { stdout } = await run([...createRouter, '--models', model, '--first-token-ms', '9000'])
  const { id } = JSON.parse(stdout)
  const update = (...options: string[]) => json('router', 'update', id, ...options)
  const both = { firstTokenMs: 9_000, totalMs: 60_000 }
  expect(await update('--total-ms', '60000')).toMatchObject([{ timeLimits: both }])
  expect((await run(['router', 'show', id])).stdout).toMatch(
    /TIME LIMITS +firstTokenMs 9000 totalMs 60000\n/,
  )
  const [taken] = await update('--first-token-ms', 'default')
  expect(taken?.['timeLimits']).toEqual({ totalMs: 60_000 })
  expect(await run(['router', 'update', id, '--connect-ms', '5'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--connect-ms.*Enter 0\.1 to 60 seconds/),
  })
})

test('sets and removes a router’s hedge', async () => {
  const { run, json } = newModelport()
  const { stdout } = await run([...createRouter, '--models', model, '--hedge', 'auto'])
  const { id } = JSON.parse(stdout)
  const update = (...options: string[]) => json('router', 'update', id, ...options)
  expect(await update('--hedge-max-extra-percent', '2')).toMatchObject([
    { hedge: { afterMs: 'auto', maxExtraPercent: 2 } },
  ])
  expect((await run(['router', 'show', id])).stdout).toMatch(/HEDGE +auto, 2 %\n/)
  expect(await update('--hedge', '1500')).toMatchObject([
    { hedge: { afterMs: 1_500, maxExtraPercent: 2 } },
  ])
  expect(await update('--hedge', 'off')).toMatchObject([{ hedge: null }])
  expect(await run(['router', 'update', id, '--hedge-max-extra-percent', '2'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs --hedge'),
  })
})

test('sets and removes a router’s budget and burst limit', async () => {
  const { run, json } = newModelport()
  const limits = ['--budget-usd-per-day', '0.25', '--requests-per-minute', '60']
  const [created] = await json(...createRouter, '--models', model, ...limits)
  const id = String(created?.['id'])
  const none = { requestsPerMinute: null, budgetUsdPerDay: null, budgetUsdPerMonth: null }

  expect(await json('router', 'show', id)).toMatchObject([
    { requestsPerMinute: 60, budgetUsdPerDay: 0.25, budgetUsdPerMonth: null },
  ])
  const [updated] = await json('router', 'update', id, '--budget-usd-per-month', '5')
  expect(updated).toMatchObject({ budgetUsdPerDay: 0.25, budgetUsdPerMonth: 5 })
  const { stdout } = await run(['router', 'list'])
  expect(stdout).toMatch(/ +PER MINUTE +BUDGET /)
  expect(stdout).toMatch(/ 60 +\$0\.25 per day, \$5\.00 per month /)
  const off = ['--requests-per-minute', 'none', '--budget-usd-per-day', 'none']
  const [cleared] = await json('router', 'update', id, ...off, '--budget-usd-per-month', 'none')
  expect(cleared).toMatchObject({ name: 'Mine', models: [model], ...none })
})

test('gives a key a budget that its successor keeps', async () => {
  const { run, json } = newModelport()
  const budget = ['--budget-usd-per-day', '2', '--budget-usd-per-month', '20']
  const [made] = await json('key', 'create', '--name', 'A', '--routers', 'all', ...budget)
  await json('key', 'rotate', String(made?.['id']))

  const keys = await json('key', 'list')
  expect(keys).toHaveLength(2)
  expect(new Set(keys.map((key) => key['budgetUsdPerDay']))).toEqual(new Set([2]))
  expect(new Set(keys.map((key) => key['budgetUsdPerMonth']))).toEqual(new Set([20]))
  expect((await run(['key', 'list'])).stdout).toMatch(
    / \$2\.00 per day, \$20\.00 per month +active/,
  )
})

test('shows a new key once and stores it in no file', async () => {
  const { run, json, dataDir } = newModelport()
  const created = await run(['key', 'create', '--name', 'Laptop', '--routers', 'all', '--json'])
  const { id, key } = JSON.parse(created.stdout)
  expect(key).toMatch(/^mp_[0-9A-Za-z]{36}$/)
  expect(created.stderr).toBe('')
  const [listed] = await json('key', 'list')
  expect(listed).toMatchObject({ id, name: 'Laptop', environment: 'dev', routers: 'all' })
  const isKept = filesUnder(dataDir).filter((file) => readFileSync(file).includes(key))
  expect(isKept).toEqual([])
})

test.each(['create', 'rotate'])(
  'where a new key is shown, it advises to keep it safe: %s',
  async (how) => {
    const { run, json } = newModelport()
    const create = ['key', 'create', '--name', 'Laptop', '--routers', 'all']
    const [created] = how === 'rotate' ? await json(...create) : []

    const shown = await run(how === 'rotate' ? ['key', 'rotate', String(created?.['id'])] : create)

    expect(shown.stderr).toContain('keep it out of version control')
  },
)

test('sets a key’s switches, and keeps them otherwise', async () => {
  const { json } = newModelport()
  const create = ['key', 'create', '--routers', 'all', '--name']
  await json(...create, 'plain')
  await json(...create, 'set', '--explain', '--no-keep-alive', '--accept-any-model', '--metrics')
  const [plain, set] = await json('key', 'list')
  const switches = { explain: false, keepAlive: true, acceptAnyModel: false, metrics: false }
  expect(plain).toMatchObject(switches)
  expect(set).toMatchObject({
    explain: true,
    keepAlive: false,
    acceptAnyModel: true,
    metrics: true,
  })
})

test('revokes and rotates keys', async () => {
  const { run, json } = newModelport()
  const [created] = await json('key', 'create', '--name', 'A', '--routers', 'all', '--env', 'prod')
  const id = String(created?.['id'])
  const [rotated] = await json('key', 'rotate', id, '--grace', '1h')
  expect(rotated).toEqual({ id: expect.not.stringMatching(id), key: expect.any(String) })
  await json('key', 'revoke', String(rotated?.['id']))
  const keys = await json('key', 'list')
  expect(keys.map(({ name, environment }) => [name, environment])).toEqual([
    ['A', 'prod'],
    ['A', 'prod'],
  ])
  const table = (await run(['key', 'list'])).stdout
  expect(table).toMatch(/^ID +NAME +KEY +FOR +ROUTERS +BUDGET +STATE +LAST USED\n/)
  expect(table).toMatch(/active +never/)
  expect(table).toMatch(/revoked +never/)
})

test('stores a model’s figures and lists them as the user’s', async () => {
  const { json } = newModelport()
  const server = ['--type', 'openai-compatible', '--base-url', 'http://127.0.0.1:9/v1']
  await json('provider', 'add', 'mine', ...server)
  const figures = ['--input-usd-per-mtok', '0.0375', '--output-usd-per-mtok', '0.15']
  const more = ['--context', '128000', '--capabilities', 'tools,json', '--quality', '0.7']
  await json('model', 'add', 'mine:large', ...figures, ...more)
  const models = await json('model', 'list', '--provider', 'mine')
  expect(models).toEqual([
    expect.objectContaining({
      id: 'mine:large',
      inputUsdPerMtok: 0.0375,
      outputUsdPerMtok: 0.15,
      contextTokens: 128_000,
      capabilities: ['tools', 'json'],
      quality: 0.7,
      priceSource: { kind: 'user' },
    }),
  ])
})

test('stores which parameters a model refuses, or none', async () => {
  const { json } = newModelport()
  const server = ['--type', 'openai-compatible', '--base-url', 'http://127.0.0.1:9/v1']
  await json('provider', 'add', 'mine', ...server)
  const figures = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '1', '--context', '128000']
  const refusesOf = async (...refuses: string[]) => {
    const [saved] = await json('model', 'add', 'mine:large', ...figures, ...refuses)
    return saved
  }
  expect(await refusesOf('--refuses', 'top_p, seed')).toMatchObject({
    parameters: { refuses: ['top_p', 'seed'] },
  })
  expect(await refusesOf('--refuses', 'none')).toMatchObject({ parameters: { refuses: [] } })
})

test('sets a setting from JSON or a word', async () => {
  const { json } = newModelport()
  expect(await json('settings', 'set', 'theme', 'dark')).toEqual([{ name: 'theme', value: 'dark' }])
  await json('settings', 'set', 'allowedOrigins', '["https://a.example"]')
  const all = await json('settings', 'get')
  expect(all).toContainEqual({ name: 'theme', value: 'dark' })
  expect(all).toContainEqual({ name: 'allowedOrigins', value: ['https://a.example'] })
  expect(await json('settings', 'get', 'port')).toEqual([{ name: 'port', value: 6778 }])
})

test('lists requests and their totals', async () => {
  const { run, json, dataDir } = newModelport()
  const storage = await openStorage({ dataDir })
  const startedAtMs = Date.UTC(2026, 10, 21)
  await storage.ledger.append(
    sampleRecord({ id: 'old', startedAtMs: startedAtMs - 1 }),
    sampleDetail(),
  )
  await storage.ledger.append(sampleRecord({ id: 'new', startedAtMs }), sampleDetail())
  await storage.close()
  expect(await json('requests', '--limit', '1')).toEqual([sampleRecord({ id: 'new', startedAtMs })])
  const [day] = await json('usage', '--since', '2026-11-21', '--group', 'day')
  expect(day).toMatchObject({ group: '2026-11-21', requests: 1, costUsd: 1.5e-6 })
  const { stdout } = await run(['usage', '--group', 'model'])
  expect(stdout).toMatch(/^MODEL +REQUESTS/)
  expect(stdout).toMatch(/\nopenai:gpt-5 +2 +0 +20 +0 +0 +40 +0 +0\.000003 +0\.500 +\d+ +\d+\n$/)
})

test('shows one request, and its content if it is logged', async () => {
  const { run, json, dataDir } = newModelport()
  const { id: routerId } = JSON.parse(
    (await run([...createRouter, '--models', model, '--log-content', '7'])).stdout,
  )
  const storage = await openStorage({ dataDir })
  const record = sampleRecord({ id: 'request-1', routerId })
  const counted = { ...sampleDetail().tokens, cacheRead: 7, cacheWrite: 3 }
  await storage.ledger.append(record, { ...sampleDetail(), tokens: counted })
  const estimate = { estimatedPromptTokens: 12, estimatedCompletionTokens: 34 }
  const unreported = { reportedPromptTokens: null, reportedCompletionTokens: null, ...estimate }
  await storage.ledger.append(sampleRecord({ id: 'request-2', ...unreported }), sampleDetail())
  const content = {
    requestId: 'request-1',
    routerId,
    startedAtMs: record.startedAtMs,
    request: '{"messages":[{"role":"user","content":"Hello"}]}',
    isRequestCut: false,
    answer: '{"model":"openai:gpt-5","choi',
    isAnswerCut: true,
  }
  await storage.contents.save(content)
  await storage.close()

  const { client } = sampleDetail()
  expect(await json('requests', 'show', 'request-1')).toEqual([
    { ...record, client, tokens: counted },
  ])
  const shown = await run(['requests', 'show', 'request-1'])
  expect(shown.stdout).toMatch(
    /PROMPT TOKENS +10\nOUTPUT TOKENS +20\nCACHE READ +7\nCACHE WRITE +3\nCLIENT +OpenAI.JS 7\.55\.0\n$/,
  )
  const estimated = await run(['requests', 'show', 'request-2'])
  expect(estimated.stdout).toMatch(/PROMPT TOKENS +12\nOUTPUT TOKENS +34\n/)
  expect(await json('requests', 'show', 'request-1', '--content')).toEqual([content])
  const { stdout } = await run(['requests', 'show', 'request-1', '--content'])
  expect(stdout).toContain('Request:\n{\n  "messages": [\n')
  expect(stdout).toContain('Answer (cut):\n{"model":"openai:gpt-5","choi\n')
  await json('router', 'update', routerId, '--log-content', 'off')
  const gone = await run(['requests', 'show', 'request-1', '--content'])
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('--log-content DAYS') })
  expect(await run(['requests', 'show', 'nothing'])).toMatchObject({
    code: 1,
    stderr: 'modelport: There is no request nothing.\n',
  })
})

test.each([
  [['nonsense']],
  [[]],
  [['router', 'create', '--name', 'Mine']],
  [[...createRouter, '--models', 'a:b', '--tier', 'gold']],
  [[...createRouter, '--models', 'not-a-model']],
  [[...createRouter, '--models', model, '--budget-usd-per-day', '-1']],
  [[...createRouter, '--models', model, '--budget-usd-per-month', '0.0000000001']],
  [[...createRouter, '--models', model, '--requests-per-minute', '0']],
  [['key', 'create', '--name', 'A', '--routers', 'all', '--budget-usd-per-day', 'much']],
  [['key', 'create', '--name', 'A', '--routers', 'all', '--expires', 'tomorrow']],
  [['provider', 'add', 'x', '--type', 'openai', '--key', 'sk-secret']],
  [['provider', 'add', 'x', '--type', 'openai', '--key-env', 'NOT_SET']],
  [['provider', 'add', 'x', '--type', 'openai', '--key-stdin']],
  [['settings', 'set', 'port', 'many']],
  [['serve', '--port', '70000']],
])('refuses %j as invalid usage', async (args) => {
  const { code, stdout, stderr } = await newModelport().run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).not.toBe('')
  expect(stderr).not.toContain('sk-secret')
})

test('prints its help on request', async () => {
  const { code, stdout } = await newModelport().run(['serve', '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('Usage: modelport serve')
})

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

test('--version prints the version, and stays an option of the commands that have one', async () => {
  const { run } = newModelport()
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

  expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` })
  const shown = await run(['agent', 'show', 'no-such-agent', '--version', '2'])
  expect(shown).toMatchObject({ code: 1, stdout: '' })
})
