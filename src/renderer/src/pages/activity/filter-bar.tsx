import { Menu } from '@base-ui/react/menu'
import { ChevronRight, ListFilter, X } from 'lucide-react'
import { useContext, useState, type ReactElement, type ReactNode } from 'react'
import { buttonClass } from '../../components/button.tsx'
import { PopupContext } from '../../components/popup-layer.tsx'
import { useConversations } from '../../stores/chat.ts'
import { useKeys } from '../../stores/keys.ts'
import { useRouters } from '../../stores/routers.ts'
import { filterOfSearch } from '../../usage/request-links.ts'
import { useAddressSearch, useSetSearch, type Search } from '../../usage/search.ts'
import { FilterChoices, itemClass } from './filter-choices.tsx'
import { FilterForm } from './filter-form.tsx'
import {
  changeOf,
  chipsOf,
  filterNames,
  filterTitles,
  noFilter,
  type FilterChip,
  type FilterName,
} from './filter-words.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The filter of the address as chips. Each part can be added, changed and removed. */
export function FilterBar() {
  const search = useAddressSearch()
  const setSearch = useSetSearch()
  const [typed, setTyped] = useState<FilterName | null>(null)
  const routers = useRouters((state) => state.items) ?? []
  const keys = useKeys((state) => state.items) ?? []
  const conversations = useConversations((state) => state.items) ?? []
  const chips = chipsOf(filterOfSearch(search), {
    router: (id) => routers.find((router) => router.id === id)?.name ?? id,
    key: (id) => keys.find((key) => key.id === id)?.name ?? t('Deleted key'),
    conversation: (id) =>
      conversations.find((one) => one.id === id)?.title ?? t('Deleted conversation'),
  })
  const editing = {
    onChoose: (name: FilterName, value: string) => setSearch(changeOf(name, value)),
    onType: setTyped,
  }
  return (
    <div
      role="group"
      aria-label={t('Filters')}
      className="flex min-w-0 flex-wrap items-center gap-1.5"
    >
      {chips.map((chip) => (
        <Chip
          key={chip.name}
          chip={chip}
          value={search[chip.name]}
          onRemove={() => setSearch(changeOf(chip.name, undefined))}
          {...editing}
        />
      ))}
      {typed !== null && (
        <FilterForm
          name={typed}
          search={search}
          onApply={(change) => {
            setSearch(change)
            setTyped(null)
          }}
          onCancel={() => setTyped(null)}
        />
      )}
      <AddFilter search={search} {...editing} />
      {chips.length > 1 && (
        <button
          type="button"
          className={`${buttonClass('quiet', 'small')} text-muted`}
          onClick={() => setSearch(noFilter)}
        >
          {t('Clear all')}
        </button>
      )}
    </div>
  )
}

interface Editing {
  onChoose: (name: FilterName, value: string) => void
  onType: (name: FilterName) => void
}

function Chip(
  props: Editing & { chip: FilterChip; value: string | undefined; onRemove: () => void },
) {
  const { chip, value, onRemove, onChoose, onType } = props
  return (
    <span className="inline-flex h-7 max-w-full min-w-0 items-center rounded-md border border-line bg-surface text-xs">
      <FilterMenu
        trigger={
          <Menu.Trigger
            aria-label={t('Change filter {filter}', { filter: chip.text })}
            className="h-full min-w-0 truncate rounded-l-md px-2 font-medium hover:bg-hover"
          >
            {chip.text}
          </Menu.Trigger>
        }
      >
        <FilterChoices
          name={chip.name}
          value={value}
          onChoose={(chosen) => onChoose(chip.name, chosen)}
          onType={() => onType(chip.name)}
        />
      </FilterMenu>
      <button
        type="button"
        aria-label={t('Remove filter {filter}', { filter: chip.text })}
        title={t('Remove')}
        className="flex h-full w-6 shrink-0 items-center justify-center rounded-r-md text-muted hover:bg-hover hover:text-ink"
        onClick={onRemove}
      >
        <X size={12} aria-hidden />
      </button>
    </span>
  )
}

/** The text has a field of its own. */
const chosenNames = filterNames.filter((name) => name !== 'text')

/** A menu of all parts; each opens its choices. */
function AddFilter(props: Editing & { search: Search }) {
  const { search, onChoose, onType } = props
  const container = useContext(PopupContext)
  return (
    <FilterMenu
      trigger={
        <Menu.Trigger className={`${buttonClass('plain', 'small')} border-dashed`}>
          <ListFilter size={13} aria-hidden /> {t('Add filter')}
        </Menu.Trigger>
      }
    >
      {chosenNames.map((name) => (
        <Menu.SubmenuRoot key={name}>
          <Menu.SubmenuTrigger className={`${itemClass} justify-between`}>
            {filterTitles[name]}
            <ChevronRight size={13} aria-hidden className="text-muted" />
          </Menu.SubmenuTrigger>
          <Menu.Portal container={container}>
            <Menu.Positioner sideOffset={4} className="z-20">
              <Menu.Popup className={popupClass}>
                <FilterChoices
                  name={name}
                  value={search[name]}
                  onChoose={(value) => onChoose(name, value)}
                  onType={() => onType(name)}
                />
              </Menu.Popup>
            </Menu.Positioner>
          </Menu.Portal>
        </Menu.SubmenuRoot>
      ))}
    </FilterMenu>
  )
}

const popupClass =
  'max-h-[min(22rem,var(--available-height))] max-w-80 min-w-44 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg'

function FilterMenu({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  return (
    <Menu.Root>
      {trigger}
      <Menu.Portal container={useContext(PopupContext)}>
        <Menu.Positioner align="start" sideOffset={4} className="z-20">
          <Menu.Popup className={popupClass}>{children}</Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
