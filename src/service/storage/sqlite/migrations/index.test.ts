import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { rollupsByRows, rollupsStored } from '../../../../../test/storage/rollups-by-rows.ts'
import { sampleDetail } from '../../../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../../../test/storage/temporary-folder.ts'
import { requestDetailSchema, type RequestDetail } from '../../../../shared/request-detail.ts'
import { DatabaseFromNewerVersion } from '../../storage.ts'
import { migrate, migrations, refuseNewer, schemaVersion, type Migration } from './index.ts'

const dropsQuota: Migration = { version: 90_000, up: (db) => db.exec('DROP TABLE quota_days') }
const failsHalfway: Migration = {
  version: 90_010,
  up(db) {
    db.exec('CREATE TABLE half (id INTEGER)')
    throw new Error('planted')
  },
}

function openEmpty() {
  const folder = temporaryFolder()
  const db = new Sqlite(join(folder, 'modelport.db'))
  onTestFinished(() => void db.close())
  const copyTo = (version: number) => join(folder, `copy-${version}.db`)
  return { db, copyTo }
}

/** Every table and index as SQL, in a fixed order. */
function schemaOf(db: Sqlite.Database): string {
  const statements = db
    .prepare<[], string>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name')
    .pluck()
    .all()
  return `${statements.join(';\n\n')};\n`
}

test('creates the schema in schema.sql', async () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo)
  await expect(schemaOf(db)).toMatchFileSnapshot('../schema.sql')
})

test('has ascending versions in steps of ten', () => {
  const versions = migrations.map(({ version }) => version)
  expect(versions).toEqual(versions.map((_, index) => (index + 1) * 10))
})

test('makes no copy of a new database', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo)
  expect(schemaVersion(db)).toBe(migrations.at(-1)?.version)
  expect(existsSync(copyTo(0))).toBe(false)
})

test('copies an existing database before changing it', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo)
  const before = schemaVersion(db)
  db.prepare("INSERT INTO settings (name, value) VALUES ('port', '7000')").run()
  migrate(db, copyTo, [...migrations, dropsQuota])
  expect(schemaVersion(db)).toBe(dropsQuota.version)
  expect(schemaOf(db)).not.toContain('quota_days')
  const copy = new Sqlite(copyTo(before), { readonly: true })
  onTestFinished(() => void copy.close())
  expect(schemaVersion(copy)).toBe(before)
  expect(schemaOf(copy)).toContain('quota_days')
  expect(copy.prepare('SELECT value FROM settings').pluck().get()).toBe('7000')
})

test.skipIf(process.platform === 'win32')('lets only the owner read the copy', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo)
  migrate(db, copyTo, [...migrations, dropsQuota])
  expect(statSync(copyTo(migrations.at(-1)?.version ?? 0)).mode & 0o777).toBe(0o600)
})

test('leaves the database unchanged when one of several migrations fails', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo)
  const before = schemaOf(db)
  expect(() => migrate(db, copyTo, [...migrations, dropsQuota, failsHalfway])).toThrow('planted')
  expect(schemaOf(db)).toBe(before)
  expect(schemaVersion(db)).toBe(migrations.at(-1)?.version)
})

test('refuses a database whose schema it does not know', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, [...migrations, dropsQuota])
  expect(() => refuseNewer(db)).toThrow(DatabaseFromNewerVersion)
  expect(() => migrate(db, copyTo)).toThrow(/Install the newer version/)
})

test('0020 keeps older rows, without a detail', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 1))
  db.prepare(
    `INSERT INTO requests (id, router_id, source, started_at_ms, status, router_decision,
       is_streamed, attempts, cost_nano_usd, latency_ms, carbon_grams)
     VALUES ('old', 'router_a', 'api', 1, 200, 'priority', 0, 1, 5, 2.5, 0.1)`,
  ).run()
  migrate(db, copyTo, migrations.slice(0, 2))
  expect(db.prepare('SELECT cost_nano_usd AS cost, detail FROM requests').all()).toEqual([
    { cost: 5, detail: null },
  ])
})

/** A detail as version 20 wrote it: reasoning inside output, no class for cache writes. */
function olderDetail(tokens: Record<string, number | null>): string {
  const { price, ...detail } = sampleDetail()
  const { cacheWriteUsdPerMtok: _unknownThen, ...olderPrice } = price ?? {}
  return JSON.stringify({ ...detail, tokens, price: price && olderPrice })
}

