/**
 * Attacks that succeeded against similar programs, and that no other test here covers. docs/reliability.md lists all of
 * them with their tests.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestService } from '../test-service.ts'

const root = join(import.meta.dirname, '../..')
const streamed = { messages: [{ role: 'user', content: 'Hello' }], stream: true }

/** Addresses from the tables of docs/api.md, which a test compares with the program. */
function documentedAddresses(routerId: string): { method: string; path: string }[] {
  const docs = readFileSync(join(root, 'docs/api.md'), 'utf8')
  const rows = [...docs.matchAll(/^\| `?(GET|POST)`? +\| `([^`]+)`/gm)]
  return rows.map(([, method = '', path = '']) => ({
    method,
    path: path.replace('{router_id}', routerId).replaceAll(/\{\w+\}/g, 'x'),
  }))
}

test('every address but the health checks needs a key', async () => {
  const { origin, routerId, get } = await startTestService()
  const addresses = documentedAddresses(routerId)
  expect(addresses.length).toBeGreaterThan(8)

  const open: string[] = []
  for (const { method, path } of addresses) {
    const answer = await get(`${origin}${path}`, {
      method,
      headers: { authorization: '', 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(streamed) }),
    })
    await answer.text()
    if (answer.status !== 401) open.push(`${method} ${path}: ${answer.status}`)
  }

  expect(open).toEqual(['GET /healthz: 204', 'GET /readyz: 204'])
})

/** Each resembles https://app.example.com to a careless comparison. */
const similarOrigins = [
  'https://app.example.com.evil.test',
  'https://app.example.comevil.test',
  'https://evil.test/?https://app.example.com',
  'https://evil.test#https://app.example.com',
  'https://appXexample.com',
  'https://sub.app.example.com',
  'http://app.example.com',
  'https://app.example.com:8443',
  'https://app.example.com,https://evil.test',
  'https://app.example.com.',
  'null',
  '*',
]

test('an origin that resembles an allowed one is refused', async () => {
  const { service, post } = await startTestService()
  await service.dashboard.setSetting('allowedOrigins', ['https://app.example.com'])
  const ask = async (origin: string) => {
    const { status, headers } = await post('v1/chat/completions', streamed, { headers: { origin } })
    return { status, allowed: headers.get('access-control-allow-origin') }
  }

  expect(await ask('https://app.example.com')).toMatchObject({ status: 200 })
  for (const origin of similarOrigins) {
    expect({ origin, ...(await ask(origin)) }).toEqual({ origin, status: 403, allowed: null })
  }
})

test('text with line ends cannot add events or fields to a stream', async () => {
  const text =
    'a\n\ndata: {"forged":1}\n\nevent: execute\r\rid: 7\r\n\r\n: b\u2028\u2029\n\ndata: [DONE]\n\n'
  const { post } = await startTestService({ models: { evil: { text, chunks: 3 } } })

  const answer = await post('v1/chat/completions', streamed)
  const lines = (await answer.text()).split(/\r\n|\n|\r/)
  const events = lines.filter((line) => line !== '').map((line) => line.slice('data: '.length))

  expect(lines.every((line) => line === '' || line.startsWith('data: '))).toBe(true)
  expect(events.at(-1)).toBe('[DONE]')
  const chunks = events.slice(0, -1).map((data) => JSON.parse(data) as Chunk)
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(text)
})

interface Chunk {
  choices: { delta: { content?: string } }[]
}

test('the event names of an upstream do not reach the caller', async () => {
  const delta = (content: string) =>
    JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
  const finish = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  const body = [
    `event: execute\nid: 7\nretry: 1\ndata: ${delta('one')}`,
    `event: message\ndata: ${delta(' two')}`,
    `data: ${finish}`,
    'data: [DONE]',
    '',
  ].join('\n\n')
  const headers = { 'content-type': 'text/event-stream' }
  const { post } = await startTestService({
    models: { evil: { reply: { status: 200, headers, body } } },
  })

  const text = await (await post('v1/chat/completions', streamed)).text()

  expect(text).not.toMatch(/^(event|id|retry):/m)
  expect(text).toContain('"content":"one"')
  expect(text).toContain('"content":" two"')
})

test('only packages that were reviewed run a script when they are installed', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    allowScripts: Record<string, boolean>
  }
  const withScripts = Object.entries(lock.packages).filter(
    ([, { hasInstallScript }]) => hasInstallScript,
  )

  // npm runs those of `allowScripts`; the others only print, or compile what is shipped compiled.
  expect(withScripts.map(([name]) => name).toSorted()).toEqual([
    'node_modules/keytar',
    'node_modules/node',
    'node_modules/node-llama-cpp',
    'node_modules/protobufjs',
  ])
  expect(manifest.allowScripts).toEqual({ keytar: true, node: true })
})
