import { CircleStop, RotateCcw, StepForward } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ConversationMessage } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Note } from '../../components/error-note.tsx'
import { Markdown } from '../../markdown/markdown.tsx'
import { useLiveAnswers } from '../../stores/live-answers.ts'
import { tellCopied } from '../../stores/thumbs.ts'
import { AgentChip } from './agent-chip.tsx'
import { AnswerChip } from './answer-chip.tsx'
import { ThumbButtons } from './thumbs.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** What can follow an answer that failed or was stopped. */
export interface AnswerRepairs {
  onRetry: () => void
  /** Null when there is no text to continue. */
  onContinue: (() => void) | null
  /** A menu of other models. */
  otherModels: ReactNode
}

interface AnswerProps {
  message: ConversationMessage
  /** More actions, shown beside the chip of a complete answer. */
  actions?: ReactNode
  /** Null unless this is the last answer. */
  repairs: AnswerRepairs | null
}

/** An answer, while it streams and afterwards. */
export function Answer({ message, repairs, actions }: AnswerProps) {
  const live = useLiveAnswers((answers) => answers[message.id])
  const isArriving = live !== undefined
  const text = live ?? message.text
  return (
    <article
      aria-label={t('Answer')}
      aria-busy={isArriving}
      className="group/answer flex min-w-0 flex-col gap-2.5"
    >
      {text === '' && isArriving ? (
        <p className="animate-pulse text-sm text-muted">{t('Waiting for the answer…')}</p>
      ) : (
        text !== '' && <Markdown text={text} isArriving={isArriving} />
      )}
      <span role="status" className="sr-only">
        {isArriving ? t('The answer is streaming') : ''}
      </span>
      {!isArriving && (
        <>
          <Outcome message={message} repairs={repairs} />
          <Footer message={message} actions={message.state === 'complete' ? actions : null} />
        </>
      )}
    </article>
  )
}

/** The chip, and beside it the actions that appear on hover and focus. */
function Footer({ message, actions }: Pick<AnswerProps, 'message' | 'actions'>) {
  const { text, meta, agentMeta } = message
  if (text === '' && !meta && !agentMeta) return null
  return (
    <div data-answer-footer className="flex min-h-7 flex-wrap items-start gap-1">
      {meta && <AnswerChip meta={meta} />}
      {agentMeta && <AgentChip meta={agentMeta} />}
      <span className="flex shrink-0 items-center opacity-0 transition-opacity group-focus-within/answer:opacity-100 group-hover/answer:opacity-100 has-aria-pressed:opacity-100 has-data-popup-open:opacity-100 pointer-coarse:opacity-100">
        {text !== '' && (
          <CopyButton text={text} what={t('answer')} onCopied={() => tellCopied(message)} />
        )}
        {actions}
        {meta && <ThumbButtons requestId={meta.requestId} />}
      </span>
    </div>
  )
}

/** The message for a failed or stopped answer, with ways to go on. */
function Outcome({ message, repairs }: Pick<AnswerProps, 'message' | 'repairs'>) {
  if (message.state === 'complete') return null
  const ways = repairs && <Repairs {...repairs} />
  if (message.state === 'failed') {
    return (
      <Note kind="bad">
        <span className="block min-w-40 flex-1 wrap-anywhere first-letter:uppercase">
          {message.error ?? t('The answer failed.')}
        </span>
        {ways}
        {message.errorDetail !== null && (
          <details className="w-full">
            <summary className="text-xs font-medium">{t('Details')}</summary>
            <p className="mt-1 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
              {message.errorDetail}
            </p>
          </details>
        )}
      </Note>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted">
      <span className="flex items-center gap-2">
        <CircleStop size={15} aria-hidden className="shrink-0" />
        {t('Stopped. The partial answer is saved.')}
      </span>
      {ways}
    </div>
  )
}

function Repairs({ onRetry, onContinue, otherModels }: AnswerRepairs) {
  return (
    <span className="flex flex-wrap items-center gap-1.5 text-ink">
      {onContinue && (
        <Button size="small" onClick={onContinue}>
          <StepForward size={13} aria-hidden /> {t('Continue')}
        </Button>
      )}
      <Button size="small" onClick={onRetry}>
        <RotateCcw size={13} aria-hidden /> {t('Try again')}
      </Button>
      {otherModels}
    </span>
  )
}
