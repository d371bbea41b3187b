/**
 * `npm run package:updates`: the packaged app as an ordinary user gets it, with its fuses and its sandbox, updates from
 * 0.1.0 to 0.2.0 and back against a feed on loopback. 0.2.0 has one migration more. At each stop, the requests in the
 * database and the sum of their costs are compared.
 */
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chmod, chown, mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'node:https'
import Sqlite from 'better-sqlite3'
import { buildArchive } from '../packaging/linux-packages.mjs'
import { feedName, newUpdateKey, writeFeed } from '../packaging/update-feed.mjs'
import type { UpdatePhase, UpdatesState } from '../src/shared/updates.ts'
import { startFakeProvider } from '../test/fake-provider.ts'
import { repositoryDir } from './setup/paths.mjs'
import { prepare } from './setup/prepare.mjs'
import { runLauncher, SetupError, step } from './setup/progress.mjs'
import { runCommand } from './setup/run-command.mjs'
import { DrivenApp } from './updates/driven-app.ts'
import { serveFolder, type StaticFeed } from './updates/static-feed.ts'
import { addedSchema, makeTestBuild } from './updates/test-builds.ts'

const unpackedDir = join(repositoryDir, 'dist', 'linux-unpacked')
const oldVersion = '0.1.0'
const newVersion = '0.2.0'

/** What a database holds of the requests. */
interface Ledger {
  requests: number
  costNanoUsd: number
}

interface Stage {
  feedDir: string
  feed: StaticFeed
  /** The app's folder. */
  appDir: string
  /** Its parent. */
  appsDir: string
  home: string
  dataDir: string
  packageFile: string
  privateKey: string
  app: DrivenApp
  providerUrl: string
}

await runLauncher(async () => {
  if (!existsSync(join(unpackedDir, 'modelport')))
    throw new SetupError('There is no dist/linux-unpacked.', {
      wayOut: 'run `npm run package` first.',
    })
  await prepare({ window: true, tests: true })
  const root = await mkdtemp(join(tmpdir(), 'modelport-updates-'))
  const provider = await startFakeProvider({ tls: false, models: { good: {} } })
  const stage = await step('Two versions and a feed', () => setTheStage(root, provider.url))
  try {
    await check(stage)
  } finally {
    stage.app.end()
    stage.feed.close()
    await provider.close()
    await rm(root, { recursive: true, force: true })
  }
  return 0
})

async function check(stage: Stage): Promise<void> {
  await said('Start of 0.1.0 with data', () => startWithData(stage))
  await said('Off', () => checkOff(stage))
  await said('Older and tampered feeds', () => checkBadFeeds(stage))
  await said('Offered, and refused', () => checkRefused(stage))
  await said('Read-only folder', () => checkReadOnly(stage))
  await said('Tampered and interrupted packages', () => checkBadPackages(stage))
  await said('Taken', () => checkTaken(stage))
  await said('Undone', () => checkUndone(stage))
}

/** Prints what was seen. */
async function said(title: string, work: () => Promise<string>): Promise<void> {
  await step(title, async () => ({ value: undefined, detail: `${title}: ${await work()}` }))
}

async function setTheStage(root: string, providerUrl: string): Promise<{ value: Stage }> {
  await chmod(root, 0o755)
  const [feedDir, appsDir, home] = ['feed', 'apps', 'home'].map((name) => join(root, name))
  if (!feedDir || !appsDir || !home) throw new Error('three folders')
  for (const folder of [feedDir, appsDir]) await mkdir(folder)
  await runCommand({ command: 'install', args: ['-d', '-o', 'nobody', '-m', '700', home] })
  const feed = await serveFolder(feedDir)
  const { privateKey, publicKey } = newUpdateKey()
  const source = { unpackedDir, feed: { url: feed.url, publicKey } }
  const appDir = join(appsDir, 'Modelport für alle')
  await makeTestBuild(appDir, { version: oldVersion, hasMigration: false }, source)
  const newDir = join(root, 'new')
  await makeTestBuild(newDir, { version: newVersion, hasMigration: true }, source)
  const packageFile = await buildArchive({
    unpackedDir: newDir,
    version: newVersion,
    outDir: feedDir,
  })
  await rm(newDir, { recursive: true })
  await runCommand({ command: 'chown', args: ['-R', 'nobody', appDir] })
  const dataDir = join(home, 'data')
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    LANG: 'C.UTF-8',
    MODELPORT_DATA_DIR: dataDir,
  }
  await runCommand({ command: 'install', args: ['-d', '-o', 'nobody', '-m', '700', dataDir] })
  const app = new DrivenApp({ executable: join(appDir, 'modelport'), home, env })
  const paths = { feedDir, appDir, appsDir, home, dataDir, packageFile }
  return { value: { ...paths, feed, privateKey, app, providerUrl } }
}

