/**
 * Runs in a copy of the tree with all additions: the new provider answers at the new endpoint through a router with the
 * new strategy, and the row has the new column. Prints what it saw as JSON.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import Sqlite from 'better-sqlite3'
import { runCommandLine } from '../../../../src/service/cli/command-line.ts'
import { openApiDocument } from '../../../../src/service/http/openapi/document.ts'
import {
  capabilitiesLost,
  publishedTypes,
} from '../../../../src/service/provider-types/provider-types.ts'
import { pages } from '../../../../src/shared/app/pages.ts'
import { routerFields } from '../../../../src/shared/routers/router-fields.ts'
import { strategyProfiles } from '../../../../src/shared/routers/strategies.ts'

const [, , dataDir = ''] = process.argv
/** The strategy that no type of this tree names. */
const strategy = 'alphabetical' as never

function start(args: readonly string[]): { code: Promise<number>; stdout: Readable } {
  const written: Buffer[] = []
  const stdout = new Readable({ read: () => undefined })
  const sink = (keep: (chunk: Buffer) => void) =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        keep(chunk)
        done()
      },
    })
  const code = runCommandLine([...args, '--data-dir', dataDir], {
    env: { HOME: dataDir, PATH: process.env['PATH'] },
    stdin: Readable.from([]),
    stdout: sink((chunk) => stdout.push(chunk)),
    stderr: sink((chunk) => written.push(chunk)),
  }).then((result) => {
    stdout.push(null)
    if (result !== 0) throw new Error(`${args.join(' ')}: ${Buffer.concat(written).toString()}`)
    return result
  })
  return { code, stdout }
}

async function run(...args: readonly string[]): Promise<string> {
  const { code, stdout } = start(args)
  const chunks: Buffer[] = []
  stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  await code
  return Buffer.concat(chunks).toString().trim()
}

/** @returns the id of a router, the text of a key */
async function create(thing: 'router' | 'key', ...options: readonly string[]): Promise<string> {
  const printed = await run(thing, 'create', '--name', 'one', ...options, '--json')
  // Test boundary: with --json, a command prints one object.
  const { id, key: text = id } = JSON.parse(printed) as { id: string; key?: string }
  return text
}

const upstream = createServer((request, response) => {
  request.on('data', (bytes: Buffer) => response.end(bytes))
})
upstream.listen(0, '127.0.0.1')
await once(upstream, 'listening')
const listening = upstream.address()
const port = typeof listening === 'object' ? listening?.port : undefined

await run('provider', 'add', 'acme', '--type', 'acme', '--base-url', `http://127.0.0.1:${port}`)
for (const name of ['acme:two', 'acme:one'])
  await run('model', 'add', name, '--input-usd-per-mtok', '1', '--output-usd-per-mtok', '1')
const models = ['--models', 'acme:two,acme:one']
const router = await create('router', ...models, '--strategy', strategy)
const key = await create('key', '--routers', 'all')
await run('settings', 'set', 'motto', 'Onward')
const motto = await run('settings', 'get', 'motto')

const serving = start(['serve', '--port', '0', '--http-port', '0'])
const printed: unknown = await once(serving.stdout, 'data')
// Test boundary: `serve` prints one object.
const { httpUrl } = JSON.parse(String(printed)) as { httpUrl: string }
const response = await fetch(`${httpUrl}/api/router/${router}/v1/dialogues`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'Hello' }] }),
})
const answer: unknown = await response.json()
process.kill(process.pid, 'SIGTERM')
await serving.code
upstream.close()
const db = new Sqlite(path.join(dataDir, 'modelport.db'), { readonly: true })

process.stdout.write(
  JSON.stringify({
    answer,
    motto: motto.includes('Onward'),
    row: db.prepare('SELECT model_used, router_decision, region FROM requests').get(),
    isDownloaded: publishedTypes().includes('compatible'),
    lost: capabilitiesLost({ type: 'acme', options: {} }, 'one'),
    profile: strategyProfiles[strategy],
    offersExploration: routerFields['routing.explorationShare'].isUsed({
      strategy,
      tier: 'pro',
      hasBudget: false,
    }),
    isDescribed: JSON.stringify(openApiDocument('http://x')).includes('"/v1/dialogues"'),
    titles: pages.map(({ title }) => title),
  }),
)
