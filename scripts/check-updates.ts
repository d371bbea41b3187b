/**
 * `npm run package:updates`: the packaged app as an ordinary user gets it, with its fuses and its sandbox, updates from
 * 0.2.0 to 0.3.0 against a feed on loopback, and its user goes back. 0.3.0 has one migration more. Both are AppImages,
 * whose runtime is a script here. At each stop, the requests in the database and the sum of their costs are compared.
 */
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { feedName, newUpdateKey } from '../packaging/update-feed.mjs'
import { startFakeProvider } from '../test/fake-provider.ts'
import { repositoryDir } from './setup/paths.mjs'
import { prepare } from './setup/prepare.mjs'
import { runLauncher, SetupError, step } from './setup/progress.mjs'
import { runCommand } from './setup/run-command.mjs'
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
  startStream,
  startWithData,
  stateOf,
  stepTo,
  text,
  type Stage,
} from './updates/stage.ts'
import { serveFolder } from './updates/static-feed.ts'
import { addedSchema, makeTestBuild } from './updates/test-builds.ts'

const unpackedDir = join(repositoryDir, 'dist', 'linux-unpacked')
const nobody = 65_534

await runLauncher(async () => {
  if (!existsSync(join(unpackedDir, 'modelport')))
    throw new SetupError('There is no dist/linux-unpacked.', {
      wayOut: 'run `npm run package` first.',
    })
  await prepare({ window: true, tests: true })
  const root = await mkdtemp(join(tmpdir(), 'modelport-updates-'))
  const models = { good: {}, slow: { chunks: 6, chunkDelayMs: 1_000 } }
  const provider = await startFakeProvider({ tls: false, models })
  try {
    const stage = await step('Two versions and a feed', () => setTheStage(root, provider.url))
    await check(stage).finally(() => {
      stage.app.end()
      stage.feed.close()
    })
  } finally {
    await provider.close()
    await rm(root, { recursive: true, force: true })
  }
  return 0
})

async function check(stage: Stage): Promise<void> {
  await said('Start of 0.2.0 with data', () => startWithData(stage))
  await said('Off', () => checkOff(stage))
  await said('Older and tampered feeds', () => checkBadFeeds(stage))
  await said('Offered, and refused', () => checkRefused(stage))
  await said('Read-only folder', () => checkReadOnly(stage))
  await said('Tampered and interrupted packages', () => checkBadPackages(stage))
  await said('Taken', () => checkTaken(stage))
  await said('Undone', () => checkUndone(stage))
  await said('In a plain folder', () => checkFolder(stage))
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
  const [oldDir, newDir] = [join(root, oldVersion), join(root, newVersion)]
  await makeTestBuild(oldDir, { version: oldVersion, hasMigration: false }, source)
  await makeTestBuild(newDir, { version: newVersion, hasMigration: true }, source)
  const appImage = join(appsDir, 'Modelport für alle.AppImage')
  await writeAppImage(appImage, oldDir)
  const packageFile = join(feedDir, `Modelport-${newVersion}.AppImage`)
  await writeAppImage(packageFile, newDir)
  const { app, dataDir } = await openApp({ home, name: 'data', executable: appImage })
  const paths = { feedDir, appImage, oldDir, appsDir, home, dataDir, packageFile }
  return { value: { ...paths, feed, privateKey, app, providerUrl } }
}

/** Sets what the runtime of an AppImage sets, and starts the app that it mounts. */
async function writeAppImage(file: string, folder: string): Promise<void> {
  const lines = [
    '#!/bin/sh',
    `export APPIMAGE="$(realpath "$0")" APPDIR='${folder}'`,
    'exec "$APPDIR/modelport" "$@"',
  ]
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o755 })
  await chown(file, nobody, nobody)
}

async function checkOff(stage: Stage): Promise<string> {
  const { app, feed } = stage
  await setMode(stage, 'off')
  await openUpdates(stage)
  await app.until('the words', `document.body.textContent.includes('Updates are off.')`)
  expect('the phase', (await stepTo(stage, 'check')).status, 'idle')
  expect('a button that checks', await hasButton(stage, 'Check for updates'), false)
  expect('requests to the feed', feed.requests.length, 0)
  await setMode(stage, 'manual')
  return 'no button, and a call changes nothing: 0 requests to the feed'
}

function hasButton({ app }: Stage, label: string): Promise<boolean> {
  return app.run(
    `[...document.querySelectorAll('button')].some((b) => b.textContent.trim().startsWith('${label}'))`,
  )
}

