import { Quota } from '../chat/admission/quota.ts'
import type { Workspace } from './workspace.ts'

/** The daily limits of all routers. */
export function joinQuota({ storage, log, now }: Workspace): Quota {
  const quota = new Quota(storage.quota, now, (error) => log.failed('quota', error))
  if (storage.isShared) quota.shareEachSecond()
  return quota
}
