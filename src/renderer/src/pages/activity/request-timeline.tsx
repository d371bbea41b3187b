import { formatDuration } from '../../../../shared/strings/format.ts'
import type { Timeline, TimelineStep } from './timeline.ts'
import { t } from '../../../../shared/strings/strings.ts'

const looks = { quiet: 'bg-edge', ok: 'bg-accent', bad: 'bg-bad' } as const

/** The steps of a request as bars on one time axis, each with its start and duration. */
export function RequestTimeline({ timeline }: { timeline: Timeline }) {
  const { totalMs, steps, firstTokenMs } = timeline
  return (
    <ol aria-label={t('Timeline')} className="flex flex-col gap-2.5 text-xs">
      {steps.map((step) => (
        <Step key={`${step.label} ${step.startMs}`} step={step} totalMs={totalMs} />
      ))}
      {firstTokenMs !== null && (
        <li className="flex flex-col gap-1">
          <StepLabel
            label={t('First token')}
            at={t('after {duration}', { duration: formatDuration(firstTokenMs) })}
          />
          <Track>
            <span
              className="absolute -top-0.5 size-2.5 -translate-x-1/2 rotate-45 rounded-[2px] bg-accent-strong forced-color-adjust-none"
              style={{ left: share(firstTokenMs, totalMs) }}
            />
          </Track>
        </li>
      )}
      <li>
        <StepLabel
          label={t('End')}
          at={t('after {duration}', { duration: formatDuration(totalMs) })}
        />
      </li>
    </ol>
  )
}

function Step({ step, totalMs }: { step: TimelineStep; totalMs: number }) {
  const { label, model, startMs, tookMs, tone, note } = step
  return (
    <li className="flex flex-col gap-1">
      <StepLabel
        label={model === null ? label : `${label} · ${model}`}
        at={
          startMs < 0.5
            ? formatDuration(tookMs)
            : t('{took}, after {start}', {
                took: formatDuration(tookMs),
                start: formatDuration(startMs),
              })
        }
      />
      <Track>
        <span
          className={`absolute inset-y-0 min-w-0.5 rounded-full forced-color-adjust-none ${looks[tone]}`}
          style={{ left: share(startMs, totalMs), width: share(tookMs, totalMs) }}
        />
      </Track>
      {note !== null && <p className="wrap-anywhere text-bad first-letter:uppercase">{note}</p>}
    </li>
  )
}

function StepLabel({ label, at }: { label: string; at: string }) {
  return (
    <span className="flex items-baseline justify-between gap-3">
      <span className="min-w-0 font-medium wrap-anywhere">{label}</span>
      <span className="shrink-0 text-muted tabular-nums">{at}</span>
    </span>
  )
}

function Track({ children }: { children: React.ReactNode }) {
  return (
    <span aria-hidden className="relative mx-1 h-1.5 rounded-full bg-line/60">
      {children}
    </span>
  )
}

function share(ms: number, totalMs: number): string {
  return totalMs === 0 ? '0%' : `${Math.min(100, Math.max(0, (ms / totalMs) * 100))}%`
}
