import { Skeleton } from '../../components/page.tsx'
import { Columns3, Pause, Play } from 'lucide-react'
import { Menu } from '@base-ui/react/menu'
import { useCallback, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { Button, buttonClass } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { PopupContext } from '../../components/popup-layer.tsx'
import { useFocusBack } from '../../components/use-pane-focus.ts'
import {
  closeRequestList,
  openRequestList,
  reloadRequestList,
  useRequestList,
} from '../../stores/request-list.ts'
import { rangeAt } from '../../usage/range.ts'
import { filterOfSearch, searchOfFilter } from '../../usage/request-links.ts'
import { useAddressSearch, useSetSearch } from '../../usage/search.ts'
import { ActivityHead } from './activity-head.tsx'
import { columnNames, columnOf } from './columns.tsx'
import { NoMatches, NoRequests } from './empty-lists.tsx'
import { itemClass } from './filter-choices.tsx'
import { filterNames, isChosenRange, readAddress } from './filter-words.ts'
import { Inspector } from './inspector.tsx'
import { RequestTable } from './request-table.tsx'
import { toggleColumn, useColumns } from './use-columns.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** All requests of all routers: a filter, a live list, and the details of one request. */
export function RequestsView() {
  const { hasFilter } = useAddressList()
  const { request: openId = null } = useAddressSearch()
  const setSearch = useSetSearch()
  const [isPaused, setIsPaused] = useState(false)
  const scroller = useRef<HTMLDivElement>(null)
  const onOpen = useStable((id: string) => setSearch({ request: id }, { replace: openId !== null }))

  useFocusBack(openId, () => scroller.current?.focus())
  return (
    <main className="relative flex h-full" tabIndex={-1}>
      <div
        className={`flex min-w-0 flex-1 flex-col gap-3 overflow-hidden px-5 py-5 [scrollbar-gutter:stable] min-[60rem]:px-8 min-[60rem]:py-7 [@media(max-height:35rem)]:py-3 ${openId === null ? '' : 'max-[70rem]:invisible'}`}
      >
        <ActivityHead
          view="requests"
          applied={filterNames}
          actions={
            <>
              <Button aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
                {isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
                {isPaused ? t('Resume') : t('Pause')}
              </Button>
              <ColumnsMenu />
            </>
          }
        >
          <ListState
            isPaused={isPaused}
            onShowNew={() => {
              scroller.current?.scrollTo({ top: 0 })
              void reloadRequestList()
            }}
          />
        </ActivityHead>
        <List hasFilter={hasFilter}>
          <RequestTable {...{ isPaused, openId, onOpen, scroller }} />
        </List>
      </div>
      {openId !== null && (
        <Inspector
          key={openId}
          requestId={openId}
          onClose={() => setSearch({ request: undefined })}
        />
      )}
    </main>
  )
}

/** Opens the list of the address's filter. A range begins when it is opened, so that the list stays the same. */
function useAddressList(): { hasFilter: boolean } {
  const { filter, range } = readAddress(useAddressSearch())
  const key = JSON.stringify(searchOfFilter(filter))
  useEffect(() => {
    // Written above.
    const wanted = filterOfSearch(JSON.parse(key) as Record<string, string>)
    const fromMs = range === null ? {} : { fromMs: rangeAt(range, Date.now()).fromMs }
    void openRequestList({ ...wanted, ...fromMs })
    return closeRequestList
  }, [key, range])
  return { hasFilter: isChosenRange(range) || key !== '{}' }
}

/** A function that stays the same and calls the newest one, so that rows are not drawn again. */
function useStable(act: (id: string) => void): (id: string) => void {
  const newest = useRef(act)
  useEffect(() => {
    newest.current = act
  })
  return useCallback((id: string) => newest.current(id), [])
}

/** The number of requests, and of those that arrived since. */
function ListState({ isPaused, onShowNew }: { isPaused: boolean; onShowNew: () => void }) {
  const total = useRequestList((list) => list.total)
  const newer = useRequestList((list) => list.newer)
  return (
    <div className="ml-auto flex items-center gap-3 text-xs text-muted tabular-nums">
      {newer > 0 && (
        <Button size="small" look="primary" onClick={onShowNew}>
          {t('{count, plural, one {1 new request} other {# new requests}}', { count: newer })}
        </Button>
      )}
      <span role="status">
        {total !== null &&
          t('{count, plural, one {1 request} other {# requests}}', { count: total })}
        {isPaused && ` · ${t('paused')}`}
      </span>
    </div>
  )
}

function List({ hasFilter, children }: { hasFilter: boolean; children: ReactNode }) {
  const total = useRequestList((list) => list.total)
  const error = useRequestList((list) => list.error)
  return (
    <>
      {error && <ErrorNote error={error} onRetry={() => void reloadRequestList()} />}
      {total === null && !error && <Skeleton>{t('Loading requests…')}</Skeleton>}
      {total === 0 && (hasFilter ? <NoMatches /> : <NoRequests />)}
      {total !== null && total > 0 && children}
    </>
  )
}

function ColumnsMenu() {
  const { columns } = useColumns()
  return (
    <Menu.Root>
      <Menu.Trigger className={buttonClass('plain')}>
        <Columns3 size={14} aria-hidden /> {t('Columns')}
      </Menu.Trigger>
      <Menu.Portal container={useContext(PopupContext)}>
        <Menu.Positioner align="end" sideOffset={4} className="z-20">
          <Menu.Popup className="max-h-(--available-height) min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg">
            {columnNames.map((name) => (
              <Menu.CheckboxItem
                key={name}
                checked={columns.includes(name)}
                onCheckedChange={() => toggleColumn(name)}
                className={itemClass}
              >
                <span className="flex size-3.5 items-center justify-center rounded-sm border border-edge">
                  <Menu.CheckboxItemIndicator className="size-2 rounded-[1px] bg-accent forced-color-adjust-none" />
                </span>
                {columnOf(name).title}
              </Menu.CheckboxItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
