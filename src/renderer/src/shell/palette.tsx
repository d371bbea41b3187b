import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { ShortcutKeys } from '../components/shortcut-keys.tsx'
import { useAgents } from '../stores/agents.ts'
import { useConversations } from '../stores/chat.ts'
import { useKeys } from '../stores/keys.ts'
import { useRouters } from '../stores/routers.ts'
import { isAvailable } from './commands.ts'
import {
  paletteGroups,
  searchGroups,
  type PaletteEntry,
  type PaletteGroup,
} from './palette-entries.ts'
import { closeOverlay, noteEntry, useShell } from './shell-state.ts'
import { useNavigation } from './use-commands.ts'
import { t } from '../../../shared/strings/strings.ts'
import { rich } from '../components/rich.tsx'

/** Finds pages, actions, routers, chats, agents, keys and settings, and opens or runs them. */
export function Palette() {
  const [query, setQuery] = useState('')
  const groups = usePaletteGroups()
  const recent = useShell(({ recentEntries }) => recentEntries)
  const found = useMemo(() => searchGroups(query, groups, recent), [query, groups, recent])
  const navigation = useNavigation()
  const field = useRef<HTMLInputElement>(null)

  return (
    <Dialog.Root open onOpenChange={closeOverlay}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-10 bg-backdrop" />
        <Dialog.Viewport className="fixed inset-0 z-10 flex items-start justify-center p-4 pt-[min(12vh,6rem)]">
          <Dialog.Popup
            aria-label={t('Search and commands')}
            initialFocus={field}
            className="flex max-h-[min(30rem,100%)] w-full max-w-xl flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-2xl"
          >
            <Autocomplete.Root
              open
              inline
              items={found}
              mode="none"
              value={query}
              onValueChange={(value, { reason }) => {
                // Choosing an entry would otherwise write its title into the field.
                if (reason !== 'item-press') setQuery(value)
              }}
              itemToStringValue={titleOf}
              autoHighlight="always"
              keepHighlight
            >
              <div className="flex items-center gap-2.5 border-b border-line px-4">
                <Search size={16} aria-hidden className="shrink-0 text-muted" />
                <Autocomplete.Input
                  ref={field}
                  aria-label={t('Search')}
                  placeholder={t(
                    'Search pages, routers, chats, keys, agents, actions and settings',
                  )}
                  className="h-11 w-full bg-transparent text-base outline-none placeholder:text-muted"
                />
              </div>
              <Autocomplete.Empty className="px-4 text-sm text-muted not-empty:py-8">
                {rich('Nothing matches “{query}”.', { query: query.trim() })}
              </Autocomplete.Empty>
              <Autocomplete.List className="min-h-0 overflow-y-auto scroll-py-1.5 p-1.5 empty:p-0">
                {(group: PaletteGroup) => (
                  <Group
                    key={group.name}
                    group={group}
                    onChoose={(entry) => {
                      closeOverlay()
                      noteEntry(entry.id)
                      entry.run(navigation)
                    }}
                  />
                )}
              </Autocomplete.List>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const titleOf = (entry: PaletteEntry) => entry.title

interface GroupProps {
  group: PaletteGroup
  onChoose: (entry: PaletteEntry) => void
}

function Group({ group, onChoose }: GroupProps) {
  return (
    <Autocomplete.Group items={[...group.items]} className="pb-1 last:pb-0">
      <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-xs text-muted">
        {group.name}
      </Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(entry: PaletteEntry) => (
          <Autocomplete.Item
            key={entry.id}
            value={entry}
            onClick={() => onChoose(entry)}
            className="flex min-h-8 items-center gap-3 rounded-md px-2.5 py-1 text-sm data-highlighted:bg-accent-soft forced-colors:data-highlighted:outline"
          >
            <span className="min-w-0 truncate">{entry.title}</span>
            <span className="min-w-0 flex-1 truncate text-xs text-muted">{entry.detail}</span>
            {entry.shortcut !== null && <ShortcutKeys shortcut={entry.shortcut} />}
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  )
}

const none: readonly never[] = []

function usePaletteGroups(): readonly PaletteGroup[] {
  const routers = useRouters(({ items }) => items ?? none)
  const agents = useAgents(({ items }) => items ?? none)
  const conversations = useConversations(({ items }) => items ?? none)
  const keys = useKeys(({ items }) => items ?? none)
  return useMemo(
    () => paletteGroups({ routers, agents, conversations, keys }, isAvailable),
    [routers, agents, conversations, keys],
  )
}
