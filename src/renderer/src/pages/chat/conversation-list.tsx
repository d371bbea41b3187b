import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '../../../../shared/entities.ts'
import { formatRelativeTime } from '../../../../shared/format.ts'
import { ActionMenu } from '../../components/action-menu.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { Loaded } from '../../components/page.tsx'
import { useAction } from '../../components/use-action.ts'
import { useNow } from '../../components/use-now.ts'
import { tooltipOf } from '../../shell/commands.ts'
import {
  newConversation,
  openConversation,
  removeConversation,
  renameConversation,
  useChat,
  useConversations,
} from '../../stores/chat.ts'

interface ConversationListProps {
  /** Called when a conversation was chosen. */
  onOpened?: () => void
}

/** The conversations, newest first, and a button for a new one. */
export function ConversationList({ onOpened }: ConversationListProps) {
  const conversations = useConversations()
  const current = useChat((state) => state.current)
  const [renamed, setRenamed] = useState<Conversation | null>(null)
  const [removed, setRemoved] = useState<Conversation | null>(null)
  const nowMs = useNow()

  function open(id: string): void {
    onOpened?.()
    void openConversation(id)
  }

  return (
    <nav
      aria-label="Conversations"
      className="flex min-h-0 min-w-0 flex-1 flex-col gap-2 bg-canvas px-2 py-3"
    >
      <Button className="h-8" title={tooltipOf('new-chat')} onClick={() => open(newConversation)}>
        <Plus size={15} aria-hidden /> New conversation
      </Button>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Loaded list={conversations} what="conversations">
          {(items) =>
            items.length === 0 ? (
              <p className="px-2 py-3 text-xs text-muted">
                No conversations yet. They are stored on this computer only.
              </p>
            ) : (
              <ul className="flex flex-col gap-0.5">
                {items.map((conversation) => (
                  <li
                    key={conversation.id}
                    className={`group flex items-center rounded-md pr-1 hover:bg-hover ${conversation.id === current ? 'bg-hover' : ''}`}
                  >
                    <button
                      type="button"
                      aria-current={conversation.id === current ? 'true' : undefined}
                      onClick={() => open(conversation.id)}
                      className="flex min-w-0 flex-1 flex-col rounded-md px-2.5 py-1.5 text-left aria-[current]:font-medium"
                    >
                      <span className="w-full truncate text-sm">{conversation.title}</span>
                      <span className="text-xs font-normal text-muted">
                        {formatRelativeTime(conversation.updatedAtMs, nowMs)}
                      </span>
                    </button>
                    <ActionMenu
                      of={conversation.title}
                      actions={[
                        {
                          label: 'Rename',
                          icon: Pencil,
                          onSelect: () => setRenamed(conversation),
                        },
                        {
                          label: 'Delete',
                          icon: Trash2,
                          onSelect: () => setRemoved(conversation),
                        },
                      ]}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      {renamed && <RenameDialog conversation={renamed} onClose={() => setRenamed(null)} />}
      {removed && (
        <ConfirmDialog
          title="Delete this conversation?"
          description={`This deletes “${removed.title}” and its messages from this computer. The costs of its answers stay in the ledger.`}
          action="Delete conversation"
          onConfirm={() => removeConversation(removed.id)}
          onClose={() => setRemoved(null)}
        />
      )}
    </nav>
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
    await renameConversation(conversation.id, title.trim())
    onClose()
  })
  return (
    <Dialog title="Rename conversation" onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        <TextField
          label="Title"
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
          Rename
        </Button>
      </form>
    </Dialog>
  )
}