test('0030 makes the token classes of older rows disjoint', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 2))
  const insert = db.prepare(
    `INSERT INTO requests (id, router_id, source, started_at_ms, status, router_decision,
       is_streamed, attempts, cost_nano_usd, latency_ms, carbon_grams, detail)
     VALUES (?, 'router_a', 'api', 1, 200, 'priority', 0, 1, 5, 2.5, 0.1, ?)`,
  )
  insert.run('a', olderDetail({ input: 100, cacheRead: 900, output: 100, reasoning: 60 }))
  insert.run('b', olderDetail({ input: 7, cacheRead: null, output: 3, reasoning: null }))
  insert.run('c', null)
  migrate(db, copyTo, migrations.slice(0, 3))
  const details = db
    .prepare<[], string | null>('SELECT detail FROM requests ORDER BY id')
    .pluck()
    .all()
    .map((text): RequestDetail | null =>
      text === null ? null : requestDetailSchema.parse(JSON.parse(text)),
    )
  expect(details.map((detail) => detail?.tokens)).toEqual([
    { input: 100, cacheRead: 900, cacheWrite: null, output: 40, reasoning: 60 },
    { input: 7, cacheRead: null, cacheWrite: null, output: 3, reasoning: null },
    undefined,
  ])
  expect(details[0]?.price?.cacheWriteUsdPerMtok).toBeNull()
})

test('0050 leaves the cache of routers off, and marks no older row as cached', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 4))
  db.prepare(
    `INSERT INTO routers (id, name, strategy, models, tier, created_at_ms, updated_at_ms)
     VALUES ('router_a', 'Old', 'priority', '[]', 'pro', 1, 1)`,
  ).run()
  db.prepare(
    `INSERT INTO requests (id, router_id, source, started_at_ms, status, router_decision,
       is_streamed, attempts, cost_nano_usd, latency_ms, carbon_grams)
     VALUES ('old', 'router_a', 'api', 1, 200, 'priority', 0, 1, 5, 2.5, 0.1)`,
  ).run()
  migrate(db, copyTo, migrations.slice(0, 5))
  expect(db.prepare('SELECT cache_ttl_seconds FROM routers').pluck().all()).toEqual([null])
  expect(db.prepare('SELECT cached_from FROM requests').pluck().all()).toEqual([null])
})

test('0040 keeps the behaviour of older keys: no explanations, keep-alive comments', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 3))
  db.prepare(
    `INSERT INTO api_keys (id, sha256, hint, name, environment, routers, accept_any_model, metrics,
       created_at_ms)
     VALUES ('old', 'hash', 'mp_…', 'Old', 'dev', '"all"', 1, 0, 1)`,
  ).run()
  migrate(db, copyTo, migrations.slice(0, 4))
  expect(
    db.prepare('SELECT accept_any_model, explain, keep_alive FROM api_keys').raw().all(),
  ).toEqual([[1, 0, 1]])
})

test('0060 sums older rows, with and without a detail', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 5))
  const insert = db.prepare(
    `INSERT INTO requests (id, router_id, api_key_id, source, started_at_ms, status, model_used,
       router_decision, is_streamed, attempts, reported_prompt_tokens, cost_nano_usd, latency_ms,
       first_token_ms, carbon_grams, detail)
     VALUES (?, 'router_a', 'key-1', 'api', ?, ?, ?, 'priority', 0, 1, 10, 5, ?, 3.25, 0.1, ?)`,
  )
  db.exec('BEGIN')
  // In reverse order, more rows than are read at once, and more days than minutes are built for.
  for (let row = 2_500; row > 0; row -= 1) {
    const status = row % 9 === 0 ? 503 : 200
    const detail = row % 2 === 0 ? JSON.stringify(sampleDetail()) : null
    insert.run(String(row), row * 241_000, status, row % 7 === 0 ? null : 'a:b', row / 3, detail)
  }
  db.exec('COMMIT')
  migrate(db, copyTo, migrations.slice(0, 6))
  const stored = rollupsStored(db)
  // Without a detail, only the wire's two counts are known.
  db.exec(`UPDATE requests SET detail = '{"tokens":{"input":10}}' WHERE detail IS NULL`)
  const minutesFromMs = 3 * 86_400_000
  const isBuilt = (name: string) => {
    const [lengthMs, startMs] = name.split(' ').map(Number)
    return lengthMs !== 60_000 || Number(startMs) >= minutesFromMs
  }
  const built = Object.entries(rollupsByRows(db)).filter(([name]) => isBuilt(name))
  const expected = Object.fromEntries(built)
  expect(Object.keys(stored).toSorted()).toEqual(Object.keys(expected).toSorted())
  // Later versions count more.
  expect(expected).toMatchObject(stored)
  expect(db.prepare('SELECT * FROM ledger_kept').all()).toEqual([
    { id: 1, rows_from_ms: 0, minutes_from_ms: minutesFromMs, hours_from_ms: 0 },
  ])
})

