/** Marked keys and prompts in every part of a request, of an answer and of an error: no file or output keeps them. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent, fetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { row } from '../bench/row.ts'
import { findSecret, readFolder } from '../e2e/secret-search.ts'
import { newModelport } from '../test/command-line/modelport.ts'
import { errorReply, startFakeProvider, type FakeModel } from '../test/fake-provider.ts'
import { amount, expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'

const requests = amount({ quick: 40, full: 1_000 })
const figures = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '2', '--context', '8000']

function newCanary(): string {
  return `cn${randomBytes(24).toString('hex')}ry`
}

/** Answers and errors that repeat the key and the prompt, as some servers do. */
function scripts(echoed: string): Record<string, FakeModel> {
  return {
    fine: { text: `You said ${echoed}` },
    failing: { reply: errorReply(500, { message: echoed }) },
    refusing: { reply: errorReply(400, { message: echoed }) },
    broken: { text: echoed, chunks: 4, fault: { kind: 'reset', afterEvents: 3 } },
    invalid: { reply: { status: 200, headers: { 'content-type': 'text/html' }, body: echoed } },
  }
}

test(
  'no file and no output of the service contains a provider key, an API key or a prompt',
  { timeout: tortureTimeoutMs },
  async () => {
    const canaries = { prompt: newCanary(), answer: newCanary(), providerKey: newCanary() }
    const echoed = Object.values(canaries).join(' ')
    const fake = await startFakeProvider({ tls: false, models: scripts(echoed) })
    onTestFinished(() => fake.close())
    const modelport = newModelport()
    const { json, dataDir } = modelport
    await json('provider', 'add', 'mine', '--type', 'openai-compatible', '--base-url', fake.url)
    const models = Object.keys(scripts('')).map((name) => `mine:${name}`)
    for (const model of models) await json('model', 'add', model, ...figures)
    const named = ['--name', 'Mine', '--strategy', 'priority', '--models', models.join(',')]
    const [router] = await json('router', 'create', ...named, '--tier', 'enterprise')
    const [created] = await json('key', 'create', '--name', 'Test', '--routers', 'all')
    const apiKey = String(created?.['key'])
    const env = { MODELPORT_KEY_MINE: canaries.providerKey }
    const service = await modelport.serve({ env })
    const dispatcher = new Agent({ connect: { ca: await readFile(service.caFile, 'utf8') } })
    onTestFinished(() => dispatcher.destroy())

    const statuses = new Map<number, number>()
    for (let nth = 0; nth < requests; nth += 1) {
      const answer = await fetch(
        `${service.url}/api/router/${String(router?.['id'])}/v1/chat/completions`,
        {
          method: 'POST',
          dispatcher,
          headers: {
            authorization: nth % 7 === 0 ? `Bearer ${apiKey}x` : `Bearer ${apiKey}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({
            model: nth % 11 === 0 ? canaries.prompt : models[nth % models.length],
            stream: nth % 2 === 0,
            user: canaries.prompt,
            ...(nth % 13 === 0 && { temperature: canaries.prompt }),
            messages: [{ role: 'user', content: `${canaries.prompt} ${nth}` }],
          }),
        },
      )
      await answer.text()
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    }
    expect(
      fake.requests.some(({ headers }) => headers.authorization?.includes(canaries.providerKey)),
    ).toBe(true)
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 503]))

    // While it runs, with its write-ahead log, and after it has ended.
    const found = [...(await search(dataDir, { ...canaries, apiKey }))]
    service.child.kill('SIGTERM')
    const { stdout, stderr } = await service.exited
    found.push(...(await search(dataDir, { ...canaries, apiKey })))
    for (const [name, canary] of Object.entries({ ...canaries, apiKey })) {
      if (findSecret(Buffer.from(stdout + stderr), canary).length > 0)
        found.push(`${name} in output`)
    }
    expect(found).toEqual([])
    expectMeasured([
      row('requests with canaries', [requests, ''], { target: { atLeast: requests } }),
      row('places that keep one', [found.length, ''], { target: { atMost: 0 } }),
    ])
  },
)

/** @returns each canary with the file that contains it */
async function search(
  dataDir: string,
  canaries: Readonly<Record<string, string>>,
): Promise<string[]> {
  const files = await readFolder(dataDir)
  expect([...files.keys()]).toEqual(
    expect.arrayContaining([expect.stringContaining('modelport.db')]),
  )
  return [...files].flatMap(([file, bytes]) =>
    Object.entries(canaries).flatMap(([name, canary]) =>
      findSecret(bytes, canary).length > 0 ? [`${name} in ${join(file)}`] : [],
    ),
  )
}
