import { useEffect, useRef, useState, type ReactNode } from 'react'
import { PageTabs } from '../../components/page-tabs.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { filterOfSearch } from '../../usage/request-links.ts'
import { useAddressSearch, useSetSearch } from '../../usage/search.ts'
import { FilterBar } from './filter-bar.tsx'
import { filterNames, filterTitles, usualRange, type FilterName } from './filter-words.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface ActivityHeadProps {
  view: 'requests' | 'charts' | 'sessions' | 'refused' | 'reconcile'
  /** The parts of the filter that the view can apply. */
  applied: readonly FilterName[]
  actions?: ReactNode
  /** Content at the end of the line with the filters. */
  children?: ReactNode
}

/** The title, the views and the filters, the same in each view. */
export function ActivityHead({ view, applied, actions, children }: ActivityHeadProps) {
  return (
    <>
      <header className="flex min-h-8 shrink-0 items-start justify-between gap-6">
        <h1 className="text-xl font-semibold tracking-tight">{t('Activity')}</h1>
        <div className="flex shrink-0 items-center gap-2">{actions}</div>
      </header>
      <PageTabs
        label={t('Views')}
        parameter="view"
        open={view}
        tabs={[
          { name: 'requests', title: t('Requests') },
          { name: 'charts', title: t('Charts') },
          { name: 'sessions', title: t('Sessions') },
          { name: 'refused', title: t('Refused requests') },
          { name: 'reconcile', title: t('Reconcile') },
        ]}
      />
      {view !== 'sessions' && view !== 'reconcile' && (
        <>
          <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2">
            <RangePicker usual={usualRange} />
            <TextSearch />
            <FilterBar />
            {children}
          </div>
          <NotApplied applied={applied} />
        </>
      )}
    </>
  )
}

/** Rests until a word is typed: each change searches the whole ledger. */
const restMs = 250

function TextSearch() {
  const { text = '' } = useAddressSearch()
  const setSearch = useSetSearch()
  const [typed, setTyped] = useState({ text, of: text })
  // Back, or a filter that was cleared. A space at the end is being typed.
  if (typed.of !== text)
    setTyped({ text: typed.text.trim() === text ? typed.text : text, of: text })
  const wait = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(wait.current), [])
  return (
    <SearchField
      label={t('Search requests')}
      placeholder={t('Search errors, models, tags')}
      value={typed.text}
      onChange={(next) => {
        setTyped({ text: next, of: text })
        clearTimeout(wait.current)
        wait.current = setTimeout(() => {
          const wanted = next.trim()
          setSearch({ text: wanted === '' ? undefined : wanted }, { replace: true })
        }, restMs)
      }}
    />
  )
}

/** The parts of the filter that this view does not know. */
function NotApplied({ applied }: { applied: readonly FilterName[] }) {
  const filter: Partial<Record<string, unknown>> = filterOfSearch(useAddressSearch())
  const others = filterNames.filter((name) => filter[name] !== undefined && !applied.includes(name))
  if (others.length === 0) return null
  return (
    <p role="status" className="text-sm text-warn">
      {t(
        'This view cannot be filtered by: {filters}. It counts every request of the other filters.',
        {
          filters: joinWords(others.map((name) => filterTitles[name])),
        },
      )}
    </p>
  )
}
