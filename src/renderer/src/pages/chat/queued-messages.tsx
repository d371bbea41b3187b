import { Pencil, SendHorizontal, Trash2 } from 'lucide-react'
import type { QueuedMessage } from '../../../../shared/chat/conversations.ts'
import { formatUsd } from '../../../../shared/strings/format.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { useChat } from '../../stores/chat.ts'
import type { Queue } from '../../stores/queue-state.ts'
import { editQueued, removeQueued, sendQueued } from '../../stores/queue.ts'
import { askAboveUsdOf, useSettings } from '../../stores/settings.ts'

interface QueuedMessagesProps {
  conversation: string
  /** Moves the focus to the message field. */
  focus: () => void
}

/** Messages that wait until the running answer ends. */
export function QueuedMessages({ conversation, focus }: QueuedMessagesProps) {
  const queue = useChat(({ queues }) => queues[conversation])
  const [first] = queue?.messages ?? []
  if (!queue || !first) return null
  return (
    <div className="flex flex-col gap-1.5">
      <ul
        aria-label={t('Queued messages')}
        className="flex max-h-40 flex-col gap-1.5 overflow-y-auto"
      >
        {queue.messages.map((message) => (
          <Chip key={message.id} {...{ message, conversation, focus }} />
        ))}
      </ul>
      <Pause state={queue.state} onSend={() => void sendQueued(conversation, first)} />
    </div>
  )
}

interface ChipProps extends QueuedMessagesProps {
  message: QueuedMessage
}

function Chip({ message, conversation, focus }: ChipProps) {
  const { id, text, attachments, taken } = message
  const files = attachments.map(({ name }) => name).join(', ')
  // A button goes away with its chip.
  const andFocus = (act: () => void) => () => {
    act()
    focus()
  }
  return (
    <li className="flex items-center gap-1 rounded-lg border border-line bg-surface py-0.5 pr-1 pl-2.5 text-xs">
      <span className="min-w-0 flex-1 truncate" title={text.slice(0, 1000)}>
        {text || files}
      </span>
      <span className="max-w-1/3 truncate text-muted">
        {joinWords([text === '' ? '' : files, taken?.model ?? ''])}
      </span>
      <IconButton
        label={t('Send now')}
        onClick={andFocus(() => void sendQueued(conversation, message))}
      >
        <SendHorizontal size={14} aria-hidden />
      </IconButton>
      <IconButton
        label={t('Edit message')}
        onClick={andFocus(() => editQueued(conversation, message))}
      >
        <Pencil size={14} aria-hidden />
      </IconButton>
      <IconButton
        label={t('Delete message')}
        onClick={andFocus(() => removeQueued(conversation, id))}
      >
        <Trash2 size={14} aria-hidden />
      </IconButton>
    </li>
  )
}

/** Says why the next message is not sent by itself. */
function Pause({ state, onSend }: { state: Queue['state']; onSend: () => void }) {
  const limitUsd = useSettings(askAboveUsdOf)
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 px-1 text-xs text-muted empty:hidden"
    >
      {state !== 'waiting' && (
        <>
          <span className="min-w-40 flex-1">{pauseWords(state, limitUsd)}</span>
          <Button size="small" onClick={onSend}>
            {t('Send next')}
          </Button>
        </>
      )}
    </div>
  )
}

function pauseWords(state: Exclude<Queue['state'], 'waiting'>, limitUsd: number): string {
  switch (state) {
    case 'costly':
      return t('The next message is expected to cost more than {limit}.', {
        limit: formatUsd(limitUsd),
      })
    case 'failed':
      return t('The answer failed, so the next message waits.')
    case 'stopped':
      return t('The answer was stopped, so the next message waits.')
    case 'stored':
      return t('These messages were not sent yet.')
  }
}
