import type { UsageFigures } from '../../../shared/requests/usage.ts'

/** Requests without an answer, also those that the caller ended: exactly the requests of the filter `end: error`. */
export function errorsOf({ requests, answered }: Pick<UsageFigures, 'requests' | 'answered'>) {
  return requests - answered
}
