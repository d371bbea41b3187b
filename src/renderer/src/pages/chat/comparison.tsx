import { Check } from 'lucide-react'
import type { AnswerMeta, ConversationMessage } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { compareAnswers } from './compare-answers.ts'
import { Answer } from './message.tsx'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

interface ComparisonProps {
  answers: readonly ConversationMessage[]
  isArriving: boolean
  onKeep: (answer: ConversationMessage) => void
}

/** Answers side by side where the thread has room, with their differences below. */
export function Comparison({ answers, isArriving, onKeep }: ComparisonProps) {
  return (
    <section aria-label={t('Answers to compare')} className="@container flex flex-col gap-3">
      <p className="text-sm text-muted">
        {t(
          'Pick the better answer to continue with. Feedback affects only routers with the Adaptive strategy.',
        )}
      </p>
      <div className="grid gap-3 @min-[35rem]:grid-cols-2">
        {answers.map((answer) => (
          <div
            key={answer.id}
            className="flex min-w-0 flex-col justify-between gap-3 rounded-xl border border-line bg-surface p-4"
          >
            <Answer message={answer} repairs={null} />
            {!isArriving && answer.state !== 'failed' && (
              <Button size="small" className="self-start" onClick={() => onKeep(answer)}>
                <Check size={13} aria-hidden /> {t('Keep this answer')}
              </Button>
            )}
          </div>
        ))}
      </div>
      <Differences metas={answers.flatMap(({ meta }) => meta ?? [])} />
    </section>
  )
}

function Differences({ metas }: { metas: readonly AnswerMeta[] }) {
  const [first, ...others] = metas
  if (!first || others.length === 0) return null
  return (
    <ul aria-label={t('Differences')} className="flex flex-col gap-1.5">
      {others.map((other) => (
        <li
          key={other.requestId}
          className="flex flex-wrap items-baseline gap-x-4 gap-y-1 rounded-lg bg-sunken px-3 py-2 text-xs text-muted tabular-nums"
        >
          <span className="wrap-anywhere">
            {rich('{text} compared with', {
              text: <span className="font-medium text-ink">{other.modelUsed}</span>,
            })}{' '}
            {first.modelUsed}
          </span>
          {compareAnswers(first, other).map(({ name, text, isBetter }) => (
            <span key={name} className="whitespace-nowrap">
              {name}{' '}
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
