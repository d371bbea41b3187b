/**
 * The setting `durability`. With `strict`, the ledger contains every answer that a client received completely, however the
 * process ends; with `fast`, it may lack those of the last moment.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { Agent, fetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { quantile } from '../../bench/quantile.ts'
import { row } from '../../bench/row.ts'
import { ensureBuild } from '../../scripts/setup/build.mjs'
import type { Settings } from '../../src/shared/app/settings.ts'
import { newModelport } from '../command-line/modelport.ts'
import { startFakeProvider } from '../fake-provider.ts'
import { rollupsByRows, rollupsStored } from './rollups-by-rows.ts'
import { hello, startTestService } from '../test-service.ts'
import { seeded } from '../agents/random.ts'
import { amount, expectMeasured, isTorture, tortureTimeoutMs } from '../torture/amounts.ts'
import { seed } from '../torture/share.ts'

const chance = seeded(seed)

type Modelport = ReturnType<typeof newModelport>

const figures = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '2', '--context', '8000']

/** A router of one model with a key, created by commands. */
async function prepare({ json }: Modelport, durability: Settings['durability']) {
  const fake = await startFakeProvider({ tls: false, models: { fast: {} } })
  onTestFinished(() => fake.close())
  await json('settings', 'set', 'durability', durability)
  await json('provider', 'add', 'mine', '--type', 'openai-compatible', '--base-url', fake.url)
  await json('model', 'add', 'mine:fast', ...figures)
  const named = ['--name', 'Mine', '--strategy', 'priority', '--models', 'mine:fast']
  const [router] = await json('router', 'create', ...named, '--tier', 'enterprise')
  const [key] = await json('key', 'create', '--name', 'Test', '--routers', 'all')
  return { routerId: String(router?.['id']), apiKey: String(key?.['key']) }
}

interface Target {
  url: string
  caFile: string
  routerId: string
  apiKey: string
}

