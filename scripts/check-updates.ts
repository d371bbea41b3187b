/**
 * `npm run package:updates`: the packaged app as an ordinary user gets it, with its fuses and its sandbox, updates from
 * 0.1.0 to 0.2.0 and back against a feed on loopback. 0.2.0 has one migration more. At each stop, the requests in the
 * database and the sum of their costs are compared. Then the same builds update as an AppImage and as a deb.
 */
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chmod, chown, mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildArchive } from '../packaging/linux-packages.mjs'
import { feedName, newUpdateKey } from '../packaging/update-feed.mjs'
import { startFakeProvider } from '../test/fake-provider.ts'
import { repositoryDir } from './setup/paths.mjs'
import { prepare } from './setup/prepare.mjs'
import { runLauncher, SetupError, step } from './setup/progress.mjs'
import { runCommand } from './setup/run-command.mjs'
import { checkAppImage } from './updates/app-image.ts'
import { checkDeb } from './updates/deb.ts'
import {
  checkNow,
  expect,
  ledgerIn,
  ledgerOf,
  newVersion,
  oldVersion,
  openApp,
  openUpdates,
  problemIn,
  publish,
  same,
  schemaOf,
  sendRequests,
  setMode,
  startWithData,
  stateOf,
  stepTo,
  text,
  type Stage,
} from './updates/stage.ts'
import { serveFolder } from './updates/static-feed.ts'
import { addedSchema, makeTestBuild } from './updates/test-builds.ts'

const unpackedDir = join(repositoryDir, 'dist', 'linux-unpacked')

await runLauncher(async () => {
  if (!existsSync(join(unpackedDir, 'modelport')))
    throw new SetupError('There is no dist/linux-unpacked.', {
      wayOut: 'run `npm run package` first.',
    })
  await prepare({ window: true, tests: true })
  const root = await mkdtemp(join(tmpdir(), 'modelport-updates-'))
  const models = { good: {}, slow: { chunks: 6, chunkDelayMs: 1_000 } }
  const provider = await startFakeProvider({ tls: false, models })
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
  await said('Taken as an AppImage', () => checkAppImage(stage))
  await said('Refused, taken and failed as a deb', () => checkDeb(stage))
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
  const { app, dataDir } = await openApp({
    home,
    name: 'data',
    executable: join(appDir, 'modelport'),
  })
  const paths = { feedDir, appDir, appsDir, home, dataDir, packageFile }
  return { value: { ...paths, feed, privateKey, app, providerUrl } }
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

async function flipByte(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  const { size } = await handle.stat()
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, Math.floor(size / 2))
  byte[0] = (byte[0] ?? 0) ^ 1
  await handle.write(byte, 0, 1, Math.floor(size / 2))
  await handle.close()
}
