import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { UpdateMode } from '../../shared/app/updates.ts'
import type { VersionHistory } from '../../service/upkeep/version-change.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { dayMs, fakeUpdater, openUpdates, release } from '../../../test/updates/fake-updater.ts'
import { openRecord } from './record.ts'
import { UpdateProblem } from './update-problem.ts'
import { Updates, type Updater } from './updates.ts'

test('an update is offered, downloaded and installed, each after its own step', async () => {
  const { updater, calls } = fakeUpdater(release)
  const { updates, statuses, phases } = openUpdates(updater)
  expect((await updates.state()).phase).toEqual({ status: 'idle' })
  await updates.download()
  await updates.install()
  expect(calls).toEqual([])
  expect((await updates.check()).phase).toEqual({ status: 'available', release })
  expect(calls).toEqual(['check'])
  await updates.install()
  expect(calls).toEqual(['check'])
  await updates.download()
  expect(phases).toContainEqual({ status: 'downloading', release, receivedBytes: 40 })
  await updates.install()
  expect(calls).toEqual(['check', 'download', 'install'])
  expect(statuses().at(-1)).toBe('installing')
})

test('off, and a build without a feed, connect to nothing and do not even load the updater', async () => {
  for (const changes of [{ mode: () => 'off' as const }, { feedUrl: null }]) {
    const { updater, calls } = fakeUpdater(release)
    const { updates, opened } = openUpdates(updater, changes)
    expect((await updates.check()).phase).toEqual({ status: 'idle' })
    await updates.checkDaily()
    await updates.download()
    expect(calls).toEqual([])
    expect(opened()).toBe(0)
  }
})

test('turning updates off withdraws an offer that was made before', async () => {
  let mode: UpdateMode = 'manual'
  const { updater, calls } = fakeUpdater(release)
  const { updates } = openUpdates(updater, { mode: () => mode })
  await updates.check()
  mode = 'off'
  await updates.download()
  expect(calls).toEqual(['check'])
})

test('a skipped version is not offered again, also after a restart, until the user wants it', async () => {
  const { updater, calls } = fakeUpdater(release)
  const { updates, options, found } = openUpdates(updater)
  await updates.check()
  await updates.skip()
  const restarted = new Updates({ ...options, mode: () => 'daily', now: () => 9 * dayMs })
  await restarted.checkDaily()
  expect((await restarted.state()).phase).toEqual({ status: 'skipped', release })
  expect(found).toEqual([])
  await restarted.download()
  expect(calls).toEqual(['check', 'check'])
  expect((await restarted.offer()).phase).toEqual({ status: 'available', release })
  const newer = { ...release, version: '0.3.0' }
  const next = new Updates({
    ...options,
    openUpdater: () => Promise.resolve(fakeUpdater(newer).updater),
  })
  expect((await next.check()).phase).toMatchObject({ status: 'available' })
})

test('a check that finds nothing newer says so', async () => {
  const { updates } = openUpdates(fakeUpdater(null).updater)
  const { phase, lastCheckedAtMs } = await updates.check()
  expect(phase).toEqual({ status: 'current' })
  expect(lastCheckedAtMs).toBe(5 * dayMs)
})

test('a failed download names its problem and can be repeated', async () => {
  const { updater, calls } = fakeUpdater(release, {
    download: new UpdateProblem('damaged_package'),
  })
  const { updates, bugs } = openUpdates(updater)
  await updates.check()
  const { phase } = await updates.download()
  expect(phase).toMatchObject({
    status: 'failed',
    step: 'download',
    problem: 'damaged_package',
    release,
  })
  await updates.install()
  await updates.download()
  expect(calls).toEqual(['check', 'download', 'download'])
  expect(bugs).toEqual([])
})

test('errors of the network, the disk and the password have their own words', async () => {
  const cases = [
    [Object.assign(new Error('x'), { code: 'ENOSPC' }), 'disk_full'],
    [Object.assign(new Error('x'), { code: 'EROFS' }), 'read_only'],
    [Object.assign(new Error('x'), { code: 'ERR_CHECKSUM_MISMATCH' }), 'damaged_package'],
    [new Error('net::ERR_CONNECTION_REFUSED'), 'unreachable'],
    [new UpdateProblem('not_authorized'), 'not_authorized'],
  ] as const
  for (const [error, problem] of cases) {
    const { updates } = openUpdates(fakeUpdater(release, { install: error }).updater)
    await updates.check()
    await updates.download()
    expect((await updates.install()).phase).toMatchObject({ step: 'install', problem })
  }
})

test('an unexpected error is reported, and its text stays out of the window', async () => {
  const secret = new Error('token sk-secret')
  const { updates, bugs } = openUpdates(fakeUpdater(release, { download: secret }).updater)
  await updates.check()
  const { phase } = await updates.download()
  expect(JSON.stringify(phase)).not.toContain('sk-secret')
  expect(phase).toMatchObject({ problem: 'unexpected' })
  expect(bugs).toEqual([secret])
})

