/**
 * Refuses every request while finished requests cannot be stored: a request without a row would count
 * against no budget. See docs/decisions/2026-11-22-full-disk.md.
 */
import { ServiceError } from '../errors.ts'
import type { StorageHealth } from '../storage/maintenance.ts'

interface RequestPath<Call, Admitted> {
  admit(call: Call): Promise<Admitted>
}

/** @returns the same path, whose `admit` also throws ServiceError storage_unavailable */
export function refuseDuringOutage<Call, Admitted>(
  path: RequestPath<Call, Admitted>,
  health: Pick<StorageHealth, 'outage'>,
): RequestPath<Call, Admitted> {
  return {
    // Not `async`: on nearly every request the guard is this one comparison.
    admit(call) {
      const outage = health.outage()
      return outage === null ? path.admit(call) : Promise.reject(refusal(outage.cause))
    },
  }
}

function refusal(cause: Error): ServiceError {
  return new ServiceError(
    'storage_unavailable',
    'The database cannot be written, so the request could not be recorded and was not sent. Modelport keeps trying; free some disk space if the disk is full.',
    { cause, headers: { 'retry-after': '5' } },
  )
}
