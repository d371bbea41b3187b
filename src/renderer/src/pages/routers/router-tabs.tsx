import { Link } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { searchOfFilter } from '../../usage/request-links.ts'
import { useAddressSearch } from '../../usage/search.ts'
import type { RouterPart } from '../../../../shared/routers/router-fields.ts'
import { t } from '../../../../shared/strings/strings.ts'

export const routerTabs = [
  'overview',
  'models',
  'strategy',
  'limits',
  'reliability',
  'privacy',
  'use',
] as const
export type RouterTab = (typeof routerTabs)[number]

export const tabLabels: Record<RouterTab, string> = {
  overview: t('Overview'),
  models: t('Models'),
  strategy: t('Strategy'),
  limits: t('Limits'),
  reliability: t('Reliability'),
  privacy: t('Privacy'),
  use: t('Use'),
}

/** The tab in the address (`?tab=models`); the overview without one. */
export function useRouterTab(): RouterTab {
  const { tab } = useAddressSearch()
  return routerTabs.find((known) => known === tab) ?? 'overview'
}

const tabClass =
  'flex items-center gap-1.5 border-b-2 border-transparent px-2.5 py-1.5 text-sm whitespace-nowrap text-muted -outline-offset-2 hover:text-ink data-[open=true]:border-accent data-[open=true]:text-ink'

interface RouterTabsProps {
  routerId: string
  changed: readonly RouterPart[]
  /** Beside the tabs. */
  children?: ReactNode
}

/** The parts of a router's page. A dot marks those with unsaved changes. */
export function RouterTabs({ routerId, changed, children }: RouterTabsProps) {
  const shown = useRouterTab()
  const search = useAddressSearch()
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line">
      <nav
        aria-label={t('Parts of the router')}
        className="-mb-px flex min-w-0 gap-1 overflow-x-auto [scrollbar-width:none]"
      >
        {routerTabs.map((tab) => (
          <Link
            key={tab}
            to="/routers/$routerId"
            params={{ routerId }}
            search={{ ...search, tab: tab === 'overview' ? undefined : tab }}
            activeOptions={{ exact: true, includeSearch: true }}
            data-open={tab === shown}
            className={tabClass}
          >
            {tabLabels[tab]}
            {changed.some((part) => part === tab) && (
              <span className="size-1.5 rounded-full bg-warn">
                <span className="sr-only">{t('(unsaved)')}</span>
              </span>
            )}
          </Link>
        ))}
        <Link
          to="/requests"
          search={{ ...searchOfFilter({ routerId }), range: search['range'] }}
          className={tabClass}
        >
          {t('Requests')} <ArrowUpRight size={13} aria-hidden />
        </Link>
      </nav>
      {children}
    </div>
  )
}
