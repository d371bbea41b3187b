import { useEffect, useMemo } from 'react'
import type { UsageReport } from '../../../shared/requests/usage.ts'
import { useNow } from '../components/use-now.ts'
import { dayMs } from '../usage/range.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'
import { useRouters } from './routers.ts'

const useDailyUses = createListStore(() => call('usage:daily'))

/**
 * The requests of today that count against each router's daily limit; null until they are loaded. The ledger also has
 * requests that do not count, such as those of tuning runs and those before there was a limit.
 * @param report  with which they are read again
 */
export function useDailyUse(report: UsageReport | null): ReadonlyMap<string, number> | null {
  const { items, load } = useDailyUses()
  const routers = useRouters((state) => state.items)
  const day = Math.floor(useNow() / dayMs)
  // A limit may be new, and the count begins again at midnight UTC.
  useEffect(() => void load(), [report, routers, day, load])
  return useMemo(
    () => items && new Map(items.map(({ routerId, requests }) => [routerId, requests])),
    [items],
  )
}
