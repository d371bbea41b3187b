import { useState } from 'react'
import { formatUsd } from '../../../../shared/strings/format.ts'
import type { TuningRun } from '../../../../shared/tuning/tuning-run.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { Card } from '../../components/page.tsx'
import { readNumber } from '../../components/read-number.ts'
import { useAction } from '../../components/use-action.ts'
import { errorBeside, errorOf } from '../../stores/client.ts'
import { resumeRun, stopRun } from '../../stores/tuning.ts'
import { suggestedNewCap } from './cap.ts'
import {
  canResume,
  endedPrompts,
  isUnderWay,
  moneyAndTime,
  promptsText,
  stateOf,
} from './run-words.ts'
import { joinSentences } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** How far the run is, what it spent, and how to stop or resume it. */
export function RunProgress({ run }: { run: TuningRun }) {
  const state = stateOf(run)
  const { total, ungraded } = run.prompts
  const isOpen = isUnderWay(run) || canResume(run)
  const problems = problemsOf(run)
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
        <span role="status">
          <Badge tone={state.tone}>{state.text}</Badge>
        </span>
        <span className="font-medium tabular-nums">
          {run.from === 'shadow'
            ? promptsText(run)
            : t('{endedPrompts} of {total} prompts', { endedPrompts: endedPrompts(run), total })}
        </span>
        <span className="ml-auto text-muted tabular-nums">{moneyAndTime(run)}</span>
      </div>
      {isOpen && <Bars run={run} />}
      {run.message !== null && <p className="text-sm wrap-anywhere">{run.message}</p>}
      {problems !== '' && <p className="text-xs text-muted">{problems}</p>}
      {ungraded > 0 && !isUnderWay(run) && run.from !== 'shadow' && (
        <p className="text-xs text-muted">
          {t('{count, plural, one {1 prompt has} other {# prompts have}} no grade.', {
            count: ungraded,
          })}
        </p>
      )}
      {isOpen && <Actions run={run} />}
    </Card>
  )
}

function Bars({ run }: { run: TuningRun }) {
  const { capUsd, spentUsd, prompts } = run
  const ended = endedPrompts(run)
  return (
    <>
      <Bar
        label={t('Prompts')}
        share={prompts.total === 0 ? 0 : ended / prompts.total}
        text={t('{ended} of {total} prompts', { ended, total: prompts.total })}
      />
      {capUsd > 0 && (
        <Bar
          label={t('Money')}
          share={Math.min(1, spentUsd / capUsd)}
          text={t('{spentUsd} of {capUsd}', {
            spentUsd: formatUsd(spentUsd),
            capUsd: formatUsd(capUsd),
          })}
          isMoney
        />
      )}
    </>
  )
}

function problemsOf({ requests: { failed, lost } }: TuningRun): string {
  return joinSentences([
    ...(failed > 0
      ? [t('{count, plural, one {1 request} other {# requests}} failed.', { count: failed })]
      : []),
    ...(lost > 0
      ? [
          t(
            '{count, plural, one {1 request was under way when Modelport ended. It counts at the highest cost and is not sent again.} other {# requests were under way when Modelport ended. They count at the highest cost and are not sent again.}}',
            { count: lost },
          ),
        ]
      : []),
  ])
}

interface BarProps {
  label: string
  /** 0 to 1. */
  share: number
  text: string
  isMoney?: boolean
}

function Bar({ label, share, text, isMoney = false }: BarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={text}
      className="flex items-center gap-3 text-xs text-muted"
    >
      <span className="w-14 shrink-0">{label}</span>
      <svg aria-hidden className="h-2 w-full" preserveAspectRatio="none">
        <rect width="100%" height="100%" rx="4" className="fill-sunken stroke-line" />
        <rect
          width={`${share * 100}%`}
          height="100%"
          rx="4"
          className={isMoney ? 'fill-series-2' : 'fill-accent'}
        />
      </svg>
    </div>
  )
}

/** One button in one place, so that the keyboard focus stays on it. */
function Actions({ run }: { run: TuningRun }) {
  const [typed, setTyped] = useState<string | null>(null)
  const needsCap = run.stoppedBy === 'cap'
  const cap = typed ?? suggestedNewCap(run)
  const newCapUsd = needsCap ? (readNumber(cap) ?? NaN) : null
  const { run: act, error } = useAction(async () => {
    await (isUnderWay(run) ? stopRun(run.id) : resumeRun(run.id, newCapUsd))
    setTyped(null)
  })
  const other = error && errorBeside(error, ['capUsd'])
  return (
    <>
      {needsCap && (
        <NumberField
          label={t('New cap')}
          unit={t('US dollars')}
          hint={t('For the whole run, of which {spentUsd} is spent', {
            spentUsd: formatUsd(run.spentUsd),
          })}
          value={cap}
          error={errorOf(error, 'capUsd')}
          onChange={setTyped}
          className="max-w-40"
        />
      )}
      {other && <ErrorNote error={other} />}
      <div className="flex items-center gap-3">
        <Button
          look={isUnderWay(run) ? 'plain' : 'primary'}
          aria-disabled={run.state === 'stopping'}
          onClick={() => run.state !== 'stopping' && act()}
        >
          {actionText(run, newCapUsd)}
        </Button>
        <span className="text-xs text-muted">{actionHint(run)}</span>
      </div>
    </>
  )
}

function actionText(run: TuningRun, newCapUsd: number | null): string {
  if (run.state === 'stopping') return t('Stopping…')
  if (run.state === 'running') return t('Stop')
  if (newCapUsd === null || Number.isNaN(newCapUsd)) return t('Resume')
  return t('Resume, spend at most {newCapUsd}', { newCapUsd: formatUsd(newCapUsd) })
}

function actionHint(run: TuningRun): string {
  if (run.state === 'stopping') return t('Requests under way are ending.')
  if (run.state === 'running') return t('You can leave this page. A stopped run can be resumed.')
  const rest = run.prompts.total - endedPrompts(run)
  return t(
    '{count, plural, one {Asks the other prompt} other {Asks the other # prompts}}. Nothing is asked twice.',
    { count: rest },
  )
}
