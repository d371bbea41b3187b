import { Pencil, Trash2 } from 'lucide-react'
import { memo, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { isUnsaid, type Turn } from '../../../../shared/chat/conversation-turns.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Form } from '../../components/form.tsx'
import { correctMessage, editQuestion, removeMessage } from '../../stores/branches.ts'
import { AttachedFiles } from './attached-files.tsx'
import { BranchSwitch } from './branch-switch.tsx'
import { editAction } from './edit-keys.ts'
import { focusMessageField } from './focus-message-field.ts'
import { ImportedDetails } from './imported-details.tsx'
import { beginEdit, finishEdit, setEdited, useEditedQuestions } from './use-edited-questions.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface QuestionProps {
  turn: Turn
  conversation: string
  routerId: string
}

/**
 * The user's message as plain text. It can be edited in place, or asked again as another version. Nothing is drawn in place
 * of a question that an imported answer lacks, except the way to its other versions.
 */
export const Question = memo(function Question({ turn, conversation, routerId }: QuestionProps) {
  const { question: message, questions } = turn
  const edited = useEditedQuestions((texts) => texts[message.id] ?? null)

  if (edited !== null) {
    return (
      <QuestionEditor
        message={message}
        text={edited}
        onSend={(text) => editQuestion({ conversation, question: message, routerId, text })}
        onSave={(text) => correctMessage(conversation, message, text)}
      />
    )
  }
  const isStandIn = isUnsaid(message) && !message.imported?.details.length
  if (isStandIn && questions.length === 1) return null
  return (
    <div data-question className="group/question flex max-w-[85%] items-end gap-1 self-end">
      <BranchSwitch shown={message} siblings={questions} conversation={conversation} />
      <span className="flex shrink-0 items-center opacity-0 transition-opacity group-focus-within/question:opacity-100 group-hover/question:opacity-100 pointer-coarse:opacity-100">
        {!isStandIn && (
          <>
            <CopyButton text={message.text} what={t('question')} />
            <IconButton label={t('Edit question')} onClick={() => beginEdit(message)}>
              <Pencil size={14} aria-hidden />
            </IconButton>
          </>
        )}
        <IconButton
          label={t('Delete question and what follows')}
          onClick={() => void removeMessage(conversation, message)}
        >
          <Trash2 size={14} aria-hidden />
        </IconButton>
      </span>
      {!isStandIn && (
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
      )}
    </div>
  )
})

interface QuestionEditorProps {
  message: Turn['question']
  /** As it was edited so far. */
  text: string
  /** Asks it as another version. Resolves to whether it was asked. */
  onSend: (text: string) => Promise<boolean>
  /** Changes the text only. Resolves to whether it was changed. */
  onSave: (text: string) => Promise<boolean>
}

function QuestionEditor({ message: { id }, text, onSend, onSave }: QuestionEditorProps) {
  const [isBusy, setIsBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  // The user asked to edit it. Only once, or each drawing would take the focus from the message field.
  useEffect(() => field.current?.focus(), [])
  const canSend = text.trim() !== '' && !isBusy

  function close(): void {
    setEdited(id, null)
    // The editor goes away with the focus.
    focusMessageField()?.focus()
  }

  async function finish(act: (text: string) => Promise<boolean>): Promise<void> {
    if (!canSend) return
    setIsBusy(true)
    const isDone = await finishEdit(id, act)
    setIsBusy(false)
    // A button that was disabled meanwhile has lost the focus.
    const next = isDone ? focusMessageField() : field.current
    next?.focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    const action = editAction(event)
    if (action === 'cancel') close()
    if (action !== 'send') return
    event.preventDefault()
    void finish(onSend)
  }

  return (
    <Form
      className="flex w-full flex-col gap-2 rounded-xl border border-edge bg-surface p-3"
      onSubmit={() => void finish(onSend)}
    >
      <textarea
        aria-label={t('Edited question')}
        ref={field}
        value={text}
        readOnly={isBusy}
        onChange={(event) => setEdited(id, event.target.value)}
        onKeyDown={onKeyDown}
        className="field-sizing-content max-h-[min(16rem,40vh)] min-h-8 resize-none bg-transparent leading-5 outline-none"
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="min-w-40 flex-1 text-xs text-muted">
          {t('Send asks it again, beside the old version. Save changes only the text.')}
        </p>
        <Button size="small" onClick={close}>
          {t('Cancel')}
        </Button>
        <Button size="small" disabled={!canSend} onClick={() => void finish(onSave)}>
          {t('Save')}
        </Button>
        <Button size="small" look="primary" type="submit" disabled={!canSend}>
          {t('Send')}
        </Button>
      </div>
    </Form>
  )
}
