/** An app under test with its feed and its data, and what the checks of updates do and compare. */
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import Sqlite from 'better-sqlite3'
import { writeFeed } from '../../packaging/update-feed.mjs'
import type { UpdatePhase, UpdatesState } from '../../src/shared/app/updates.ts'
import { SetupError } from '../setup/progress.mjs'
import { runCommand } from '../setup/run-command.mjs'
import { DrivenApp } from './driven-app.ts'
import type { StaticFeed } from './static-feed.ts'

export const oldVersion = '0.2.0'
export const newVersion = '0.3.0'

/** What a database holds of the requests. */
export interface Ledger {
  requests: number
  costNanoUsd: number
}

export interface Stage {
  feedDir: string
  feed: StaticFeed
  appImage: string
  /** Folder of the apps. */
  appsDir: string
  /** What it mounts as version 0.2.0. */
  oldDir: string
  home: string
  dataDir: string
  packageFile: string
  privateKey: string
  app: DrivenApp
  providerUrl: string
}

interface AppOptions {
  home: string
  /** Name of the data folder. */
  name: string
  executable: string
}

/** An app with a data folder of its own, which has not started. */
export async function openApp(options: AppOptions): Promise<Pick<Stage, 'app' | 'dataDir'>> {
  const { home, name, executable } = options
  const dataDir = join(home, name)
  await runCommand({ command: 'install', args: ['-d', '-o', 'nobody', '-m', '700', dataDir] })
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    MODELPORT_DATA_DIR: dataDir,
  }
  return { app: new DrivenApp({ executable, home, env }), dataDir }
}

export async function startWithData(stage: Stage): Promise<string> {
  const { app, feed, providerUrl } = stage
  const { version } = await app.start()
  expect('the version', version, oldVersion)
  await app.run(`(async () => {
    const ask = async (name, input) => {
      const answer = await modelport.call(name, input)
      if (!answer.ok) throw new Error(name + ': ' + answer.error.message)
      return answer.value
    }
    await ask('settings:set', { name: 'port', value: 0 })
    await ask('endpoint:listen', { port: 0 })
    await ask('providers:add', { id: 'fake', type: 'openai-compatible', baseUrl: ${JSON.stringify(providerUrl)}, apiKey: 'sk-any' })
    await ask('models:save', { id: 'fake:good', inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 8000 })
    await ask('models:save', { id: 'fake:slow', inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 8000 })
    await ask('routers:create', { name: 'Proof', strategy: 'priority', models: ['fake:good'] })
    await ask('routers:create', { name: 'Slow', strategy: 'priority', models: ['fake:slow'] })
  })()`)
  await sendRequests(stage, 5)
  expect('requests to the feed', feed.requests.length, 0)
  return `${text(ledgerOf(stage))}; nothing connected to the feed`
}

export async function sendRequests(stage: Stage, count: number): Promise<void> {
  const { app, dataDir } = stage
  const before = ledgerIn(join(dataDir, 'modelport.db')).requests
  const target = await targetOf(stage, 'Proof')
  for (let sent = 0; sent < count; sent += 1) await readWhole(await ask(target, { stream: false }))
  const stored = `modelport.call('requests:count', {}).then(({ value }) => value >= ${before + count})`
  await app.until('the rows', stored)
}

/** An answer that takes five seconds. Resolves when it has begun, to its end. */
export async function startStream(stage: Stage): Promise<{ ended: Promise<void> }> {
  const answer = await ask(await targetOf(stage, 'Slow'), { stream: true })
  return { ended: readWhole(answer) }
}

interface Target {
  url: string
  key: string
  routerId: string
  ca: string
}

