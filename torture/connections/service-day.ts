/**
 * A day of the real service with every default: the first start, requests to the built-in model, lists and figures, and all
 * that the clock does. With 0 hours it ends after the first answers, and says what cannot be done. Prints a line of JSON. Runs in the network of record.py.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'

const [hoursText = '24'] = process.argv.slice(2)
const binary = join(import.meta.dirname, '../../bin/modelport.mjs')
const dataDir = mkdtempSync(join(tmpdir(), 'modelport-day-'))
const clockFile = join(dataDir, 'fast-clock')
const env = {
  PATH: process.env['PATH'],
  HOME: dataDir,
  // The weights of the built-in model, which a user downloads once.
  XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  DBUS_SESSION_BUS_ADDRESS: 'disabled:',
}

function run(...args: string[]): { code: number | null; text: string } {
  const all = [binary, ...args, '--data-dir', dataDir]
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { env, encoding: 'utf8' })
  return { code: status, text: `${stdout}${stderr}`.trim() }
}

const clock = pathToFileURL(join(import.meta.dirname, 'fast-clock.mjs')).href
const server = spawn(
  process.execPath,
  ['--import', clock, binary, 'serve', '--port', '0', '--data-dir', dataDir],
  { env: { ...env, MODELPORT_FAST_CLOCK: clockFile }, stdio: ['ignore', 'pipe', 'inherit'] },
)
const url = await new Promise<string>((resolve) => {
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    const found = /https:\/\/localhost:\d+/.exec(text)?.[0]
    if (found !== undefined) resolve(found)
  })
})
const firstOf = (text: string) => text.split('\n')[0] ?? ''
const router = z
  .object({ id: z.string() })
  .parse(JSON.parse(firstOf(run('router', 'list', '--json').text)))
const created = run('key', 'create', '--name', 'day', '--routers', 'all', '--json').text
const { key } = z.object({ key: z.string() }).parse(JSON.parse(firstOf(created)))
const ca = readFileSync(join(dataDir, 'tls', 'ca.pem'))

/** @returns the status and the answer's text */
function ask(path: string, body?: object): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request(`${url}${path}`, { ca, headers, method }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const chat = `/api/router/${router.id}/chat/completions`
const messages = [{ role: 'user', content: 'Name a colour.' }]
const answers = []
for (let nth = 0; nth < 3; nth += 1) answers.push(await ask(chat, { messages, max_tokens: 8 }))
const hours = Number(hoursText)
// Without a route, what a user asks for says that it needs one. A day with every default asks for none.
const told =
  hours > 0
    ? null
    : {
        catalog: run('catalog', 'refresh', '--yes').text,
        download: run('local', 'download', 'gemma-3-270m-it').text,
      }
if (hours > 0) {
  writeFileSync(clockFile, '')
  const endsAtMs = performance.now() + (hours * 3_600_000) / 480
  while (performance.now() < endsAtMs) {
    await ask(`/api/router/${router.id}/models`)
    await sleep(2_000)
  }
}
server.kill('SIGTERM')
const code = await new Promise((resolve) => server.once('exit', resolve))
const backups = run('doctor').text
process.stdout.write(
  `${JSON.stringify({ statuses: answers.map(({ status }) => status), told, hours, code, backups })}\n`,
)
