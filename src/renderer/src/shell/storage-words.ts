import type { StorageState } from '../../../shared/app/storage-state.ts'
import { joinSentences } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

const reasons = {
  disk_full: t('The disk is full, so Modelport is read-only: new requests are refused.'),
  read_only: t(
    'The database cannot be changed, so Modelport is read-only: new requests are refused.',
  ),
  error: t('The database cannot be written, so Modelport is read-only: new requests are refused.'),
} as const

const waysOut = {
  disk_full: t('Free at least 12 MiB; Modelport continues by itself.'),
  read_only: t('Check the permissions of the data folder; Modelport continues by itself.'),
  error: t('Check the disk; Modelport continues by itself.'),
} as const

/** Why requests are refused, what happens to those in progress, and the way out. */
export function outageWords({
  problem,
  canStoreRows,
}: NonNullable<StorageState['outage']>): string {
  const inProgress = canStoreRows
    ? t('Requests in progress are still recorded.')
    : t('Finished requests are kept in memory until the database can be written.')
  return joinSentences([reasons[problem], inProgress, waysOut[problem]])
}
