import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Release, UpdateMode, UpdatePhase } from '../../shared/updates.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { openRecord } from './record.ts'
import { UpdateProblem } from './update-problem.ts'
import { Updates, type Updater, type UpdatesOptions } from './updates.ts'

const release: Release = { version: '0.2.0', notes: 'Faster.', publishedAtMs: null, bytes: 100 }
const dayMs = 86_400_000

/** Records what was asked of it. A step that fails is given by its error. */
function fakeUpdater(
  offered: Release | null,
  failures: { download?: Error; install?: Error } = {},
) {
  const calls: string[] = []
  const updater: Updater = {
    check() {
      calls.push('check')
      return Promise.resolve(offered)
    },
    download(_release, { onProgress }) {
      calls.push('download')
      onProgress(40)
      return failures.download ? Promise.reject(failures.download) : Promise.resolve()
    },
    install() {
      calls.push('install')
      return failures.install ? Promise.reject(failures.install) : Promise.resolve()
    },
  }
  return { updater, calls }
}

function open(
  updater: Updater,
  changes: Partial<UpdatesOptions> & { mode?: () => UpdateMode } = {},
) {
  const phases: UpdatePhase[] = []
  const found: string[] = []
  const bugs: unknown[] = []
  let opened = 0
  const options: UpdatesOptions = {
    version: '0.1.0',
    feedUrl: 'https://updates.example.com/',
    openUpdater() {
      opened += 1
      return Promise.resolve(updater)
    },
    wayBack: { version: () => Promise.resolve(null), hasCopy: () => true, start: () => {} },
    mode: () => 'manual',
    record: openRecord(join(temporaryFolder(), 'updates', 'window.json'), () => {}),
    history: () => Promise.resolve(null),
    now: () => 5 * dayMs,
    onState: ({ phase }) => void phases.push(phase),
    onFound: ({ version }) => void found.push(version),
    onBug: (error) => void bugs.push(error),
    ...changes,
  }
  const statuses = () => phases.map(({ status }) => status)
  return {
    updates: new Updates(options),
    options,
    phases,
    statuses,
    found,
    bugs,
    opened: () => opened,
  }
}

test('an update is offered, downloaded and installed, each after its own step', async () => {
  const { updater, calls } = fakeUpdater(release)
  const { updates, statuses, phases } = open(updater)
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
    const { updates, opened } = open(updater, changes)
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
  const { updates } = open(updater, { mode: () => mode })
  await updates.check()
  mode = 'off'
  await updates.download()
  expect(calls).toEqual(['check'])
})

test('a skipped version is not offered again, also after a restart, until the user wants it', async () => {
  const { updater, calls } = fakeUpdater(release)
  const { updates, options, found } = open(updater)
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

test('daily checks run once a day and only where the user chose them', async () => {
  let nowMs = 5 * dayMs
  const { updater, calls } = fakeUpdater(null)
  const manual = open(updater)
  await manual.updates.checkDaily()
  expect(calls).toEqual([])
  const { updates, found } = open(updater, { mode: () => 'daily', now: () => nowMs })
  await updates.checkDaily()
  nowMs += dayMs - 1
  await updates.checkDaily()
  expect(calls).toEqual(['check'])
  nowMs += 1
  await updates.checkDaily()
  expect(calls).toEqual(['check', 'check'])
  expect(found).toEqual([])
})

test('a check that finds nothing newer says so', async () => {
  const { updates } = open(fakeUpdater(null).updater)
  const { phase, lastCheckedAtMs } = await updates.check()
  expect(phase).toEqual({ status: 'current' })
  expect(lastCheckedAtMs).toBe(5 * dayMs)
})

test('a failed download names its problem and can be repeated', async () => {
  const { updater, calls } = fakeUpdater(release, {
    download: new UpdateProblem('damaged_package'),
  })
  const { updates, bugs } = open(updater)
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

test('errors of the network, the disk and the package manager have their own words', async () => {
  const cases = [
    [Object.assign(new Error('x'), { code: 'ENOSPC' }), 'disk_full'],
    [Object.assign(new Error('x'), { code: 'EROFS' }), 'read_only'],
    [Object.assign(new Error('x'), { code: 'ERR_CHECKSUM_MISMATCH' }), 'damaged_package'],
    [new Error('net::ERR_CONNECTION_REFUSED'), 'unreachable'],
    [new Error('Command pkexec exited with code 126'), 'installer_refused'],
  ] as const
  for (const [error, problem] of cases) {
    const { updates } = open(fakeUpdater(release, { install: error }).updater)
    await updates.check()
    await updates.download()
    expect((await updates.install()).phase).toMatchObject({ step: 'install', problem })
  }
})

test('an unexpected error is reported, and its text stays out of the window', async () => {
  const secret = new Error('token sk-secret')
  const { updates, bugs } = open(fakeUpdater(release, { download: secret }).updater)
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
    download: (_release, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('cancelled')))
        begin()
      }),
  }
  const { updates } = open(hanging)
  await updates.check()
  const downloaded = updates.download()
  await begun
  await updates.cancelDownload()
  expect((await downloaded).phase).toEqual({ status: 'available', release })
})

