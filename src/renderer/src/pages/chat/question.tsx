import { Pencil } from 'lucide-react'
import { memo, useState, type KeyboardEvent } from 'react'
import type { ConversationMessage } from '../../../../shared/entities.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { branchConversation } from '../../stores/chat.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface QuestionProps {
  message: ConversationMessage
  conversation: string
  routerId: string
}

/** The user's message as plain text. It can be edited, which begins a new conversation. */
export const Question = memo(function Question({ message, conversation, routerId }: QuestionProps) {
  const [isEdited, setIsEdited] = useState(false)
  if (isEdited) {
    return (
      <QuestionEditor
        text={message.text}
        onCancel={() => setIsEdited(false)}
        onSend={(text) => {
          setIsEdited(false)
          void branchConversation({ conversation, questionId: message.id, routerId, text })
        }}
      />
    )
  }
  return (
    <div data-question className="group/question flex max-w-[85%] items-end gap-1 self-end">
      <span className="flex shrink-0 items-center opacity-0 transition-opacity group-focus-within/question:opacity-100 group-hover/question:opacity-100 pointer-coarse:opacity-100">
        <CopyButton text={message.text} what={t('question')} />
        <IconButton label={t('Edit question')} onClick={() => setIsEdited(true)}>
          <Pencil size={14} aria-hidden />
        </IconButton>
      </span>
      <article
        aria-label={t('Question')}
        className="min-w-0 rounded-2xl rounded-br-md bg-accent-soft px-4 py-2.5 wrap-anywhere whitespace-pre-wrap"
      >
        {message.text}
      </article>
    </div>
  )
})

interface QuestionEditorProps {
  text: string
  onCancel: () => void
  onSend: (text: string) => void
}

function QuestionEditor({ text, onCancel, onSend }: QuestionEditorProps) {
  const [draft, setDraft] = useState(text)
  const canSend = draft.trim() !== ''

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') onCancel()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (canSend) onSend(draft.trim())
  }

  return (
    <form
      className="flex w-full flex-col gap-2 rounded-xl border border-edge bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (canSend) onSend(draft.trim())
      }}
    >
      <textarea
        aria-label={t('Edited question')}
        // The user asked to edit it.
        ref={(field) => field?.focus()}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
        className="field-sizing-content max-h-[min(16rem,40vh)] min-h-8 resize-none bg-transparent leading-5 outline-none"
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="min-w-40 flex-1 text-xs text-muted">
          {t('Starts a new conversation. This one stays as it is.')}
        </p>
        <Button size="small" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button size="small" look="primary" type="submit" disabled={!canSend}>
          {t('Send')}
        </Button>
      </div>
    </form>
  )
}