test('0070 continues to count on the latest day of each router', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 6))
  db.exec(`INSERT INTO quota_days (router_id, day, used)
           VALUES ('a', '2026-11-20', 5), ('a', '2026-11-21', 7), ('b', '2026-11-19', 1)`)
  migrate(db, copyTo, migrations.slice(0, 7))
  expect(db.prepare('SELECT router_id AS router, day FROM quota_current').all()).toEqual([
    { router: 'a', day: '2026-11-21' },
    { router: 'b', day: '2026-11-19' },
  ])
})

test('0080 leaves refused parameters of older models to the catalogue', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 7))
  db.prepare(
    `INSERT INTO models (id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, context_tokens,
       capabilities) VALUES ('a:b', 1, 2, 3, '["json"]')`,
  ).run()
  migrate(db, copyTo, migrations.slice(0, 8))
  expect(db.prepare('SELECT id, capabilities, refuses FROM models').all()).toEqual([
    { id: 'a:b', capabilities: '["json"]', refuses: null },
  ])
})

test('0090 and 0100 leave routers with the default time limits and without hedging', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 8))
  db.prepare(
    `INSERT INTO routers (id, name, strategy, models, tier, created_at_ms, updated_at_ms)
     VALUES ('router_a', 'Old', 'priority', '[]', 'pro', 1, 1)`,
  ).run()
  migrate(db, copyTo, migrations.slice(0, 9))
  expect(db.prepare('SELECT time_limits FROM routers').pluck().all()).toEqual(['{}'])
  migrate(db, copyTo, migrations.slice(0, 10))
  expect(db.prepare('SELECT hedge FROM routers').pluck().all()).toEqual([null])
})

test('0110 keeps older routers and keys, without a budget or a burst limit', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 10))
  db.exec(`
    INSERT INTO routers (id, name, strategy, models, tier, created_at_ms, updated_at_ms)
    VALUES ('router_a', 'A', 'priority', '[]', 'pro', 1, 1);
    INSERT INTO api_keys (id, sha256, hint, name, environment, routers, accept_any_model, metrics,
                          created_at_ms)
    VALUES ('key_a', 'a', 'mp_…', 'A', 'dev', '"all"', 0, 0, 1);`)
  migrate(db, copyTo, migrations.slice(0, 11))
  const none = { budget_day_nano_usd: null, budget_month_nano_usd: null }
  expect(db.prepare('SELECT * FROM routers').get()).toMatchObject({
    ...none,
    requests_per_minute: null,
  })
  expect(db.prepare('SELECT * FROM api_keys').get()).toMatchObject(none)
})

test('0130 adds no statistics', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 12))
  migrate(db, copyTo, migrations.slice(0, 13))
  expect(db.prepare('SELECT * FROM model_statistics').all()).toEqual([])
  const insert = db.prepare("INSERT INTO model_statistics VALUES ('a:b', ?)")
  expect(() => insert.run('no JSON')).toThrow('CHECK')
})

test('0140 adds no feedback', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 13))
  migrate(db, copyTo, migrations.slice(0, 14))
  expect(db.prepare('SELECT version FROM feedback_version').pluck().all()).toEqual([0])
  expect(db.prepare('SELECT * FROM feedback_counts').all()).toEqual([])
  expect(db.prepare('SELECT * FROM feedback_labels').all()).toEqual([])
})

test('0150 adds no agents, and older requests are no steps', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 14))
  db.exec(`
    INSERT INTO requests (id, router_id, source, started_at_ms, status, router_decision, is_streamed,
                          attempts, cost_nano_usd, latency_ms, carbon_grams)
    VALUES ('r', 'router_a', 'api', 1, 200, 'priority', 0, 1, 7, 1, 0)`)
  migrate(db, copyTo, migrations.slice(0, 15))
  const step = db.prepare('SELECT execution_id, step_id, cost_nano_usd FROM requests').all()
  expect(step).toEqual([{ execution_id: null, step_id: null, cost_nano_usd: 7 }])
  expect(db.prepare('SELECT * FROM agents').all()).toEqual([])
  expect(db.prepare('SELECT * FROM executions').all()).toEqual([])
})

