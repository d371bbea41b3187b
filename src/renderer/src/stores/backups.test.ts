import { expect, test } from 'vitest'
import type { BackupCopy } from '../../../shared/app/backups.ts'
import { newestRestorable, restoreWords } from './backups.ts'

const counts = { routers: 2, keys: 1, requests: 1_200, conversations: 0 }
const done = {
  status: 'done' as const,
  createdAtMs: Date.UTC(2026, 10, 22, 12),
  counts,
  salvagedRequests: 0,
  keptAs: 'modelport.before-restore-20261122T130000000Z.db',
}

test('a restore says what it put in place and where the previous database is', () => {
  expect(restoreWords(done)).toMatch(
    /^Restored the copy of .*2026.*: 2 routers, 1 key, 1,200 requests, 0 conversations\. The previous database is kept as modelport\.before-restore-20261122T130000000Z\.db\.$/,
  )
})

test('a restore over a damaged database says how many requests were added', () => {
  expect(restoreWords({ ...done, salvagedRequests: 40 })).toContain(
    '40 newer requests were added from the damaged database.',
  )
})

test('a restore that failed says why', () => {
  expect(restoreWords({ status: 'failed', message: 'The disk is full.' })).toBe(
    'The copy was not restored. The disk is full.',
  )
})

test('copies that this version cannot restore do not take the place of those it can', () => {
  const copy = (name: string, canRestore: boolean): BackupCopy => ({
    name,
    kind: 'daily',
    createdAtMs: 0,
    bytes: 1,
    counts,
    canRestore,
  })
  const ofNewerVersion = ['d', 'c', 'b', 'a'].map((name) => copy(name, false))
  const list = { current: null, copies: [...ofNewerVersion, copy('before-0.2.0', true)] }
  expect(newestRestorable(list, 4).map(({ name }) => name)).toEqual(['before-0.2.0'])
})
