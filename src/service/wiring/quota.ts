import { uptime } from 'node:os'
import { join } from 'node:path'
import { QuotaMarks } from '../chat/admission/quota-marks.ts'
import { Quota, type OwnedMarks } from '../chat/admission/quota.ts'
import type { Workspace, WorkspaceOptions } from './workspace.ts'

/** @returns null for a command beside several services: what it leases is its own */
export function openQuotaMarks(
  { dataDir, isNode, now = Date.now }: WorkspaceOptions,
  { isShared }: Workspace['storage'],
): OwnedMarks | null {
  if (isShared && isNode !== true) return null
  const file = join(dataDir, 'dispatched-requests')
  const marks = new QuotaMarks(file, () => now() - uptime() * 1000)
  return { file: marks, role: isShared ? 'shared' : isNode === true ? 'service' : 'guest' }
}

/** The daily limits of all routers. */
export function createQuota({ storage, log, now, quotaMarks: marks }: Workspace): Quota {
  const onLostLease = (error: unknown) => log.failed('quota', error)
  const quota = new Quota(storage.quota, { now, onLostLease, marks })
  if (storage.isShared) quota.shareEachSecond()
  return quota
}