test('a cancelled download offers the version again', async () => {
  const { updater } = fakeUpdater(release)
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const hanging: Updater = {
    ...updater,
    download: ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('cancelled')))
        begin()
      }),
  }
  const { updates } = openUpdates(hanging)
  await updates.check()
  const downloaded = updates.download()
  await begun
  await updates.cancelDownload()
  expect((await downloaded).phase).toEqual({ status: 'available', release })
})

test('a download that is cancelled before it begins connects to nothing', async () => {
  const { updater, calls } = fakeUpdater(release)
  const { updates } = openUpdates(updater)
  await updates.check()
  const downloaded = updates.download()
  await updates.cancelDownload()
  expect((await downloaded).phase).toEqual({ status: 'available', release })
  expect(calls).toEqual(['check'])
})

/** An app whose version before is 0.0.9. */
function openAfterUpdate(hasCopy: boolean) {
  const nothing = { restored: null, restoreProblem: null }
  const before = { fromVersion: '0.0.9', file: '/copies/before-0.1.0.db', atMs: 1 }
  const history: VersionHistory = { version: '0.1.0', before, restoreFrom: null, ...nothing }
  return openUpdates(fakeUpdater(null).updater, {
    wayBack: {
      hasCopy: () => hasCopy,
      restoreAtNextStart: async (restoreFrom) => void (history.restoreFrom = restoreFrom),
    },
    history: async () => history,
  })
}

test('the version before gets its copy at its next start, and skips the version that was left', async () => {
  const { updates, options } = openAfterUpdate(true)
  expect((await updates.state()).previous).toMatchObject({ version: '0.0.9', isChosen: false })
  expect((await updates.goBack()).previous).toMatchObject({ isChosen: true })
  expect((await options.history())?.restoreFrom).toEqual({
    file: '/copies/before-0.1.0.db',
    forVersion: '0.0.9',
  })
  expect(options.record.read().skippedVersion).toBe('0.1.0')
})

test('who stays with this version restores nothing later', async () => {
  const { updates, options } = openAfterUpdate(true)
  await updates.goBack()
  expect((await updates.stay()).previous).toMatchObject({ isChosen: false })
  expect((await options.history())?.restoreFrom).toBeNull()
  expect(options.record.read().skippedVersion).toBeNull()
})

test('without the copy of the database there is nothing to go back to', async () => {
  const { updates, options } = openAfterUpdate(false)
  expect((await updates.state()).previous).toMatchObject({ hasCopy: false })
  await updates.goBack()
  expect((await options.history())?.restoreFrom).toBeNull()
})

test('an app in a plain folder is told of a version, and downloads nothing', async () => {
  const linked = { ...release, link: 'https://updates.example.com/modelport-0.2.0.tar.gz' }
  const { updater, calls } = fakeUpdater(linked)
  const { updates } = openUpdates(updater)
  await updates.check()
  expect((await updates.download()).phase).toEqual({ status: 'available', release: linked })
  expect(calls).toEqual(['check'])
})

test('a failed installation is shown once, at the next start', async () => {
  const { options } = openUpdates(fakeUpdater(null).updater)
  options.record.change({ failedInstall: 'read_only' })
  expect((await new Updates(options).state()).phase).toMatchObject({ problem: 'read_only' })
  expect((await new Updates(options).state()).phase).toEqual({ status: 'idle' })
})

test('a record that cannot be written does not keep the app from starting', async () => {
  const folder = temporaryFolder()
  mkdirSync(folder, { recursive: true })
  // A file where the folder should be.
  writeFileSync(join(folder, 'updates'), '')
  const errors: unknown[] = []
  const record = openRecord(join(folder, 'updates', 'window.json'), (error) => errors.push(error))
  const { options } = openUpdates(fakeUpdater(null).updater, { record })
  record.change({ failedInstall: 'read_only' })

  expect((await new Updates(options).state()).phase).toMatchObject({ problem: 'read_only' })

  expect(errors).toHaveLength(2)
})

test('an installation without the password leaves this version running and can be tried again', async () => {
  const { updater, calls } = fakeUpdater(release)
  let isCancelled = true
  const { updates, statuses, phases } = openUpdates({
    ...updater,
    needsPassword: true,
    install: () =>
      isCancelled ? Promise.reject(new UpdateProblem('not_authorized')) : updater.install(),
  })
  await updates.check()
  await updates.download()
  const { phase } = await updates.install()
  expect(phase).toMatchObject({ step: 'install', problem: 'not_authorized', release })
  expect(phases).toContainEqual({ status: 'installing', version: '0.2.0', needsPassword: true })
  isCancelled = false
  await updates.install()
  expect(calls).toEqual(['check', 'download', 'install'])
  expect(statuses().at(-1)).toBe('installing')
})
