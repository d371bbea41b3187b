import { CircleStop, RotateCcw, StepForward } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { useMemo, useState, type ReactNode } from 'react'
import type { ConversationMessage } from '../../../../shared/chat/conversations.ts'
import type { Provider, Router } from '../../../../shared/entities.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Note } from '../../components/error-note.tsx'
import { useLiveAnswers, useLiveSteps } from '../../stores/live-answers.ts'
import { useProviders } from '../../stores/providers.ts'
import { useRouters } from '../../stores/routers.ts'
import { useReasonings, withOpenReasoning } from '../../stores/reasonings.ts'
import { tellCopied } from '../../stores/thumbs.ts'
import { useNow } from '../../components/use-now.ts'
import { noMarks } from '../../markdown/source-marks.ts'
import { ReplaceKeyDialog } from '../models/replace-key-dialog.tsx'
import { failureWords, isOverBudget } from './failure-words.ts'
import { AgentChip } from './agent-chip.tsx'
import { AnswerChip } from './answer-chip.tsx'
import { AttachedFiles } from './attached-files.tsx'
import { ImportedChip, ImportedDetails } from './imported-details.tsx'
import { Reasoning } from './reasoning.tsx'
import { isPage, marksOf, Sources, sourcesOf } from './sources.tsx'
import { AnswerText } from './tool-steps.tsx'
import { ThumbButtons } from './thumbs.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** What can follow an answer that failed or was stopped. */
export interface AnswerRepairs {
  /** The router that was asked. */
  routerId: string
  /** Null when it would fail in the same way. */
  onRetry: (() => void) | null
  /** Null when there is no text to continue. */
  onContinue: (() => void) | null
  /** A menu of other models. */
  otherModels: ReactNode
}

interface AnswerProps {
  message: ConversationMessage
  /** The other answers to the question, beside the chip of an answer that has ended. */
  versions?: ReactNode
  /** More actions, shown beside the chip of a complete answer. */
  actions?: ReactNode
  /** Null unless this is the last answer. */
  repairs: AnswerRepairs | null
  /**
   * In a blind comparison, the number of characters to show: Infinity once all answers have ended. Figures, reasoning and
   * tool calls are hidden then.
   */
  blindCharacters?: number | undefined
}

/** An answer, while it streams and afterwards. */
export function Answer(props: AnswerProps) {
  const { message, blindCharacters } = props
  const isBlind = blindCharacters !== undefined
  const { text, steps, isArriving } = useShown(props)
  const marks = useMemo(() => (isArriving ? noMarks : marksOf(message)), [message, isArriving])
  return (
    <article
      aria-label={t('Answer')}
      aria-busy={isArriving}
      data-message={message.id}
      tabIndex={-1}
      className="scroll-mt-4 rounded-md focus:outline-2 focus:outline-offset-4 focus:outline-accent group/answer flex min-w-0 flex-col gap-2.5"
    >
      {text === '' && steps.length === 0 && isArriving ? (
        <Waiting messageId={isBlind ? null : message.id} />
      ) : (
        <AnswerText {...{ text, steps, isArriving }} marks={isBlind ? noMarks : marks} />
      )}
      {message.attachments.length > 0 && <AttachedFiles attachments={message.attachments} />}
      {!isBlind && <Sources sources={sourcesOf(message)} />}
      {message.imported && (
        <ImportedDetails details={message.imported.details.filter((detail) => !isPage(detail))} />
      )}
      {!isBlind && <Reasoning message={message} />}
      <span role="status" className="sr-only">
        {isArriving ? t('The answer is streaming') : ''}
      </span>
      {!isArriving && <Ending {...props} />}
    </article>
  )
}

/** What is shown of an answer now. */
function useShown({ message, blindCharacters }: AnswerProps) {
  const live = useLiveAnswers((answers) => answers[message.id])
  const liveSteps = useLiveSteps((known) => known[message.id])
  // Another window may have asked for it, before this one was there.
  const isStreaming = live !== undefined || message.state === 'streaming'
  return {
    text: (live ?? message.text).slice(0, blindCharacters),
    steps: blindCharacters === undefined ? (liveSteps ?? message.toolSteps) : [],
    isArriving: isStreaming || (blindCharacters ?? Infinity) < Infinity,
  }
}