/** Sends requests on 16 connections until the service ends; `onAnswer` gets the id of each complete answer. */
async function load(target: Target, onAnswer: (id: string) => void): Promise<void> {
  const dispatcher = new Agent({ connect: { ca: readFileSync(target.caFile, 'utf8') } })
  onTestFinished(() => dispatcher.destroy())
  const askForever = async (stream: boolean): Promise<never> => {
    for (;;) {
      const answer = await fetch(`${target.url}/api/router/${target.routerId}/chat/completions`, {
        method: 'POST',
        dispatcher,
        headers: {
          authorization: `Bearer ${target.apiKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ ...hello, stream }),
      })
      const text = await answer.text()
      const isWhole = stream ? text.endsWith('data: [DONE]\n\n') : text.endsWith('}')
      if (answer.status === 200 && isWhole) onAnswer(answer.headers.get('x-request-id') ?? '')
    }
  }
  await Promise.allSettled(Array.from({ length: 16 }, (_, nth) => askForever(nth % 2 === 0)))
}

/** The time of a start from source says nothing about the shipped program. */
const startTarget = isTorture ? { target: { atMost: 2_000 } } : {}
/** Each run is killed after a random number of answers up to this one. */
const answersPerKill = 150
const builtProgram = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))

interface Answer {
  id: string
  /** Milliseconds between its last byte at the client and the kill; negative after the kill. */
  ageMs: number
}

/** Kills the service again and again under load. @returns each complete answer, and how long the starts took */
async function killUnderLoad(
  modelport: Modelport,
  durability: Settings['durability'],
  kills: number,
) {
  // The program as it is shipped; in `npm test` it runs from source, because the build comes later.
  if (isTorture) await ensureBuild()
  const router = await prepare(modelport, durability)
  const answers: Answer[] = []
  const startsMs: number[] = []
  for (let run = 1; run <= kills; run += 1) {
    const startedAt = performance.now()
    const service = await modelport.serve(isTorture ? { binaryFile: builtProgram } : {})
    startsMs.push(performance.now() - startedAt)
    const last = Math.ceil(chance.next() * answersPerKill)
    const before: { id: string; atMs: number }[] = []
    let killedAtMs = Infinity
    await load({ ...service, ...router }, (id) => {
      before.push({ id, atMs: performance.now() })
      if (before.length < last || killedAtMs < Infinity) return
      killedAtMs = performance.now()
      service.child.kill('SIGKILL')
    })
    await service.exited
    answers.push(...before.map(({ id, atMs }) => ({ id, ageMs: killedAtMs - atMs })))
  }
  return { answers, startsMs }
}

function openDatabase({ dataDir }: Modelport, name: string) {
  const db = new Sqlite(join(dataDir, 'modelport.db'))
  onTestFinished(() => void db.close())
  const stored = new Set(db.prepare<[], string>('SELECT id FROM requests').pluck().all())
  const isSound = db.pragma('integrity_check', { simple: true }) === 'ok'
  return {
    db,
    stored,
    damaged: row(name, [isSound ? 0 : 1, ''], { target: { atMost: 0 } }),
  }
}

test(
  'no complete answer is missing after the service was killed again and again',
  { timeout: tortureTimeoutMs },
  async () => {
    const modelport = newModelport()
    const kills = amount({ quick: 3, full: 200 })
    const { answers, startsMs } = await killUnderLoad(modelport, 'strict', kills)
    const { db, stored, damaged } = openDatabase(modelport, 'damaged databases')
    expect(rollupsStored(db)).toEqual(rollupsByRows(db))
    const lost = answers.filter(({ id }) => !stored.has(id)).length
    expectMeasured([
      row('kills', [startsMs.length, ''], { target: { atLeast: kills } }),
      row('complete answers', [answers.length, ''], { target: { atLeast: kills } }),
      row('of these without a row', [lost, ''], { target: { atMost: 0 } }),
      damaged,
      row('start after a kill, p99', [quantile(startsMs, 0.99), 'ms'], startTarget),
    ])
  },
)

test(
  'with “fast”, a kill loses only rows of the last moment, and damages nothing',
  { timeout: tortureTimeoutMs },
  async () => {
    const modelport = newModelport()
    const kills = amount({ quick: 1, full: 60 })
    const { answers } = await killUnderLoad(modelport, 'fast', kills)
    const { db, stored, damaged } = openDatabase(modelport, 'fast: damaged databases')
    expect(rollupsStored(db)).toEqual(rollupsByRows(db))
    const lostAgesMs = answers.filter(({ id }) => !stored.has(id)).map(({ ageMs }) => ageMs)
    const lastMoment = isTorture ? { target: { atMost: 200 } } : {}
    expectMeasured([
      row('fast: complete answers', [answers.length, ''], { target: { atLeast: kills } }),
      row('fast: of these without a row', [lostAgesMs.length, '']),
      row('fast: age of a lost row at the kill, p50', [quantile([0, ...lostAgesMs], 0.5), 'ms']),
      row('fast: oldest lost row at the kill', [Math.max(0, ...lostAgesMs), 'ms'], lastMoment),
      damaged,
    ])
  },
)

test.each([false, true])(
  'the row is in the database when the answer arrives (stream: %s)',
  async (stream) => {
    const { service, post, dataDir } = await startTestService({ router: { cacheTtlSeconds: 60 } })
    await service.dashboard.setSetting('durability', 'strict')
    const db = new Sqlite(join(dataDir, 'modelport.db'), { readonly: true })
    onTestFinished(() => void db.close())
    const stored = db.prepare<[string], number>('SELECT 1 FROM requests WHERE id = ?').pluck()
    for (const source of ['model', 'cache']) {
      const answer = await post('chat/completions', { ...hello, stream })
      const text = await answer.text()
      const isStored = stored.get(answer.headers.get('x-request-id') ?? '') === 1
      expect({ source, status: answer.status, isStored }).toEqual({
        source,
        status: 200,
        isStored: true,
      })
      expect(text).toContain('_meta')
    }
  },
)
