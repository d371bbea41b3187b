import { Braces, FileText, Import, Pencil, Plus, Search, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Conversation, ConversationMatch } from '../../../../shared/chat/conversations.ts'
import { formatRelativeTime } from '../../../../shared/strings/format.ts'
import { ActionMenu } from '../../components/action-menu.tsx'
import { Button, IconButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { downloadFile } from '../../components/download-file.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextField } from '../../components/field.tsx'
import { Loaded } from '../../components/page.tsx'
import { useAction } from '../../components/use-action.ts'
import { useNow } from '../../components/use-now.ts'
import { tooltipOf } from '../../shell/commands.ts'
import {
  changeConversation,
  newConversation,
  openConversation,
  removeConversation,
  useChat,
  useConversations,
} from '../../stores/chat.ts'
import { openImport } from '../../stores/chat-import.ts'
import { call } from '../../stores/client.ts'
import { withOpenReasoning } from '../../stores/reasonings.ts'
import { exportConversation, type ExportFormat } from './export-conversation.ts'
import { useConversationSearch } from './use-conversation-search.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface ConversationListProps {
  /** Called when a conversation was chosen. */
  onOpened?: () => void
}

/** The conversations, newest first, and a button for a new one. */
export function ConversationList({ onOpened }: ConversationListProps) {
  const conversations = useConversations()
  const [renamed, setRenamed] = useState<Conversation | null>(null)
  const { run: remove, error: removeError } = useAction(removeConversation)
  const [searched, setSearched] = useState('')
  const { matches, isIndexing, error } = useConversationSearch(searched.trim())

  function open(id: string): void {
    onOpened?.()
    void openConversation(id)
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
          onClick={() => open(newConversation)}
        >
          <Plus size={15} aria-hidden /> {t('New conversation')}
        </Button>
        <IconButton label={t('Import conversations')} onClick={openImport}>
          <Import size={15} aria-hidden />
        </IconButton>
      </div>
      <label className="flex h-8 shrink-0 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-muted has-focus-visible:outline-2 has-focus-visible:outline-accent">
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
      <div className="min-h-0 flex-1 overflow-y-auto">
        {error && <ErrorNote error={error} />}
        {removeError && <ErrorNote error={removeError} />}
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
                {shownOf(items, matches).map(({ conversation, excerpt }) => (
                  <Entry
                    key={conversation.id}
                    {...{ conversation, excerpt }}
                    onOpen={() => open(conversation.id)}
                    onRename={() => setRenamed(conversation)}
                    onRemove={() => remove(conversation)}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      {renamed && <RenameDialog conversation={renamed} onClose={() => setRenamed(null)} />}
    </nav>
  )
}

interface ShownConversation {
  conversation: Conversation
  /** Excerpt of the messages around a searched text; null without a search. */
  excerpt: string | null
}

/** All conversations, or those that a search found. */
function shownOf(
  items: readonly Conversation[],
  matches: readonly ConversationMatch[] | null,
): ShownConversation[] {
  if (!matches) return items.map((conversation) => ({ conversation, excerpt: null }))
  return matches.flatMap(({ conversationId, excerpt }) => {
    const conversation = items.find(({ id }) => id === conversationId)
    return conversation ? [{ conversation, excerpt }] : []
  })
}

interface EntryProps extends ShownConversation {
  onOpen: () => void
  onRename: () => void
  onRemove: () => void
}

function Entry({ conversation, excerpt, onOpen, onRename, onRemove }: EntryProps) {
  const isCurrent = useChat((state) => state.current === conversation.id)
  const nowMs = useNow()
  const { run: save, error } = useAction(async (format: ExportFormat) => {
    const messages = await call('conversations:messages', { id: conversation.id })
    downloadFile(exportConversation(conversation, messages.map(withOpenReasoning), format))
  })
  return (
    <li
      className={`group flex flex-wrap items-center rounded-md pr-1 hover:bg-hover ${isCurrent ? 'bg-hover' : ''}`}
    >
      <button
        type="button"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={onOpen}
        className="flex min-w-0 flex-1 flex-col rounded-md px-2.5 py-1.5 text-left aria-[current]:font-medium"
      >
        <span className="w-full truncate text-sm">{conversation.title}</span>
        <span className={`text-xs font-normal text-muted ${excerpt ? 'line-clamp-2' : ''}`}>
          {excerpt ?? formatRelativeTime(conversation.updatedAtMs, nowMs)}
        </span>
      </button>
      <ActionMenu
        entry={conversation.title}
        actions={[
          { label: t('Rename'), icon: Pencil, onSelect: onRename },
          { label: t('Export as Markdown'), icon: FileText, onSelect: () => save('markdown') },
          { label: t('Export as JSON'), icon: Braces, onSelect: () => save('json') },
          { label: t('Delete'), icon: Trash2, onSelect: onRemove },
        ]}
      />
      {error && <ErrorNote error={error} />}
    </li>
  )
}

function RenameDialog({
  conversation,
  onClose,
}: {
  conversation: Conversation
  onClose: () => void
}) {
  const [title, setTitle] = useState(conversation.title)
  const { run, isRunning, error } = useAction(async () => {
    await changeConversation(conversation.id, { title: title.trim() })
    onClose()
  })
  return (
    <Dialog title={t('Rename conversation')} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        <TextField
          label={t('Title')}
          value={title}
          maxLength={200}
          error={error?.message}
          onChange={(event) => setTitle(event.target.value)}
        />
        <Button
          look="primary"
          type="submit"
          disabled={isRunning || title.trim() === ''}
          className="self-end"
        >
          {t('Rename')}
        </Button>
      </form>
    </Dialog>
  )
}