test('a download that is cancelled before it begins connects to nothing', async () => {
  const { updater, calls } = fakeUpdater(release)
  const { updates } = open(updater)
  await updates.check()
  const downloaded = updates.download()
  await updates.cancelDownload()
  expect((await downloaded).phase).toEqual({ status: 'available', release })
  expect(calls).toEqual(['check'])
})

test('going back starts the version before with its copy, and skips the version that was left', async () => {
  const started: unknown[] = []
  const before = { fromVersion: '0.0.9', file: '/copies/before-0.1.0.db', atMs: 1 }
  const { updates, options } = open(fakeUpdater(null).updater, {
    wayBack: {
      version: () => Promise.resolve('0.0.9'),
      hasCopy: () => true,
      start: (restoreFrom) => void started.push(restoreFrom),
    },
    history: () =>
      Promise.resolve({
        version: '0.1.0',
        before,
        restoreFrom: null,
        restored: null,
        restoreProblem: null,
      }),
  })
  expect((await updates.state()).previous).toMatchObject({ version: '0.0.9', isInstalled: true })
  await updates.goBack()
  expect(started).toEqual([{ file: before.file, forVersion: '0.0.9' }])
  expect(options.record.read().skippedVersion).toBe('0.1.0')
})

test('without the version before in its place there is nothing to go back to', async () => {
  const started: unknown[] = []
  const { updates } = open(fakeUpdater(null).updater, {
    wayBack: {
      version: () => Promise.resolve('0.0.8'),
      hasCopy: () => true,
      start: (restoreFrom) => void started.push(restoreFrom),
    },
    history: () =>
      Promise.resolve({
        version: '0.1.0',
        before: { fromVersion: '0.0.9', file: '/copies/before-0.1.0.db', atMs: 1 },
        restoreFrom: null,
        restored: null,
        restoreProblem: null,
      }),
  })
  expect((await updates.state()).previous).toMatchObject({ isInstalled: false })
  await updates.goBack()
  expect(started).toEqual([])
})

test('a failed exchange of folders is shown once, at the next start', async () => {
  const { options } = open(fakeUpdater(null).updater)
  options.record.change({ failedInstall: { step: 'install', kind: 'read_only' } })
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
  const { options } = open(fakeUpdater(null).updater, { record })
  record.change({ failedInstall: { step: 'install', kind: 'read_only' } })

  expect((await new Updates(options).state()).phase).toMatchObject({ problem: 'read_only' })

  expect(errors).toHaveLength(2)
})

test('without the copy of the database there is nothing to go back to', async () => {
  const started: unknown[] = []
  const { updates } = open(fakeUpdater(null).updater, {
    wayBack: {
      version: () => Promise.resolve('0.0.9'),
      hasCopy: () => false,
      start: (restoreFrom) => void started.push(restoreFrom),
    },
    history: () =>
      Promise.resolve({
        version: '0.1.0',
        before: { fromVersion: '0.0.9', file: '/copies/before-0.1.0.db', atMs: 1 },
        restoreFrom: null,
        restored: null,
        restoreProblem: null,
      }),
  })
  expect((await updates.state()).previous).toMatchObject({ isInstalled: false })
  await updates.goBack()
  expect(started).toEqual([])
})
