import { Boxes } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { formatCount } from '../../../../shared/strings/format.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState, Loaded } from '../../components/page.tsx'
import { useOpenTab } from '../../components/page-tabs.tsx'
import { useNow } from '../../components/use-now.ts'
import { useFocusBack } from '../../components/use-pane-focus.ts'
import { useCatalog } from '../../stores/catalog.ts'
import { useCatalogModels } from '../../stores/models.ts'
import type { ListState } from '../../stores/list.ts'
import { useReport } from '../../stores/reports.ts'
import { todayAt } from '../../usage/today.ts'
import type { ListedModel } from '../../../../shared/models/listed-model.ts'
import { ModelDetails } from './model-details.tsx'
import { ModelFilters } from './model-filters.tsx'
import { rowsOf } from './model-rows.ts'
import { ModelTable } from './model-table.tsx'
import { ModelTabs } from './model-tabs.tsx'
import { ProviderList } from './provider-list.tsx'
import { useModelFilter } from './use-model-filter.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

/** The list as it was is drawn before it is read again: a thousand models take a while to arrive. */
const rereadAfterMs = 300

/** The providers, and every model of theirs and of the catalogue. */
export function ModelsPage() {
  const view = useOpenTab('view', ['models', 'providers'])
  return view === 'providers' ? <ProviderList /> : <AllModels />
}

function AllModels() {
  const models = useCatalogModels()
  const { load } = models
  useEffect(() => {
    const isLoaded = useCatalogModels.getState().items !== null
    const timer = setTimeout(() => void load(), isLoaded ? rereadAfterMs : 0)
    return () => clearTimeout(timer)
  }, [load])
  return (
    <main className="relative flex h-full" tabIndex={-1}>
      <Models models={models} />
    </main>
  )
}

function Models({ models }: { models: ListState<ListedModel> }) {
  const listed = models.items
  const { wanted, openId, setSearch } = useModelFilter()
  const today = useToday()
  const rows = listed && rowsOf(listed, wanted)
  const open = listed?.find(({ model }) => model.id === openId)
  const list = useRef<HTMLDivElement>(null)
  useFocusBack(open?.model.id ?? null, (closedId) => focusRow(list.current, closedId))
  return (
    <>
      <div
        ref={list}
        className={`flex min-w-0 flex-1 flex-col gap-3 overflow-hidden px-5 py-5 [scrollbar-gutter:stable] min-[60rem]:px-8 min-[60rem]:py-7 [@media(max-height:35rem)]:py-3 ${open ? 'max-[70rem]:invisible' : ''}`}
      >
        <header className="flex min-h-8 flex-wrap items-baseline gap-x-4 gap-y-1">
          <h1 className="text-xl font-semibold tracking-tight">{t('Models')}</h1>
          <p className="text-sm text-muted [@media(max-height:35rem)]:sr-only">
            <CatalogDate /> {t('Prices in US dollars per million tokens.')}
          </p>
          <p role="status" className="ml-auto text-xs text-muted tabular-nums">
            {rows &&
              t('{shown} of {count, plural, one {# model} other {# models}}', {
                shown: formatCount(rows.length),
                count: listed.length,
              })}
          </p>
        </header>
        <ModelTabs open="models" />
        <Loaded list={models} what={t('models')}>
          {(items) => <ModelList listed={items} rows={rows ?? []} />}
        </Loaded>
      </div>
      {open && (
        <ModelDetails
          row={open}
          figures={today.get(open.model.id)}
          onClose={() => setSearch({ model: undefined })}
        />
      )}
    </>
  )
}

interface ModelListProps {
  listed: readonly ListedModel[]
  /** Those that match the filter. */
  rows: ReturnType<typeof rowsOf>
}

function ModelList({ listed, rows }: ModelListProps) {
  const { setSearch } = useModelFilter()
  const today = useToday()
  return (
    <>
      <ModelFilters listed={listed} />
      {rows.length === 0 ? (
        <EmptyState
          icon={Boxes}
          title={t('No models match')}
          action={
            <Button
              onClick={() =>
                setSearch({ q: undefined, provider: undefined, can: undefined, own: undefined })
              }
            >
              {t('Clear filters')}
            </Button>
          }
        >
          {t('Try another word, provider or ability.')}
        </EmptyState>
      ) : (
        <ModelTable rows={rows} today={today} />
      )}
    </>
  )
}

/** Focuses the row of a model, or the table when the row is not drawn. */
function focusRow(list: HTMLElement | null, modelId: string): void {
  const row = list?.querySelector<HTMLElement>(`[data-model="${CSS.escape(modelId)}"]`)
  const target = row ?? list?.querySelector<HTMLElement>('[role=region]')
  target?.focus()
}

function CatalogDate() {
  const { state, load } = useCatalog()
  useEffect(() => void load(), [load])
  return state && <>{rich('Catalogue of {asOf}.', { asOf: state.asOf })}</>
}

/** Today's figures by model id. */
function useToday() {
  const { report } = useReport({ ...todayAt(useNow()), group: 'model' })
  return useMemo(
    () => new Map((report?.groups ?? []).map(({ name, figures }) => [name, figures])),
    [report],
  )
}
