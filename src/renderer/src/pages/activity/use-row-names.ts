import { useMemo } from 'react'
import { useKeys } from '../../stores/keys.ts'
import { useRouters } from '../../stores/routers.ts'
import type { RowNames } from './columns.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** The names of routers and keys by their ids. */
export function useRowNames(): RowNames {
  const routers = useRouters((state) => state.items)
  const keys = useKeys((state) => state.items)
  return useMemo(() => {
    const routerNames = new Map(routers?.map(({ id, name }) => [id, name]))
    const keyNames = new Map(keys?.map(({ id, name }) => [id, name]))
    return {
      router: (id) => routerNames.get(id) ?? t('Deleted router'),
      key: (id) => (id === null ? null : (keyNames.get(id) ?? t('Deleted key'))),
    }
  }, [routers, keys])
}
