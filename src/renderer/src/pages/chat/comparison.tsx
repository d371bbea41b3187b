import { Check, Split } from 'lucide-react'
import type { AnswerMeta, ConversationMessage } from '../../../../shared/chat/conversations.ts'
import { Button } from '../../components/button.tsx'
import { useLiveAnswers } from '../../stores/live-answers.ts'
import { useRouterComparison } from '../../stores/router-comparison.ts'
import { useRouters } from '../../stores/routers.ts'
import { showToast } from '../../stores/toasts.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { compareAnswers } from './compare-answers.ts'
import { Answer } from './message.tsx'
import { routerNames } from './router-names.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

interface ComparisonProps {
  conversation: string
  answers: readonly ConversationMessage[]
  isArriving: boolean
  onKeep: (answer: ConversationMessage) => void
}

/** Answers side by side where the thread has room, with their differences below. */
export function Comparison({ conversation, answers, isArriving, onKeep }: ComparisonProps) {
  const isBlind = useRouterComparison(({ blind }) => blind[conversation] ?? false)
  const routers = useRouters((state) => state.items)
  // Answers of one router are told apart by their models.
  const known = routerNames(answers, routers ?? [])
  const names = isBlind ? blindNames(answers) : known
  const shown = isBlind ? answers.toSorted((a, b) => compareIds(a.id, b.id)) : answers
  const blindCharacters = usePace(answers, isBlind)

  function keep(answer: ConversationMessage): void {
    onKeep(answer)
    if (isBlind) showToast({ text: revealedWords(shown, known, answer), stayMs: 15_000 })
  }

  return (
    <div
      role="group"
      aria-label={t('Answers to compare')}
      className="@container flex flex-col gap-3"
    >
      <p className="text-sm text-muted">
        {isBlind
          ? t('Keep the better answer to see which model gave it.')
          : names
            ? t(
                'All routers get the same conversation. Keep the better answer to continue with it; otherwise the last one counts.',
              )
            : t(
                'Pick the better answer to continue with. Feedback affects only routers with the Adaptive strategy.',
              )}
      </p>
      <div
        className={`grid gap-3 @min-[35rem]:grid-cols-2 ${answers.length > 2 ? '@min-[46rem]:grid-cols-3' : ''}`}
      >
        {shown.map((answer) => (
          <div
            key={answer.id}
            className="flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-surface p-4 **:data-answer-footer:sticky **:data-answer-footer:bottom-2"
          >
            {names && (
              <h2 className="sticky top-0 z-1 flex items-center bg-surface py-1 gap-1.5 text-xs font-semibold wrap-anywhere">
                <Split size={13} aria-hidden className="shrink-0 text-muted" />
                {names.get(answer.id)}
              </h2>
            )}
            <Answer message={answer} repairs={null} {...{ blindCharacters }} />
            {!isArriving && answer.state !== 'failed' && (
              <Button size="small" className="mt-auto self-start" onClick={() => keep(answer)}>
                <Check size={13} aria-hidden /> {t('Keep this answer')}
              </Button>
            )}
          </div>
        ))}
      </div>
      {!isBlind && (
        <Differences
          answers={answers.flatMap(({ id, meta }) => {
            if (!meta) return []
            const router = names?.get(id)
            return { meta, name: router === undefined ? meta.modelUsed : router }
          })}
        />
      )}
    </div>
  )
}

/** By the ends of ids, which are random: the place of an answer tells nothing of its router. */
function compareIds(a: string, b: string): number {
  const [end, other] = [a.slice(-12), b.slice(-12)]
  return end < other ? -1 : end > other ? 1 : 0
}

function blindNames(answers: readonly ConversationMessage[]): Map<string, string> {
  const shown = answers.toSorted((a, b) => compareIds(a.id, b.id))
  return new Map(
    shown.map(({ id }, index) => [id, t('Answer {letter}', { letter: 'ABC'[index] ?? '' })]),
  )
}

/** The slowest answer sets the pace of all, so that speed does not tell the model. */
function usePace(answers: readonly ConversationMessage[], isBlind: boolean): number | undefined {
  return useLiveAnswers((live) => {
    if (!isBlind) return undefined
    return Math.min(...answers.map(({ id }) => live[id]?.length ?? Infinity))
  })
}

/** Which model gave which answer, the kept one first. */
function revealedWords(
  shown: readonly ConversationMessage[],
  routers: ReadonlyMap<string, string> | null,
  kept: ConversationMessage,
): string {
  const names = blindNames(shown)
  return [kept, ...shown.filter((one) => one !== kept)]
    .map(({ id, meta }) => {
      const model = joinWords([routers?.get(id) ?? '', meta?.modelUsed ?? ''])
      return t('{answer} was {model}', { answer: names.get(id) ?? '', model })
    })
    .join('; ')
}

interface DifferencesProps {
  answers: readonly { name: string; meta: AnswerMeta }[]
}

function Differences({ answers: [first, ...others] }: DifferencesProps) {
  if (!first || others.length === 0) return null
  return (
    <ul aria-label={t('Differences')} className="flex flex-col gap-1.5">
      {others.map(({ name, meta }) => (
        <li
          key={meta.requestId}
          className="flex flex-wrap items-baseline gap-x-4 gap-y-1 rounded-lg bg-sunken px-3 py-2 text-xs text-muted tabular-nums"
        >
          <span className="wrap-anywhere">
            {rich('{name} compared with {firstName}', {
              name: <span className="font-medium text-ink">{name}</span>,
              firstName: first.name,
            })}
          </span>
          {compareAnswers(first.meta, meta).map(({ name: figure, text, isBetter }) => (
            <span key={figure} className="whitespace-nowrap">
              {figure}{' '}
              <span className={isBetter ? 'font-medium text-ok' : 'font-medium text-ink'}>
                {text}
              </span>
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}
