/** Uses the packaged app as a person would: starts it, sends requests to it, quits it. */
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../setup/progress.mjs'
import { findConfinement } from './confinement.mjs'
import { dataDirOf, runCli, startApp } from './seat.mjs'

const startMs = 90_000
const quitMs = 20_000
const newKeyMs = 3_000

/** @typedef {import('./seat.mjs').Seat} Seat */
/** @typedef {{ chatUrl: string, key: string, ca: string }} Endpoint */

/**
 * @param {Seat} seat
 * @param {import('./seat.mjs').How} [how]
 * @returns {Promise<string>} what confines the page's process
 */
export async function useApp(seat, how) {
  await runCli(seat, ['settings', 'set', 'port', '0'])
  return withApp(seat, how, async ({ url, pid }) => {
    const confinement = await findConfinement(pid)
    await sendRequests(seat, url)
    return confinement
  })
}

/**
 * Uses the service like `useApp`, without a window.
 * @param {Seat} seat
 * @param {import('./seat.mjs').How} how
 * @param {() => Promise<void>} [whileItServes]
 */
export async function useService(seat, how, whileItServes) {
  await runCli(seat, ['settings', 'set', 'port', '0'])
  await withApp(seat, how, async ({ url }) => {
    await sendRequests(seat, url)
    await whileItServes?.()
  })
}

/**
 * Asks for an answer and a stream.
 * @param {Seat} seat
 * @param {string} url
 */
export async function sendRequests(seat, url) {
  const endpoint = await openEndpoint(seat, url)
  const whole = await postWithNewKey(endpoint)
  if (!/"modelUsed":"local:/.test(whole)) throw new SetupError(`No answer: ${whole.slice(0, 400)}`)
  const stream = await post(endpoint, true)
  if (!stream.endsWith('data: [DONE]\n\n')) throw new SetupError(`No stream: ${stream.slice(-400)}`)
}

/**
 * Starts the app, calls `work` once it serves, and quits it.
 * @template Result
 * @param {Seat} seat
 * @param {import('./seat.mjs').How | undefined} how
 * @param {(started: { url: string, pid: number }) => Promise<Result>} work
 */
export async function withApp(seat, how, work) {
  const endpointFile = join(dataDirOf(seat), 'endpoint.json')
  await rm(endpointFile, { force: true })
  const app = startApp(seat, how)
  try {
    const started = await readEndpoint(endpointFile, app)
    const result = await work(started)
    process.kill(started.pid, 'SIGTERM')
    const code = await Promise.race([app.ended, sleep(quitMs, 'late')])
    if (code !== 0)
      throw new SetupError(`The app did not quit: ${code}\n${app.output().slice(-800)}`)
    return result
  } finally {
    app.end()
  }
}

/**
 * @param {string} file
 * @param {import('./seat.mjs').RunningApp} app
 * @returns {Promise<{ url: string, pid: number }>}
 */
async function readEndpoint(file, app) {
  const progress = { hasEnded: false }
  void app.ended.then(() => (progress.hasEnded = true))
  const endMs = Date.now() + startMs
  while (Date.now() < endMs && !progress.hasEnded) {
    if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'))
    await sleep(100)
  }
  const state = progress.hasEnded ? 'ended at once' : `did not serve within ${startMs} ms`
  throw new SetupError(`The app ${state}.\n${app.output().slice(-2000)}`)
}

/**
 * The service accepts a key that another process created within half a second.
 * @param {Endpoint} endpoint
 * @returns {Promise<string>} the body
 */
async function postWithNewKey(endpoint) {
  const endMs = Date.now() + newKeyMs
  for (;;) {
    const body = await post(endpoint, false)
    if (!body.includes('"invalid_api_key"') || Date.now() > endMs) return body
    await sleep(100)
  }
}

/** @param {Seat} seat @param {string} url @returns {Promise<Endpoint>} */
async function openEndpoint(seat, url) {
  const create = ['key', 'create', '--name', 'check', '--routers', 'all', '--json']
  const { key } = JSON.parse(await runCli(seat, create))
  const [line = ''] = (await runCli(seat, ['router', 'list', '--json'])).split('\n')
  const chatUrl = `${url}/api/router/${JSON.parse(line).id}/v1/chat/completions`
  return { chatUrl, key, ca: await readFile(join(dataDirOf(seat), 'tls', 'ca.pem'), 'utf8') }
}

/**
 * @param {Endpoint} endpoint
 * @param {boolean} stream
 * @returns {Promise<string>} the body
 */
export function post({ chatUrl, key, ca }, stream) {
  const messages = [{ role: 'user', content: 'Hello' }]
  const body = JSON.stringify({ messages, max_tokens: 8, stream })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(chatUrl, { method: 'POST', headers, ca }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece) => (text += piece))
      answer.on('end', () => resolve(text))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