async function startWithData(stage: Stage): Promise<string> {
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
    await ask('routers:create', { name: 'Proof', strategy: 'priority', models: ['fake:good'] })
  })()`)
  await sendRequests(stage, 5)
  expect('requests to the feed', feed.requests.length, 0)
  return `${text(ledgerOf(stage))}; nothing connected to the feed`
}

async function checkOff(stage: Stage): Promise<string> {
  const { app, feed } = stage
  await setMode(stage, 'off')
  await openUpdates(stage)
  await app.until('the words', `document.body.textContent.includes('Updates are off.')`)
  expect('the phase', (await stepTo(stage, 'check')).status, 'idle')
  const hasButton = await app.run(
    `[...document.querySelectorAll('button')].some((b) => b.textContent.trim() === 'Check for updates')`,
  )
  expect('a button that checks', hasButton, false)
  expect('requests to the feed', feed.requests.length, 0)
  await setMode(stage, 'manual')
  return 'no button, and a call changes nothing: 0 requests to the feed'
}

async function checkBadFeeds(stage: Stage): Promise<string> {
  const { feedDir, feed } = stage
  const list = join(feedDir, feedName())
  await publish(stage, '0.0.9')
  expect('an older version', (await checkNow(stage)).status, 'current')
  await publish(stage, newVersion)
  await appendFile(list, 'stagingPercentage: 100\n')
  expect('a changed list', problemIn(await checkNow(stage)), 'bad_signature')
  await publish(stage, newVersion, newUpdateKey().privateKey)
  expect('a list signed with another key', problemIn(await checkNow(stage)), 'bad_signature')
  await rm(`${list}.sig`)
  expect('a list without a signature', problemIn(await checkNow(stage)), 'unreachable')
  const packages = feed.requests.filter((path) => path.endsWith('.tar.gz'))
  expect('packages downloaded', packages.length, 0)
  return 'an older version, a changed list, another key and no signature are refused; nothing was downloaded'
}

async function checkRefused(stage: Stage): Promise<string> {
  const { app, feed } = stage
  await publish(stage, newVersion)
  feed.forget()
  await openUpdates(stage)
  await app.click('Check for updates')
  await app.until('the notes', `document.body.textContent.includes('<b>Notes</b> of the release')`)
  const paths = [feedName(), `${feedName()}.sig`].join()
  expect('requests', feed.requests.join(), paths)
  await app.click('Skip this version')
  await app.quit()
  await app.start()
  await openUpdates(stage)
  await app.click('Check for updates')
  await app.click('Offer it again')
  await app.until('the offer', `document.body.textContent.includes('Skip this version')`)
  const packages = feed.requests.filter((path) => path.endsWith('.tar.gz'))
  expect('packages downloaded', packages.length, 0)
  return 'skipped, also after a restart, until it was wanted again; nothing was downloaded'
}

async function checkReadOnly(stage: Stage): Promise<string> {
  const { appsDir, feed } = stage
  feed.forget()
  expect('the problem', problemIn(await stepTo(stage, 'download')), 'read_only')
  expect('requests', feed.requests.length, 0)
  // Of "nobody", as an ordinary user's folder would be.
  await chown(appsDir, 65_534, 65_534)
  return 'named before anything is downloaded'
}

async function checkBadPackages(stage: Stage): Promise<string> {
  const { packageFile, feed, appsDir } = stage
  await flipByte(packageFile)
  expect('a tampered package', problemIn(await stepTo(stage, 'download')), 'damaged_package')
  await flipByte(packageFile)
  feed.cutNextPackage(0.4)
  expect('an interrupted download', problemIn(await stepTo(stage, 'download')), 'unreachable')
  expect('folders', readdirSync(appsDir).join(), 'Modelport für alle')
  const pending = join(stage.home, '.cache', 'modelport-updater', 'pending')
  const left = existsSync(pending) ? readdirSync(pending) : []
  expect('files left', left.join(), '')
  return 'both are refused and deleted'
}

async function checkTaken(stage: Stage): Promise<string> {
  const { app, appDir, dataDir } = stage
  const before = ledgerOf(stage)
  const facts = await app.facts()
  await openUpdates(stage)
  await app.click('Download again')
  await app.click('Install and restart')
  const after = await app.restarted(facts)
  expect('the version', after.version, newVersion)
  expect('the folder', after.execPath, join(appDir, 'modelport'))
  same('the database', before, ledgerOf(stage))
  const copy = join(dataDir, 'backups', `before-${newVersion}.db`)
  same('the copy', before, ledgerIn(copy))
  expect('the schema', schemaOf(join(dataDir, 'modelport.db')), addedSchema)
  await sendRequests(stage, 3)
  const written = ledgerOf(stage)
  expect('requests under 0.2.0', written.requests, before.requests + 3)
  return `0.2.0 runs in the same folder with schema ${addedSchema}; database and copy hold ${text(before)}, and 3 more were written`
}

async function checkUndone(stage: Stage): Promise<string> {
  const { app, dataDir } = stage
  const before = ledgerOf(stage)
  const facts = await app.facts()
  await openUpdates(stage)
  await app.click(`Go back to ${oldVersion}`)
  await app.until('the question', `document.querySelector('[role=alertdialog]') !== null`)
  await app.click(`Go back to ${oldVersion}`)
  const after = await app.restarted(facts)
  expect('the version', after.version, oldVersion)
  const schema = schemaOf(join(dataDir, 'modelport.db'))
  if (schema === addedSchema) throw new SetupError('The database has the schema of 0.2.0.')
  const { restored } = await stateOf(stage)
  same('the database of 0.2.0', before, ledgerIn(restored?.keptAs ?? ''))
  expect('its schema', schemaOf(restored?.keptAs ?? ''), addedSchema)
  const own = ledgerOf(stage)
  await sendRequests(stage, 1)
  expect('the next check', (await checkNow(stage)).status, 'skipped')
  return `0.1.0 runs with schema ${schema} and ${text(own)}; the database of 0.2.0 is kept with ${text(before)}, and 0.2.0 is not offered again`
}

/** With a key of its own for each run of the app. */
async function sendRequests({ app, dataDir }: Stage, count: number): Promise<void> {
  const before = ledgerIn(join(dataDir, 'modelport.db')).requests
  const { url, key, routerId } = await app.run<{ url: string; key: string; routerId: string }>(
    `(async () => {
      const value = async (name, input) => (await modelport.call(name, input)).value
      const router = (await value('routers:list')).find(({ name }) => name === 'Proof')
      const created = await value('keys:create', { name: 'proof ' + Date.now(), routers: 'all' })
      const { endpoint } = await value('app:state')
      return { url: endpoint.url, key: created.key, routerId: router.id }
    })()`,
  )
  const ca = await readFile(join(dataDir, 'tls', 'ca.pem'), 'utf8')
  for (let sent = 0; sent < count; sent += 1) await chat({ url, key, routerId, ca })
  const stored = `modelport.call('requests:count', {}).then(({ value }) => value >= ${before + count})`
  await app.until('the rows', stored)
}

function chat(target: { url: string; key: string; routerId: string; ca: string }): Promise<void> {
  const { url, key, routerId, ca } = target
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const address = `${url}/api/router/${routerId}/v1/chat/completions`
  return new Promise((resolve, reject) => {
    const sent = request(address, { method: 'POST', headers, ca }, (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode === 200) resolve()
        else reject(new Error(`a request was answered with ${answer.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }))
  })
}

