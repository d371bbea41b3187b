import { sampleConversation, sampleMessage } from '../../../test/sample-conversations.ts'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport, vaultKey as env } from '../../../test/command-line/modelport.ts'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'

type Modelport = ReturnType<typeof newModelport>

/** A folder with something in every store. */
async function filled(): Promise<Modelport & { secrets: string[] }> {
  const modelport = newModelport()
  const { run, json, dataDir } = modelport
  const add = ['provider', 'add', 'mine', '--type', 'openai-compatible', '--key-stdin']
  const address = ['--base-url', 'https://mine.test/v1?api-key=canary-in-the-query']
  await run([...add, ...address], { env, stdin: 'sk-canary-of-the-provider\n' })
  const prices = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '2', '--context', '1000']
  await json('model', 'add', 'mine:large', ...prices)
  const dated = [
    '--from',
    '2026-11-01',
    '--input-usd-per-mtok',
    '1.5',
    '--output-usd-per-mtok',
    '2',
  ]
  await json('model', 'price', 'mine:large', ...dated)
  const create = ['router', 'create', '--name', 'Mine', '--strategy', 'priority']
  const limits = ['--budget-usd-per-month', '12.5', '--requests-per-minute', '30']
  limits.push('--cache-ttl', '60', '--total-ms', '5000')
  await json(...create, '--models', 'mine:large,local:smollm2-135m-instruct', ...limits)
  await json('settings', 'set', 'theme', 'dark')
  await json('settings', 'set', 'localModelFile', '/home/canary/model.gguf')
  const [created] = await json('key', 'create', '--name', 'canary key name', '--routers', 'all')
  const { configuration, ledger, conversations, close } = await openStorage({ dataDir })
  const [apiKey] = (await configuration.read()).apiKeys
  await ledger.append(sampleRecord({ id: 'canary-request' }), sampleDetail())
  await conversations.save(sampleConversation({ title: 'canary title' }))
  await conversations.saveMessage('c', sampleMessage({ text: 'canary prompt' }))
  await close()
  const secrets = [created?.['key'], created?.['id'], apiKey?.sha256, apiKey?.hint].map(String)
  return { ...modelport, secrets: [...secrets, 'canary', env.MODELPORT_VAULT_KEY] }
}

test('writes the configuration without keys, hashes, prompts or paths', async () => {
  const { run, secrets } = await filled()
  const file = join(temporaryFolder(), 'configuration.json')
  const ran = await run(['export', file], { env })
  expect(ran).toMatchObject({
    code: 0,
    stdout: `Wrote ${file} (providers: 2, models: 1, routers: 2, agents: 0).\n`,
  })
  const text = readFileSync(file, 'utf8')
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  expect(JSON.parse(text)).toMatchObject({
    format: 'modelport-export',
    formatVersion: 1,
    providers: [{ id: 'local' }, { id: 'mine', baseUrl: 'https://mine.test/v1' }],
    models: [{ id: 'mine:large', inputUsdPerMtok: 1 }],
    prices: [{ modelId: 'mine:large', fromMs: Date.UTC(2026, 10), inputUsdPerMtok: 1.5 }],
    routers: [
      {
        name: 'Local',
        cacheTtlSeconds: null,
        requestsPerMinute: null,
        budgetUsdPerDay: null,
        budgetUsdPerMonth: null,
      },
      {
        name: 'Mine',
        strategy: 'priority',
        cacheTtlSeconds: 60,
        timeLimits: { totalMs: 5_000 },
        requestsPerMinute: 30,
        budgetUsdPerMonth: 12.5,
      },
    ],
    settings: { theme: 'dark' },
  })
})

test('writes a file from which import creates the same configuration elsewhere', async () => {
  const here = await filled()
  const file = join(temporaryFolder(), 'configuration.json')
  await here.run(['export', file], { env })
  const elsewhere = newModelport()
  await elsewhere.json('import', file, '--yes', '--replace')
  expect(await elsewhere.json('export', '-')).toEqual([JSON.parse(readFileSync(file, 'utf8'))])
})

test('overwrites an existing file only with --force', async () => {
  const { run } = newModelport()
  const file = join(temporaryFolder(), 'configuration.json')
  writeFileSync(file, 'mine')
  expect(await run(['export', file])).toMatchObject({ code: 1, stdout: '' })
  expect(readFileSync(file, 'utf8')).toBe('mine')
  expect((await run(['export', file, '--force'])).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('modelport-export')
})

test('writes nothing into the data folder', async () => {
  const { run, dataDir } = newModelport()
  const file = join(dataDir, 'configuration.json')
  expect((await run(['export', file])).code).toBe(2)
  expect(existsSync(file)).toBe(false)
})

test.skipIf(process.platform === 'win32')('makes a file for its owner only', async () => {
  const file = join(temporaryFolder(), 'configuration.json')
  await newModelport().run(['export', file])
  expect(statSync(file).mode & 0o077).toBe(0)
})
