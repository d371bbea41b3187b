import { CircleStop, RotateCcw } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { AnswerMeta, ConversationMessage } from '../../../../shared/entities.ts'
import { fallbackText } from '../../../../shared/fallback.ts'
import { formatDuration, formatGrams, formatUsd } from '../../../../shared/format.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Note } from '../../components/error-note.tsx'
import { WhyButton } from '../../decision/why-button.tsx'
import { Markdown } from '../../markdown/markdown.tsx'
import { useLiveAnswers } from '../../stores/live-answers.ts'
import { tellCopied } from '../../stores/thumbs.ts'
import { AgentChip } from './agent-chip.tsx'
import { ThumbButtons } from './thumbs.tsx'

/** The user's message as plain text. */
export const Question = memo(function Question({ message }: { message: ConversationMessage }) {
  return (
    <article
      aria-label="Question"
      className="max-w-[85%] self-end rounded-2xl rounded-br-md bg-accent-soft px-4 py-2.5 wrap-anywhere whitespace-pre-wrap"
    >
      {message.text}
    </article>
  )
})

interface AnswerProps {
  message: ConversationMessage
  /** More actions, shown beside the chip. */
  actions?: ReactNode
  /** Sends the question again; null unless this is the last answer. */
  onRetry: (() => void) | null
}

/** An answer, while it streams and afterwards. */
export function Answer({ message, onRetry, actions }: AnswerProps) {
  const live = useLiveAnswers((answers) => answers[message.id])
  const isArriving = live !== undefined
  const text = live ?? message.text
  return (
    <article aria-label="Answer" aria-busy={isArriving} className="flex flex-col gap-2.5">
      {text === '' && isArriving ? (
        <p className="animate-pulse text-sm text-muted">Waiting for the answer…</p>
      ) : (
        text !== '' && <Markdown text={text} isArriving={isArriving} />
      )}
      <span role="status" className="sr-only">
        {isArriving ? 'The answer is streaming' : ''}
      </span>
      {!isArriving && <Outcome message={message} onRetry={onRetry} />}
      {!isArriving && (
        <div className="flex flex-wrap items-center gap-1">
          {message.meta && <MetaChip meta={message.meta} />}
          {message.agentMeta && <AgentChip meta={message.agentMeta} />}
          <span className="flex items-center gap-1">
            {text !== '' && (
              <CopyButton text={text} what="answer" onCopied={() => tellCopied(message)} />
            )}
            {actions}
            {message.meta && <ThumbButtons requestId={message.meta.requestId} />}
          </span>
        </div>
      )}
    </article>
  )
}

/** The message for a failed or stopped answer. */
function Outcome({ message, onRetry }: Pick<AnswerProps, 'message' | 'onRetry'>) {
  if (message.state === 'complete') return null
  const retry = onRetry && (
    <Button size="small" onClick={onRetry}>
      <RotateCcw size={13} aria-hidden /> Try again
    </Button>
  )
  if (message.state === 'failed') {
    return (
      <Note kind="bad">
        <span className="block min-w-0 flex-1 first-letter:uppercase">
          {message.error ?? 'The answer failed.'}
        </span>
        {retry}
      </Note>
    )
  }
  return (
    <div className="flex items-center gap-2 text-sm text-muted">
      <CircleStop size={15} aria-hidden />
      Stopped. The partial answer is saved.
      {retry}
    </div>
  )
}

/** The `_meta` of an answer in one line. */
function MetaChip({ meta }: { meta: AnswerMeta }) {
  const { fallback } = meta
  const parts = [
    { name: 'Model', text: meta.modelUsed },
    ...(fallback ? [{ name: 'Fall-over', text: fallbackText(fallback) }] : []),
    { name: 'Cost', text: formatUsd(meta.costUsd) },
    { name: 'Latency', text: formatDuration(meta.latencyMs) },
    { name: 'CO₂e, estimated', text: formatGrams(meta.carbonGrams) },
    { name: 'Decision', text: meta.routerDecision.replaceAll('_', ' ') },
  ]
  return (
    <div className="relative flex min-w-0 flex-wrap items-center gap-x-1.5 rounded-xl border border-line bg-surface px-2.5 py-0.5 text-xs text-muted tabular-nums hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <ul aria-label="Answer details" className="contents">
        {parts.map(({ name, text }, index) => (
          <li key={name} title={name} className="flex gap-1.5 first:font-medium first:text-ink">
            {index > 0 && <span aria-hidden>·</span>}
            {text}
          </li>
        ))}
      </ul>
      <WhyButton
        requestId={meta.requestId}
        // The whole chip is the click target.
        className="font-medium text-accent outline-none after:absolute after:inset-0"
      />
    </div>
  )
}
