/**
 * Refuses every request while finished requests cannot be stored: a request without a row would count
 * against no budget. See docs/decisions/2026-11-22-full-disk.md.
 */
import { ServiceError } from '../../errors.ts'
import type { StorageHealth, StorageOutage } from '../../storage/maintenance.ts'

/** Why no request can be sent now; null when requests can be recorded. */
export function outageRefusal(health: Pick<StorageHealth, 'outage'>): ServiceError | null {
  const outage = health.outage()
  return outage === null ? null : refusal(outage.cause)
}

/**
 * Resolves when the row is stored, for an answer that may not end before (the setting `durability`).
 * @throws ServiceError storage_unavailable at the first outage; the row may still be stored later
 */
export function storedOrWithheld(appended: Promise<void>, health: StorageHealth): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(withheld(cause))
    const failIn = (outage: StorageOutage | null) => {
      if (outage !== null && !outage.canStoreRows) fail(outage.cause)
    }
    const stopListening = health.onChange(failIn)
    failIn(health.outage())
    void appended.then(resolve, fail).finally(stopListening)
  })
}

/** Error without automatic retries: a model was asked, so a client that retries would pay twice. */
function withheld(cause: unknown): ServiceError {
  return new ServiceError(
    'storage_unavailable',
    'The answer is withheld because the record of its request could not be stored (setting “durability”: strict).',
    { cause, headers: { 'retry-after': '5', 'x-should-retry': 'false' } },
  )
}

function refusal(cause: Error): ServiceError {
  return new ServiceError(
    'storage_unavailable',
    'The database cannot be written, so the request could not be recorded and was not sent. Modelport keeps trying; free some disk space if the disk is full.',
    { cause, headers: { 'retry-after': '5' } },
  )
}
