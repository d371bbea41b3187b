/** Pages of a list as Anthropic's API has them. */
import { ServiceError } from '../../../errors.ts'

export interface Page<Item> {
  data: readonly Item[]
  has_more: boolean
  first_id: string | null
  last_id: string | null
}

const defaultLimit = 20
const greatestLimit = 1000

/**
 * @param query  `limit`, and `after_id` or `before_id`
 * @throws ServiceError invalid_parameter
 */
export function pageOf<Item extends { id: string }>(
  items: readonly Item[],
  query: Readonly<Record<string, unknown>>,
): Page<Item> {
  const limit = readLimit(query['limit'])
  const after = placeOf(items, query, 'after_id')
  const before = placeOf(items, query, 'before_id')
  if (after !== null && before !== null) {
    throw new ServiceError('invalid_parameter', 'Send "after_id" or "before_id", not both.', {
      param: 'before_id',
    })
  }
  const start = before === null ? (after ?? -1) + 1 : Math.max(0, before - limit)
  const data = items.slice(start, before ?? start + limit)
  return {
    data,
    has_more: before === null ? start + data.length < items.length : start > 0,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}

function readLimit(value: unknown): number {
  if (value === undefined) return defaultLimit
  const limit = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : 0
  if (limit >= 1 && limit <= greatestLimit) return limit
  throw new ServiceError(
    'invalid_parameter',
    `"limit" must be a whole number from 1 to ${greatestLimit}.`,
    { param: 'limit' },
  )
}

/** @returns null without the parameter */
function placeOf(
  items: readonly { id: string }[],
  query: Readonly<Record<string, unknown>>,
  name: 'after_id' | 'before_id',
): number | null {
  if (query[name] === undefined) return null
  const place = items.findIndex(({ id }) => id === query[name])
  if (place !== -1) return place
  throw new ServiceError('invalid_parameter', `"${name}" is not the id of a listed model.`, {
    param: name,
  })
}