function Ending({ message, repairs, versions, actions, blindCharacters }: AnswerProps) {
  return (
    <>
      <Outcome {...{ message, repairs }} />
      {blindCharacters === undefined && <Footer {...{ message, versions, actions }} />}
    </>
  )
}

/** @param messageId  null hides whether the model thinks */
function Waiting({ messageId }: { messageId: string | null }) {
  const isThinking = useReasonings((known) => messageId !== null && messageId in known)
  return (
    <p className="animate-pulse text-sm text-muted">
      {isThinking ? t('Thinking…') : t('Waiting for the answer…')}
    </p>
  )
}

/** The chip, and beside it the actions that appear on hover and focus. */
function Footer({ message, actions, versions }: Omit<AnswerProps, 'repairs'>) {
  const { text, state, meta, agentMeta, imported } = message
  if (text === '' && !meta && !agentMeta && !imported) return versions
  return (
    <div data-answer-footer className="flex min-h-7 flex-wrap items-start gap-1">
      {meta && <AnswerChip meta={meta} />}
      {agentMeta && <AgentChip meta={agentMeta} />}
      {imported && <ImportedChip imported={imported} />}
      {versions}
      <span className="flex shrink-0 items-center opacity-0 transition-opacity group-focus-within/answer:opacity-100 group-hover/answer:opacity-100 has-aria-pressed:opacity-100 has-data-popup-open:opacity-100 pointer-coarse:opacity-100">
        {text !== '' && (
          <CopyButton
            text={() => withOpenReasoning(message).text}
            what={t('answer')}
            onCopied={() => tellCopied(message)}
          />
        )}
        {state === 'complete' && actions}
        {meta && <ThumbButtons requestId={meta.requestId} />}
      </span>
    </div>
  )
}

/** The message for a failed or stopped answer, with ways to go on. */
export function Outcome({ message, repairs }: Pick<AnswerProps, 'message' | 'repairs'>) {
  const nowMs = useNow()
  const router = useRouters((state) => state.items?.find(({ id }) => id === repairs?.routerId))
  if (message.state === 'complete') return null
  const isRefused = router !== undefined && isOverBudget(message.error ?? '', router, nowMs)
  const ways = repairs && <Repairs {...repairs} onRetry={isRefused ? null : repairs.onRetry} />
  if (message.state === 'failed') {
    return (
      <Note kind="bad">
        <span className="block min-w-40 flex-1 wrap-anywhere first-letter:uppercase">
          {message.error === null ? t('The answer failed.') : failureWords(message.error, nowMs)}
        </span>
        {router && <Causes {...{ router, isRefused }} />}
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
        {message.error ?? t('Stopped. The partial answer is saved.')}
      </span>
      {ways}
    </div>
  )
}

/** What ends the failure: another key for a provider, or a higher budget where the router’s is used up. */
function Causes({ router, isRefused }: { router: Router; isRefused: boolean }) {
  const providers = useProviders((state) => state.items) ?? []
  const [replaced, setReplaced] = useState<Provider | null>(null)
  const rejected = providers.filter(
    ({ id, health }) =>
      health.status === 'failing' &&
      (health.problem === 'key_rejected' || health.problem === 'key_missing') &&
      router.models.some((model) => model.startsWith(`${id}:`)),
  )
  return (
    <>
      {isRefused && (
        <Link
          to="/routers/$routerId"
          params={{ routerId: router.id }}
          search={{ tab: 'rules' }}
          className={buttonClass('plain', 'small')}
        >
          {t('Raise budget')}
        </Link>
      )}
      {rejected.map((provider) => (
        <Button key={provider.id} size="small" onClick={() => setReplaced(provider)}>
          {t('Replace key of {id}', { id: provider.id })}
        </Button>
      ))}
      {replaced && <ReplaceKeyDialog provider={replaced} onClose={() => setReplaced(null)} />}
    </>
  )
}

function Repairs({ onRetry, onContinue, otherModels }: AnswerRepairs) {
  return (
    <span className="flex flex-wrap items-center gap-1.5 text-ink">
      {onContinue && (
        <Button
          size="small"
          title={t(
            'Asks the model to go on, with the text so far. Where the texts meet, words may be missing or repeated.',
          )}
          onClick={onContinue}
        >
          <StepForward size={13} aria-hidden /> {t('Continue')}
        </Button>
      )}
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          <RotateCcw size={13} aria-hidden /> {t('Try again')}
        </Button>
      )}
      {otherModels}
    </span>
  )
}
