import { Pencil, Trash2 } from 'lucide-react'
import { memo, useState, type KeyboardEvent } from 'react'
import type { Turn } from '../../../../shared/chat/conversation-turns.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Form } from '../../components/form.tsx'
import { correctMessage, editQuestion, removeMessage } from '../../stores/branches.ts'
import { AttachedFiles } from './attached-files.tsx'
import { BranchSwitch } from './branch-switch.tsx'
import { focusMessageField } from './focus-message-field.ts'
import { ImportedDetails } from './imported-details.tsx'
import { setEdited, useEditedQuestions } from './use-edited-questions.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface QuestionProps {
  turn: Turn
  conversation: string
  routerId: string
}

/** The user's message as plain text. It can be edited in place, or asked again as another version. */
export const Question = memo(function Question({ turn, conversation, routerId }: QuestionProps) {
  const { question: message, questions } = turn
  const isEdited = useEditedQuestions((edited) => edited[message.id] === true)

  function close(): void {
    setEdited(message.id, false)
    // The editor goes away with the focus.
    focusMessageField()?.focus()
  }

  if (isEdited) {
    return (
      <QuestionEditor
        text={message.text}
        onCancel={close}
        onSend={(text) => {
          close()
          void editQuestion({ conversation, question: message, routerId, text })
        }}
        onSave={(text) => {
          close()
          void correctMessage(conversation, message, text)
        }}
      />
    )
  }
  return (
    <div data-question className="group/question flex max-w-[85%] items-end gap-1 self-end">
      <BranchSwitch shown={message} siblings={questions} conversation={conversation} />
      <span className="flex shrink-0 items-center opacity-0 transition-opacity group-focus-within/question:opacity-100 group-hover/question:opacity-100 pointer-coarse:opacity-100">
        <CopyButton text={message.text} what={t('question')} />
        <IconButton label={t('Edit question')} onClick={() => setEdited(message.id, true)}>
          <Pencil size={14} aria-hidden />
        </IconButton>
        <IconButton
          label={t('Delete question and what follows')}
          onClick={() => void removeMessage(conversation, message)}
        >
          <Trash2 size={14} aria-hidden />
        </IconButton>
      </span>
      <article
        aria-label={t('Question')}
        data-message={message.id}
        tabIndex={-1}
        className="min-w-0 scroll-mt-4 focus:outline-2 focus:outline-accent rounded-2xl rounded-br-md bg-accent-soft px-4 py-2.5 wrap-anywhere whitespace-pre-wrap"
      >
        {message.attachments.length > 0 && <AttachedFiles attachments={message.attachments} />}
        {message.text}
        {message.imported && <ImportedDetails details={message.imported.details} />}
      </article>
    </div>
  )
})

interface QuestionEditorProps {
  text: string
  onCancel: () => void
  /** Asks it as another version. */
  onSend: (text: string) => void
  /** Changes the text only. */
  onSave: (text: string) => void
}

function QuestionEditor({ text, onCancel, onSend, onSave }: QuestionEditorProps) {
  const [draft, setDraft] = useState(text)
  const canSend = draft.trim() !== ''

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') onCancel()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (canSend) onSend(draft.trim())
  }

  return (
    <Form
      className="flex w-full flex-col gap-2 rounded-xl border border-edge bg-surface p-3"
      onSubmit={() => {
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
          {t('Send asks it again, beside the old version. Save changes only the text.')}
        </p>
        <Button size="small" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button size="small" disabled={!canSend} onClick={() => onSave(draft.trim())}>
          {t('Save')}
        </Button>
        <Button size="small" look="primary" type="submit" disabled={!canSend}>
          {t('Send')}
        </Button>
      </div>
    </Form>
  )
}