test('0160 deletes figures learned by domain, and keeps the latency of models', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 15))
  db.exec(`
    INSERT INTO feedback_counts (model, domain, good, bad) VALUES ('p:m', 'code', 3, 1);
    INSERT INTO model_statistics (model, statistics)
      VALUES ('p:m', '{"paces":{},"prompts":null,"lengths":{"lnTokens":[1],"answers":[1]}}');`)
  migrate(db, copyTo, migrations.slice(0, 16))
  expect(db.prepare('SELECT topic FROM feedback_counts').all()).toEqual([])
  expect(db.prepare('SELECT version FROM feedback_version').pluck().all()).toEqual([1])
  expect(db.prepare('SELECT statistics FROM model_statistics').pluck().all()).toEqual([
    '{"paces":{},"prompts":null,"lengths":null}',
  ])
})

test('0170 adds no contents to older requests', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 16))
  const columns = () => db.prepare("SELECT name FROM pragma_table_info('requests')").pluck().all()
  const before = columns()
  migrate(db, copyTo, migrations.slice(0, 17))
  expect(db.prepare('SELECT * FROM request_contents').all()).toEqual([])
  expect(columns()).toEqual(before)
})

test('0180 adds no agent to older conversations and answers', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 17))
  db.exec(`
    INSERT INTO conversations (id, title, router_id, created_at_ms, updated_at_ms)
    VALUES ('c', 'France', 'router_a', 1, 1);
    INSERT INTO messages (id, conversation_id, role, text, created_at_ms, state)
    VALUES ('m', 'c', 'assistant', 'Paris', 1, 'complete');`)
  migrate(db, copyTo, migrations.slice(0, 18))
  expect(db.prepare('SELECT agent FROM conversations').pluck().all()).toEqual([null])
  expect(db.prepare('SELECT agent_meta FROM messages').pluck().all()).toEqual([null])
})

test('0220 leaves older executions without a lease', () => {
  const { db, copyTo } = openEmpty()
  const isOlder = ({ version }: Migration) => version < 220
  migrate(db, copyTo, migrations.filter(isOlder))
  db.exec(`
    INSERT INTO executions (id, agent, agent_version, router_id, source, is_streamed, started_at_ms,
      state, steps, cost_nano_usd, carbon_grams, models, trace)
    VALUES ('e', 'a', 1, 'r', 'api', 0, 1, 'running', 0, 0, 0, '[]', '[]')`)
  migrate(
    db,
    copyTo,
    migrations.filter((each) => isOlder(each) || each.version === 220),
  )
  expect(db.prepare('SELECT lease_holder, lease_expires_at_ms FROM executions').all()).toEqual([
    { lease_holder: null, lease_expires_at_ms: null },
  ])
})

test('0190 keeps older messages, none of them set aside', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 18))
  db.exec(`
    INSERT INTO conversations (id, title, created_at_ms, updated_at_ms) VALUES ('c', 'T', 1, 1);
    INSERT INTO messages (id, conversation_id, role, text, created_at_ms, state)
    VALUES ('m', 'c', 'assistant', 'Paris.', 1, 'complete');`)
  migrate(db, copyTo, migrations.slice(0, 19))
  expect(db.prepare('SELECT text, set_aside AS isSetAside FROM messages').all()).toEqual([
    { text: 'Paris.', isSetAside: 0 },
  ])
})

test('0200 gives older providers the first key revision', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 19))
  db.exec(`INSERT INTO providers (id, type, private_network, options, created_at_ms)
           VALUES ('openai', 'openai', 0, '{}', 1)`)
  migrate(db, copyTo, migrations.slice(0, 20))
  expect(db.prepare('SELECT key_revision FROM providers').pluck().all()).toEqual([0])
})

test('0210 treats older keys as keys that replaced none', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 20))
  db.exec(`INSERT INTO api_keys (id, sha256, hint, name, environment, routers, accept_any_model,
             metrics, created_at_ms)
           VALUES ('key_a', 'hash', 'mp_…abcd', 'Old', 'dev', '"all"', 0, 0, 1)`)
  migrate(db, copyTo, migrations.slice(0, 21))
  expect(db.prepare('SELECT rotated_from_id FROM api_keys').pluck().all()).toEqual([null])
})