async function checkBadFeeds(stage: Stage): Promise<string> {
  const { feedDir } = stage
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
  expect('packages downloaded', downloads(stage), 0)
  return 'an older version, a changed list, another key and no signature are refused; nothing was downloaded'
}

function downloads({ feed }: Stage): number {
  return feed.requests.filter((path) => path.endsWith('.AppImage')).length
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
  expect('packages downloaded', downloads(stage), 0)
  return 'skipped, also after a restart, until it was wanted again; nothing was downloaded'
}

async function checkReadOnly(stage: Stage): Promise<string> {
  const { appsDir, feed } = stage
  feed.forget()
  expect('the problem', problemIn(await stepTo(stage, 'download')), 'read_only')
  expect('requests', feed.requests.length, 0)
  // Of "nobody", as an ordinary user's folder would be.
  await chown(appsDir, nobody, nobody)
  return 'named before anything is downloaded'
}

async function checkBadPackages(stage: Stage): Promise<string> {
  const { packageFile, feed, home } = stage
  await appendFile(packageFile, '#')
  expect('a tampered package', problemIn(await stepTo(stage, 'download')), 'damaged_package')
  await writeAppImage(packageFile, join(packageFile, '..', '..', newVersion))
  feed.cutNextPackage(0.4)
  expect('an interrupted download', problemIn(await stepTo(stage, 'download')), 'unreachable')
  const pending = join(home, '.cache', 'modelport-updater', 'pending')
  const left = existsSync(pending) ? readdirSync(pending) : []
  expect('files left', left.join(), '')
  return 'both are refused and deleted'
}

async function checkTaken(stage: Stage): Promise<string> {
  const { app, dataDir, appsDir } = stage
  const before = ledgerOf(stage)
  const facts = await app.facts()
  await openUpdates(stage)
  await app.click('Download again')
  const { ended } = await startStream(stage)
  await app.click('Install and restart')
  expect('the version', (await app.restarted(facts)).version, newVersion)
  await ended
  expect('the files', readdirSync(appsDir).join(), 'Modelport für alle.AppImage')
  const copy = join(dataDir, 'backups', `before-${newVersion}.db`)
  same('the copy', ledgerOf(stage), ledgerIn(copy))
  expect('the schema', schemaOf(join(dataDir, 'modelport.db')), addedSchema)
  await sendRequests(stage, 3)
  expect('the requests', ledgerOf(stage).requests, before.requests + 4)
  return `the stream in progress ended, then 0.3.0 ran from the same file with schema ${addedSchema}; the copy holds ${text(ledgerIn(copy))}, and 3 more were written`
}

async function checkUndone(stage: Stage): Promise<string> {
  const { app, dataDir, appImage, oldDir } = stage
  const before = ledgerOf(stage)
  await openUpdates(stage)
  await app.click(`Go back to ${oldVersion}`)
  await app.until('the words', `document.body.textContent.includes('Stay with this version')`)
  await app.quit()
  await writeAppImage(appImage, oldDir)
  expect('the version', (await app.start()).version, oldVersion)
  const schema = schemaOf(join(dataDir, 'modelport.db'))
  if (schema === addedSchema) throw new SetupError('The database has the schema of 0.3.0.')
  const { restored } = await stateOf(stage)
  same('the database of 0.3.0', before, ledgerIn(restored?.keptAs ?? ''))
  expect('its schema', schemaOf(restored?.keptAs ?? ''), addedSchema)
  const own = ledgerOf(stage)
  await sendRequests(stage, 1)
  expect('the next check', (await checkNow(stage)).status, 'skipped')
  await app.quit()
  return `0.2.0 runs with schema ${schema} and ${text(own)}; the database of 0.3.0 is kept with ${text(before)}, and 0.3.0 is not offered again`
}

async function checkFolder(folderStage: Stage): Promise<string> {
  const { home, oldDir, feedDir } = folderStage
  const executable = join(oldDir, 'modelport')
  const packageFile = join(feedDir, `modelport-${newVersion}-linux-x64.tar.gz`)
  await writeFile(packageFile, 'a package')
  const opened = await openApp({ home, name: 'data of the folder', executable })
  const stage = { ...folderStage, ...opened, packageFile }
  try {
    await stage.app.start()
    await publish(stage, newVersion)
    await openUpdates(stage)
    await stage.app.click('Check for updates')
    const link = `document.querySelector('a[href$=".tar.gz"]')?.href ?? null`
    await stage.app.until('the link', link)
    expect('a button that downloads', await hasButton(stage, 'Download'), false)
    return `the link ${await stage.app.run<string>(link)}, and no button that downloads`
  } finally {
    stage.app.end()
  }
}
