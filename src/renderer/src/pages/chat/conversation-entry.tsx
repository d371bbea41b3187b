import { Braces, FileText, FolderInput, Pencil, Pin, PinOff, Rows3, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '../../../../shared/chat/conversations.ts'
import { formatRelativeTime } from '../../../../shared/strings/format.ts'
import { ActionMenu } from '../../components/action-menu.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextField } from '../../components/field.tsx'
import { useAction } from '../../components/use-action.ts'
import { useNow } from '../../components/use-now.ts'
import { Form } from '../../components/form.tsx'
import { useChat } from '../../stores/chat.ts'
import { changeConversation, removeConversation } from '../../stores/conversation-changes.ts'
import type { ExportFormat } from './export-conversation.ts'
import { MoveDialog } from './folder-dialogs.tsx'
import { saveConversation } from './save-conversation.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface EntryProps {
  conversation: Conversation
  /** Excerpt of the messages around a searched text; null without a search. */
  excerpt: string | null
  onOpen: () => void
}

/** A conversation in the list, with its actions. */
export function ConversationEntry({ conversation, excerpt, onOpen }: EntryProps) {
  const isCurrent = useChat((state) => state.current === conversation.id)
  const nowMs = useNow()
  const [dialog, setDialog] = useState<'rename' | 'move' | null>(null)
  const close = () => setDialog(null)
  const isPinned = conversation.pinnedAtMs !== null
  const pin = useAction(() => changeConversation(conversation.id, { isPinned: !isPinned }))
  const remove = useAction(() => removeConversation(conversation))
  const save = useAction((format: ExportFormat) => saveConversation(conversation, format))
  const error = pin.error ?? remove.error ?? save.error
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
        <span className="flex w-full items-center gap-1.5 text-sm">
          <span className="min-w-0 truncate">{conversation.title}</span>
          {isPinned && <Pin size={12} aria-label={t('Pinned')} className="shrink-0 text-muted" />}
        </span>
        <span className={`text-xs font-normal text-muted ${excerpt ? 'line-clamp-2' : ''}`}>
          {excerpt ?? formatRelativeTime(conversation.updatedAtMs, nowMs)}
        </span>
      </button>
      <ActionMenu
        entry={conversation.title}
        actions={[
          { label: t('Rename'), icon: Pencil, onSelect: () => setDialog('rename') },
          {
            label: isPinned ? t('Unpin') : t('Pin'),
            icon: isPinned ? PinOff : Pin,
            onSelect: () => pin.run(),
          },
          { label: t('Move to folder…'), icon: FolderInput, onSelect: () => setDialog('move') },
          { label: t('Export as Markdown'), icon: FileText, onSelect: () => save.run('markdown') },
          { label: t('Export as JSON'), icon: Braces, onSelect: () => save.run('json') },
          { label: t('Export as JSON lines'), icon: Rows3, onSelect: () => save.run('lines') },
          { label: t('Delete'), icon: Trash2, onSelect: () => remove.run() },
        ]}
      />
      {error && <ErrorNote error={error} />}
      {dialog === 'rename' && <RenameDialog conversation={conversation} onClose={close} />}
      {dialog === 'move' && <MoveDialog conversation={conversation} onClose={close} />}
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
      <Form onSubmit={() => run()}>
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
      </Form>
    </Dialog>
  )
}
