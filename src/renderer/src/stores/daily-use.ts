import { useEffect, useMemo } from 'react'
import type { UsageReport } from '../../../shared/requests/usage.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'

const useDailyUses = createListStore(() => call('usage:daily'))

/**
 * The requests of today that count against each router's daily limit; null until they are loaded. The ledger also has
 * requests that do not count, such as those of tuning runs.
 * @param report  with which they are read again
 */
export function useDailyUse(report: UsageReport | null): ReadonlyMap<string, number> | null {
  const { items, load } = useDailyUses()
  useEffect(() => void load(), [report, load])
  return useMemo(
    () => items && new Map(items.map(({ routerId, requests }) => [routerId, requests])),
    [items],
  )
}