/** The target, with a key of its own for each run of the app. */
async function targetOf({ app, dataDir }: Stage, router: string): Promise<Target> {
  const target = await app.run<Omit<Target, 'ca'>>(
    `(async () => {
      const value = async (name, input) => (await modelport.call(name, input)).value
      const router = (await value('routers:list')).find(({ name }) => name === '${router}')
      const created = await value('keys:create', { name: 'proof ' + Date.now(), routers: 'all' })
      const { endpoint } = await value('app:state')
      return { url: endpoint.url, key: created.key, routerId: router.id }
    })()`,
  )
  return { ...target, ca: await readFile(join(dataDir, 'tls', 'ca.pem'), 'utf8') }
}

function ask(target: Target, { stream }: { stream: boolean }): Promise<IncomingMessage> {
  const { url, key, routerId, ca } = target
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const address = `${url}/api/router/${routerId}/v1/chat/completions`
  return new Promise((resolve, reject) => {
    const sent = request(address, { method: 'POST', headers, ca, agent: false }, resolve)
    sent.on('error', reject)
    sent.end(JSON.stringify({ stream, messages: [{ role: 'user', content: 'Hello' }] }))
  })
}

/** @throws when the answer is an error, or ends before its end */
async function readWhole(answer: IncomingMessage): Promise<void> {
  let body = ''
  answer.setEncoding('utf8').on('data', (piece: string) => (body += piece))
  await finished(answer)
  const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true
  if (answer.statusCode !== 200 || (isStream && !body.trimEnd().endsWith('data: [DONE]')))
    throw new SetupError(`A request was answered with ${answer.statusCode}: ${body.slice(-200)}`)
}

export async function publish(
  stage: Stage,
  version: string,
  privateKey = stage.privateKey,
): Promise<void> {
  const { feedDir, packageFile } = stage
  const notes = '<b>Notes</b> of the release'
  const release = { version, files: [packageFile], outDir: feedDir, privateKey, notes }
  await writeFeed({ ...release, date: new Date() })
}

export async function setMode({ app }: Stage, value: string): Promise<void> {
  await app.run(`modelport.call('settings:set', { name: 'updates', value: '${value}' })`)
}

export async function openUpdates({ app }: Stage): Promise<void> {
  await app.run(`location.hash = '#/settings/updates'`)
  await app.until('the section', `document.body.textContent.includes('When to check')`)
}

export function checkNow(stage: Stage): Promise<UpdatePhase> {
  return stepTo(stage, 'check')
}

export async function stepTo({ app }: Stage, name: string): Promise<UpdatePhase> {
  const state = await app.run<UpdatesState>(
    `modelport.call('updates:step', { step: '${name}' }).then(({ value }) => value)`,
  )
  return state.phase
}

export async function stateOf({ app }: Stage): Promise<UpdatesState> {
  return app.run<UpdatesState>(`modelport.call('updates:state').then(({ value }) => value)`)
}

export function problemIn(phase: UpdatePhase): string {
  return phase.status === 'failed' ? phase.problem : phase.status
}

export function ledgerOf({ dataDir }: Stage): Ledger {
  return ledgerIn(join(dataDir, 'modelport.db'))
}

export function ledgerIn(file: string): Ledger {
  return inDatabase(file, (db) => {
    const sql =
      'SELECT count(*) AS requests, coalesce(sum(cost_nano_usd), 0) AS costNanoUsd FROM requests'
    // Checked boundary: the columns are those of the interface.
    return db.prepare(sql).get() as Ledger
  })
}

export function schemaOf(file: string): number {
  return inDatabase(file, (db) => Number(db.pragma('user_version', { simple: true })))
}

export function inDatabase<Value>(file: string, read: (db: Sqlite.Database) => Value): Value {
  const db = new Sqlite(file, { readonly: true })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

export function text({ requests, costNanoUsd }: Ledger): string {
  return `${requests} requests of ${costNanoUsd} nano-dollars`
}

export function same(what: string, expected: Ledger, found: Ledger): void {
  expect(what, text(found), text(expected))
}

export function expect(what: string, found: unknown, expected: unknown): void {
  if (found !== expected)
    throw new SetupError(`${what}: found ${String(found)} instead of ${String(expected)}.`)
}
