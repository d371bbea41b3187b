import { Link } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { PageTabs, tabClass } from '../../components/page-tabs.tsx'
import type { RouterPart } from '../../../../shared/routers/router-fields.ts'
import { searchOfFilter } from '../../usage/request-links.ts'
import { useAddressSearch } from '../../usage/search.ts'
import { t } from '../../../../shared/strings/strings.ts'

const routerTabs = ['overview', 'models', 'strategy', 'rules', 'tune', 'use'] as const
export type RouterTab = (typeof routerTabs)[number]

const tabLabels: Record<RouterTab, string> = {
  overview: t('Overview'),
  models: t('Models'),
  strategy: t('Strategy'),
  rules: t('Rules'),
  tune: t('Tune'),
  use: t('Use'),
}

export const partLabels: Record<RouterPart, string> = {
  models: t('Models'),
  strategy: t('Strategy'),
  limits: t('Limits'),
  reliability: t('Reliability'),
  privacy: t('Privacy'),
}

/** The tab with each part of the settings. */
export const tabOfPart: Record<RouterPart, RouterTab> = {
  models: 'models',
  strategy: 'strategy',
  limits: 'rules',
  reliability: 'rules',
  privacy: 'rules',
}

const tabsOfParts = new Map<string, RouterTab>(Object.entries(tabOfPart))

/** The tab in the address: `?tab=models`, or the one with the part `?tab=privacy`; the overview without one. */
export function useRouterTab(): RouterTab {
  const { tab = '' } = useAddressSearch()
  return routerTabs.find((known) => known === tab) ?? tabsOfParts.get(tab) ?? 'overview'
}

interface RouterTabsProps {
  routerId: string
  changed: readonly RouterPart[]
  /** Content beside the tabs. */
  children?: ReactNode
}

/** The parts of a router's page. A dot marks those with unsaved changes. */
export function RouterTabs({ routerId, changed, children }: RouterTabsProps) {
  const search = useAddressSearch()
  const open = useRouterTab()
  const unsaved = new Set(changed.map((part) => tabOfPart[part]))
  return (
    <PageTabs
      label={t('Parts of the router')}
      parameter="tab"
      open={open}
      tabs={routerTabs.map((name) => ({
        name,
        title: (
          <>
            {tabLabels[name]}
            {unsaved.has(name) && (
              <span className="size-1.5 rounded-full bg-warn">
                <span className="sr-only">{t('(unsaved)')}</span>
              </span>
            )}
          </>
        ),
      }))}
      elsewhere={
        <Link
          to="/activity"
          search={{ ...searchOfFilter({ routerId }), range: search['range'] }}
          className={tabClass}
        >
          {t('Activity')} <ArrowUpRight size={13} aria-hidden />
        </Link>
      }
    >
      {children}
    </PageTabs>
  )
}
