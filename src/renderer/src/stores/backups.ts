import type { BackupCopy, BackupList, StorageCounts } from '../../../shared/app/backups.ts'
import { formatDateTime } from '../../../shared/strings/format.ts'
import type { RestoreOutcome } from '../../../shared/app/start-state.ts'
import { call } from './client.ts'
import { createLoadedStore } from './loaded.ts'
import { showToast } from './toasts.ts'
import { joinSentences } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Copies of the database. */
export const useBackups = createLoadedStore('list', () => call('backups:list'))

/** @throws CallError */
export async function backUpNow(): Promise<void> {
  const copy = await call('backups:create')
  showToast({ text: t('Backed up {counts}', { counts: countWords(copy.counts) }) })
  await useBackups.getState().load()
}

/** @throws CallError */
export async function saveCopyElsewhere(): Promise<void> {
  const saved = await call('backups:save-as')
  if (saved) showToast({ text: t('Saved a copy as {file}', { file: saved.file }) })
}

/** @throws CallError */
export async function removeBackup(name: string): Promise<void> {
  await call('backups:remove', { name })
  await useBackups.getState().load()
}

/** The newest copies that this version can restore. */
export function newestRestorable({ copies }: BackupList, most: number): BackupCopy[] {
  return copies.filter(({ canRestore }) => canRestore).slice(0, most)
}

/** Long enough to read two sentences. */
const stayMs = 30_000

/** Says what a restore did; the window has loaded again since. */
export function announceRestore(outcome: RestoreOutcome): void {
  showToast({ text: restoreWords(outcome), stayMs })
}

export function restoreWords(outcome: RestoreOutcome): string {
  if (outcome.status === 'failed')
    return t('The copy was not restored. {message}', { message: outcome.message })
  const { createdAtMs, counts, salvagedRequests, keptAs } = outcome
  const sentences = [
    t('Restored the copy of {date}: {counts}.', {
      date: formatDateTime(createdAtMs),
      counts: countWords(counts),
    }),
    ...(salvagedRequests > 0
      ? [
          t(
            '{count, plural, one {# newer request was} other {# newer requests were}} added from the damaged database.',
            { count: salvagedRequests },
          ),
        ]
      : []),
    ...(keptAs === null ? [] : [t('The previous database is kept as {name}.', { name: keptAs })]),
  ]
  return joinSentences(sentences)
}

/** `2 routers, 1 key, 120 requests, 3 conversations` */
function countWords(counts: StorageCounts | null): string {
  if (counts === null) return '—'
  const { routers, keys, requests, conversations } = counts
  return t(
    '{routers, plural, one {# router} other {# routers}}, {keys, plural, one {# key} other {# keys}}, {requests, plural, one {# request} other {# requests}}, {conversations, plural, one {# conversation} other {# conversations}}',
    { routers, keys, requests, conversations },
  )
}
