import { Check, Split } from 'lucide-react'
import type { AnswerMeta, ConversationMessage } from '../../../../shared/chat/conversations.ts'
import { Button } from '../../components/button.tsx'
import { useRouters } from '../../stores/routers.ts'
import { compareAnswers } from './compare-answers.ts'
import { Answer } from './message.tsx'
import { routerNames } from './router-names.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

interface ComparisonProps {
  answers: readonly ConversationMessage[]
  isArriving: boolean
  onKeep: (answer: ConversationMessage) => void
}

/** Answers side by side where the thread has room, with their differences below. */
export function Comparison({ answers, isArriving, onKeep }: ComparisonProps) {
  const routers = useRouters((state) => state.items)
  // Answers of one router are told apart by their models.
  const names = routerNames(answers, routers ?? [])
  return (
    <section aria-label={t('Answers to compare')} className="@container flex flex-col gap-3">
      <p className="text-sm text-muted">
        {names
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
        {answers.map((answer) => (
          <div
            key={answer.id}
            className="flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-surface p-4 **:data-answer-footer:sticky **:data-answer-footer:bottom-2"
          >
            {names && (
              <h3 className="sticky top-0 z-1 flex items-center bg-surface py-1 gap-1.5 text-xs font-semibold wrap-anywhere">
                <Split size={13} aria-hidden className="shrink-0 text-muted" />
                {names.get(answer.id)}
              </h3>
            )}
            <Answer message={answer} repairs={null} />
            {!isArriving && answer.state !== 'failed' && (
              <Button size="small" className="mt-auto self-start" onClick={() => onKeep(answer)}>
                <Check size={13} aria-hidden /> {t('Keep this answer')}
              </Button>
            )}
          </div>
        ))}
      </div>
      <Differences
        answers={answers.flatMap(({ id, meta }) => {
          if (!meta) return []
          const router = names?.get(id)
          return { meta, name: router === undefined ? meta.modelUsed : router }
        })}
      />
    </section>
  )
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
