import { FolderPlus, Import, Plus, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import type {
  Conversation,
  ConversationMatch,
  Folder,
} from '../../../../shared/chat/conversations.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loaded } from '../../components/page.tsx'
import { tooltipOf } from '../../shell/commands.ts'
import { openConversation, useChat, useConversations } from '../../stores/chat.ts'
import { openImport } from '../../stores/chat-import.ts'
import { sectionsOf, useFolders } from '../../stores/folders.ts'
import { ConversationEntry } from './conversation-entry.tsx'
import { FolderDialog, newFolder } from './folder-dialogs.tsx'
import { FolderSection } from './folder-section.tsx'
import { openAtMessage } from '../../stores/found-message.ts'
import { beginNew } from '../../stores/new-conversation.ts'
import { useConversationSearch } from './use-conversation-search.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface ConversationListProps {
  /** Called when a conversation was chosen. */
  onOpened?: () => void
}

/** The conversations, newest first, and a button for a new one. */
export function ConversationList({ onOpened }: ConversationListProps) {
  const conversations = useConversations()
  const [added, setAdded] = useState<Folder | null>(null)
  const [searched, setSearched] = useState('')
  const { matches, foundText, isIndexing, error } = useConversationSearch(searched.trim())

  function open(id: string, messageId: string | null = null): void {
    onOpened?.()
    void (messageId === null ? openConversation(id) : openAtMessage(id, messageId))
  }

  return (
    <nav
      aria-label={t('Conversations')}
      className="flex min-h-0 min-w-0 flex-1 flex-col gap-2 bg-canvas px-2 py-3"
    >
      <div className="flex gap-2">
        <Button
          className="h-8 min-w-0 flex-1"
          title={tooltipOf('new-chat')}
          onClick={() => {
            onOpened?.()
            beginNew()
          }}
        >
          <Plus size={15} aria-hidden /> {t('New conversation')}
        </Button>
        <IconButton label={t('Import conversations')} onClick={openImport}>
          <Import size={15} aria-hidden />
        </IconButton>
      </div>
      <div className="flex shrink-0 gap-2">
        <label className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-muted has-focus-visible:outline-2 has-focus-visible:outline-accent">
          <Search size={14} aria-hidden className="shrink-0" />
          <input
            type="search"
            aria-label={t('Search conversations')}
            placeholder={t('Search')}
            value={searched}
            onChange={(event) => setSearched(event.target.value)}
            className="min-w-0 flex-1 bg-transparent text-sm text-ink outline-none placeholder:text-muted"
          />
        </label>
        <IconButton label={t('New folder')} onClick={() => setAdded(newFolder())}>
          <FolderPlus size={15} aria-hidden />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {error && <ErrorNote error={error} />}
        {isIndexing && (
          <p className="px-2 py-1 text-xs text-muted">{t('Still indexing older messages.')}</p>
        )}
        <Loaded list={conversations} what={t('conversations')}>
          {(items) =>
            items.length === 0 || matches?.length === 0 ? (
              <p className="px-2 py-3 text-xs text-muted">
                {items.length === 0
                  ? t('No conversations yet. They are stored on this computer only.')
                  : t('No conversation contains “{searched}”.', { searched: searched.trim() })}
              </p>
            ) : (
              <ul className="flex flex-col gap-0.5">
                {matches ? (
                  <Entries key={foundText} entries={foundIn(items, matches)} onOpen={open} />
                ) : (
                  <AllConversations conversations={items} onOpen={open} onOpened={onOpened} />
                )}
              </ul>
            )
          }
        </Loaded>
      </div>
      {added && <FolderDialog folder={added} onClose={() => setAdded(null)} />}
    </nav>
  )
}

interface AllConversationsProps {
  conversations: readonly Conversation[]
  onOpen: (id: string) => void
  onOpened: (() => void) | undefined
}

/** Pinned conversations, folders, and what is in none. */
function AllConversations({ conversations, onOpen, onOpened }: AllConversationsProps) {
  const folders = useFolders(({ items }) => items) ?? []
  const current = useChat((state) => state.current)
  const sections = sectionsOf(conversations, folders)
  const entries = (list: readonly Conversation[]) => (
    <Entries
      entries={list.map((conversation) => ({ conversation, excerpt: null, messageId: null }))}
      onOpen={onOpen}
    />
  )
  return (
    <>
      {entries(sections.pinned)}
      {sections.folders.map(({ folder, conversations: inside }) => (
        <FolderSection
          key={folder.id}
          folder={folder}
          count={inside.length}
          onOpened={onOpened}
          hasCurrent={inside.some(({ id }) => id === current)}
        >
          {entries(inside)}
        </FolderSection>
      ))}
      {entries(sections.others)}
    </>
  )
}

/** How many conversations are shown at first, and how many more with each click. */
const entriesAtOnce = 24
/** How many are drawn in one frame. */
const entriesOfFrame = 8

interface FoundConversation extends Pick<ConversationMatch, 'excerpt' | 'messageId'> {
  conversation: Conversation
}

interface EntriesProps {
  entries: readonly FoundConversation[]
  onOpen: (id: string, messageId: string | null) => void
}

/** The first of many conversations, and a button for more: a thousand of them would hold the window up. */
function Entries({ entries, onOpen }: EntriesProps) {
  const [wanted, setWanted] = useState(entriesAtOnce)
  const [shown, setShown] = useState(entriesOfFrame)
  useEffect(() => {
    if (shown >= Math.min(wanted, entries.length)) return
    const frame = requestAnimationFrame(() => setShown(shown + entriesOfFrame))
    return () => cancelAnimationFrame(frame)
  }, [shown, wanted, entries.length])
  return (
    <>
      {entries.slice(0, shown).map(({ conversation, excerpt, messageId }) => (
        <ConversationEntry
          key={conversation.id}
          {...{ conversation, excerpt }}
          onOpen={() => onOpen(conversation.id, messageId)}
        />
      ))}
      {entries.length > wanted && (
        <li className="flex justify-center p-1">
          <Button size="small" onClick={() => setWanted(wanted + entriesAtOnce)}>
            {t('Show more conversations')}
          </Button>
        </li>
      )}
    </>
  )
}

/** The conversations that a search found, with its excerpts. */
function foundIn(
  items: readonly Conversation[],
  matches: readonly ConversationMatch[],
): FoundConversation[] {
  return matches.flatMap(({ conversationId, ...match }) => {
    const conversation = items.find(({ id }) => id === conversationId)
    return conversation ? [{ conversation, ...match }] : []
  })
}
