import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import { isUnsaid, turnsOf } from '../../../../shared/chat/conversation-turns.ts'
import type { Router } from '../../../../shared/entities.ts'
import { Form } from '../../components/form.tsx'
import { hasMovedFocus } from '../../shell/focus-at-navigation.ts'
import { setDraft, useChat } from '../../stores/chat.ts'
import {
  previewFor,
  takeModel,
  takenModelOf,
  usePreviews,
  type PreviewedMessage,
} from '../../stores/previews.ts'
import { useAttachments } from '../../stores/attachments.ts'
import { AgentPicker } from './agent-picker.tsx'
import { runnerUpOf } from './alternatives.ts'
import { AttachButton } from './attach-button.tsx'
import { AttachmentChips, useAreReadable, useAttached } from './attachment-chips.tsx'
import { QueuedMessages } from './queued-messages.tsx'
import { SendButtons } from './send-buttons.tsx'
import { ToolsSwitch } from './tools-switch.tsx'
import { RoutingLine } from './routing-line.tsx'
import { useAgent } from './use-agent.ts'
import { beginEdit } from './use-edited-questions.ts'
import { usePasting } from './use-pasting.ts'
import { usePrompting } from './use-prompting.tsx'
import { queueDraft, useSending } from './use-sending.ts'
import { useArrivingAnswers } from './use-arriving-answers.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface ComposerProps {
  conversation: string
  router: Router
  /** Routers that get each message too. */
  others: readonly Router[]
}

/** The message field. Enter sends, or queues while an answer arrives. Shift + Enter starts a new line. */
export function Composer({ conversation, router, others }: ComposerProps) {
  const draft = useChat((state) => state.drafts[conversation] ?? '')
  const isSending = useChat((state) => state.sending === conversation)
  const arriving = useArrivingAnswers(conversation)
  const isArriving = arriving.length > 0
  const field = useRef<HTMLTextAreaElement>(null)
  useFocusWhenOpened(field, conversation)
  const focus = () => field.current?.focus()
  const prompts = usePrompting(conversation, draft, focus)
  const pasting = usePasting(conversation, field)
  const text = draft.trim()
  const attached = useAttached(conversation)
  const isReadable = useAreReadable(conversation, router)
  const isReading = useAttachments((state) => (state.reading[conversation] ?? []).length > 0)
  const isWritten = (text !== '' || attached.length > 0) && isReadable && !isReading
  const canSend = isWritten && !isSending

  const message = { conversation, routerId: router.id, text }
  const agent = useAgent(conversation)
  const isRouted = isWritten && agent === null && others.length === 0
  const send = useSending({ ...message, draft, isRouted, others, agent })

  function sendOrQueue(): void {
    if (!canSend) return
    if (!isArriving) return void send()
    queueDraft(message, isRouted)
    // The button goes away with the text.
    focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    // During composition, Enter belongs to the input method.
    if (event.nativeEvent.isComposing) return
    if (prompts.list.onKeyDown(event) || pasting.onKeyDown(event)) {
      event.preventDefault()
      return
    }
    // A second Tab moves the focus.
    const isTab = event.key === 'Tab' && !event.shiftKey
    if (isTab && isRouted && takeRunnerUp(message)) event.preventDefault()
    if (event.key === 'ArrowUp' && draft === '' && editLastQuestion(conversation)) {
      event.preventDefault()
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    sendOrQueue()
  }

  return (
    <div
      ref={noteHeight}
      className="@container mx-auto flex w-full max-w-3xl shrink-0 flex-col gap-1.5 px-4 pt-1 pb-4 min-[80rem]:px-6"
    >
      {prompts.panel}
      <QueuedMessages {...{ conversation, focus }} />
      <AttachmentChips {...{ conversation, router }} onKeepAsText={pasting.onKeepAsText} />
      <Form
        onSubmit={sendOrQueue}
        className="flex items-end gap-2 rounded-xl border border-edge bg-surface p-2 shadow-xs has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-accent"
      >
        <textarea
          ref={field}
          data-message-field=""
          {...prompts.fieldProps}
          aria-label={t('Message')}
          placeholder={
            others.length === 0
              ? t('Message {name}', { name: router.name })
              : t('Message {count, plural, one {# router} other {# routers}}', {
                  count: others.length + 1,
                })
          }
          rows={1}
          value={draft}
          onChange={(event) => setDraft(conversation, event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={pasting.onPaste}
          className="field-sizing-content max-h-[min(13rem,40vh)] min-h-8 min-w-0 flex-1 resize-none bg-transparent px-2 py-1.5 leading-5 outline-none placeholder:text-muted"
        />
        <SendButtons {...{ arriving, canSend, focus }} />
      </Form>
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1 px-1">
        <RoutingLine
          key={conversation}
          message={message}
          version={JSON.stringify(attached.map(({ sha256, sentAs }) => [sha256, sentAs]))}
          isOn={isWritten && agent === null}
          isAlone={others.length === 0}
        >
          <p className="hidden truncate @min-[40rem]:block">
            {isArriving
              ? t('Enter queues the next message')
              : t('Enter to send, Shift + Enter for a new line')}
          </p>
        </RoutingLine>
        {agent === null && <ToolsSwitch conversation={conversation} routerId={router.id} />}
        <AttachButton conversation={conversation} />
        {prompts.button}
        <AgentPicker conversation={conversation} />
      </div>
    </div>
  )
}

/** @returns whether there is a runner-up that was not taken yet */
function takeRunnerUp(message: PreviewedMessage): boolean {
  const shown = previewFor(message, usePreviews.getState())
  if (shown?.kind !== 'known' || takenModelOf(message) !== null) return false
  const runnerUp = runnerUpOf(shown.preview)
  if (runnerUp) takeModel(message, runnerUp.model)
  return runnerUp !== null
}

/** @returns whether there is a question to edit */
function editLastQuestion(conversation: string): boolean {
  const { messages } = useChat.getState().threads[conversation] ?? {}
  const last = turnsOf(messages ?? []).at(-1)
  if (!last || isUnsaid(last.question)) return false
  beginEdit(last.question)
  return true
}

function useFocusWhenOpened(
  field: RefObject<HTMLTextAreaElement | null>,
  conversation: string,
): void {
  const shown = useRef<string | null>(null)
  useEffect(() => {
    // While the chat was loading, the user may have moved the focus. Opening another conversation is meant for this field.
    const isOther = shown.current !== null && shown.current !== conversation
    if (isOther || !hasMovedFocus()) field.current?.focus()
    shown.current = conversation
  }, [field, conversation])
}

/** Tells notices how much room the message field takes, so that they stay above it. */
function noteHeight(composer: HTMLDivElement): () => void {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => {
    style.setProperty('--composer-height', `${composer.offsetHeight}px`)
  })
  observer.observe(composer)
  return () => {
    observer.disconnect()
    style.removeProperty('--composer-height')
  }
}
