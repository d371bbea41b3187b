import type { Router } from '../../../shared/entities.ts'
import { ServiceError } from '../../errors.ts'

/** The refusal of a paused router; null for others. SDKs must not retry, because only a person resumes it. */
export function pauseRefusal({
  id,
  name,
  routing,
}: Pick<Router, 'id' | 'name' | 'routing'>): ServiceError | null {
  if (!routing.isPaused) return null
  const message = `The router "${name}" is paused. Resume it on its page, or with: modelport router update ${id} --no-pause`
  return new ServiceError('overloaded', message, {
    headers: { 'x-should-retry': 'false', 'retry-after': '60' },
  })
}
