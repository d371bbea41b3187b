/** The updates of the app with a feed and an installer that record what was asked of them. */
import { join } from 'node:path'
import { openRecord } from '../../src/main/updates/record.ts'
import { Updates, type Updater, type UpdatesOptions } from '../../src/main/updates/updates.ts'
import type { Release, UpdateMode, UpdatePhase } from '../../src/shared/app/updates.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'

export const release: Release = {
  version: '0.2.0',
  notes: 'Faster.',
  publishedAtMs: null,
  bytes: 100,
  link: null,
}
export const dayMs = 86_400_000

/** A step that fails is given by its error. */
export function fakeUpdater(
  offered: Release | null,
  failures: { download?: Error; install?: Error } = {},
) {
  const calls: string[] = []
  const updater: Updater = {
    needsPassword: false,
    check() {
      calls.push('check')
      return Promise.resolve(offered)
    },
    download({ onProgress }) {
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

export function openUpdates(
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
    wayBack: { hasCopy: () => true, restoreAtNextStart: () => Promise.resolve() },
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