async function publish(
  stage: Stage,
  version: string,
  privateKey = stage.privateKey,
): Promise<void> {
  const { feedDir, packageFile } = stage
  const notes = '<b>Notes</b> of the release'
  const release = { version, files: [packageFile], outDir: feedDir, privateKey, notes }
  await writeFeed({ ...release, date: new Date() })
}

async function flipByte(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  const { size } = await handle.stat()
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, Math.floor(size / 2))
  byte[0] = (byte[0] ?? 0) ^ 1
  await handle.write(byte, 0, 1, Math.floor(size / 2))
  await handle.close()
}

async function setMode({ app }: Stage, value: string): Promise<void> {
  await app.run(`modelport.call('settings:set', { name: 'updates', value: '${value}' })`)
}

async function openUpdates({ app }: Stage): Promise<void> {
  await app.run(`location.hash = '#/settings/updates'`)
  await app.until('the section', `document.body.textContent.includes('When to check')`)
}

function checkNow(stage: Stage): Promise<UpdatePhase> {
  return stepTo(stage, 'check')
}

async function stepTo({ app }: Stage, name: string): Promise<UpdatePhase> {
  const state = await app.run<UpdatesState>(
    `modelport.call('updates:step', { step: '${name}' }).then(({ value }) => value)`,
  )
  return state.phase
}

async function stateOf({ app }: Stage): Promise<UpdatesState> {
  return app.run<UpdatesState>(`modelport.call('updates:state').then(({ value }) => value)`)
}

function problemIn(phase: UpdatePhase): string {
  return phase.status === 'failed' ? phase.problem : phase.status
}

function ledgerOf({ dataDir }: Stage): Ledger {
  return ledgerIn(join(dataDir, 'modelport.db'))
}

function ledgerIn(file: string): Ledger {
  return inDatabase(file, (db) => {
    const sql =
      'SELECT count(*) AS requests, coalesce(sum(cost_nano_usd), 0) AS costNanoUsd FROM requests'
    // Checked boundary: the columns are those of the interface.
    return db.prepare(sql).get() as Ledger
  })
}

function schemaOf(file: string): number {
  return inDatabase(file, (db) => Number(db.pragma('user_version', { simple: true })))
}

function inDatabase<Value>(file: string, read: (db: Sqlite.Database) => Value): Value {
  const db = new Sqlite(file, { readonly: true })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

function text({ requests, costNanoUsd }: Ledger): string {
  return `${requests} requests of ${costNanoUsd} nano-dollars`
}

function same(what: string, expected: Ledger, found: Ledger): void {
  expect(what, text(found), text(expected))
}

function expect(what: string, found: unknown, expected: unknown): void {
  if (found !== expected)
    throw new SetupError(`${what}: found ${String(found)} instead of ${String(expected)}.`)
}
