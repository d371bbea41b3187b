import { useEffect, useState } from 'react'
import type { StepTrace } from '../../../../shared/agents/agent.ts'
import { formatDuration, formatGrams, formatUsd } from '../../../../shared/strings/format.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { call } from '../../stores/client.ts'
import { readStoredTexts, type StoredTexts } from './kept-texts.ts'
import { stepNames } from './step-names.ts'
import { lengthOf, rowsOf, type Bar, type Row } from './timeline.ts'
import { joinWords, nameWith } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface RunTimelineProps {
  bars: readonly Bar[]
  spans: readonly StepTrace[]
  /** Milliseconds since the run started. */
  nowMs: number
}

/** The timeline of a run, with the input, output and figures of each model request. */
export function RunTimeline({ bars, spans, nowMs }: RunTimelineProps) {
  const [chosenId, choose] = useState<string | null>(null)
  const totalMs = lengthOf(bars, spans, nowMs)
  const chosen = bars.find(({ id }) => id === chosenId)
  return (
    <div className="flex flex-col gap-4">
      <div className="overflow-x-auto rounded-xl border border-line bg-surface">
        <table className="w-full min-w-xl text-sm" aria-label={t('Timeline')}>
          <thead className="border-b border-line text-xs text-muted">
            <tr>
              <th scope="col" className="w-56 px-3 py-1.5 text-left font-medium">
                {t('Step')}
              </th>
              <th scope="col" className="px-3 py-1.5 font-medium">
                <span className="sr-only">{t('Time')}</span>
                <span className="flex justify-between tabular-nums">
                  <span>0</span>
                  <span>{formatDuration(totalMs / 2)}</span>
                  <span>{formatDuration(totalMs)}</span>
                </span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rowsOf(bars, spans).map((row) => (
              <TimelineRow
                key={row.stepId}
                {...{ row, totalMs, nowMs, chosenId }}
                onChoose={choose}
              />
            ))}
          </tbody>
        </table>
      </div>
      {chosen ? (
        <RequestDetail key={chosen.id} bar={chosen} />
      ) : (
        <p className="text-sm text-muted">
          {t('Each bar is a model request. Select one to see its input and output.')}
        </p>
      )}
    </div>
  )
}

interface TimelineRowProps {
  row: Row
  totalMs: number
  nowMs: number
  chosenId: string | null
  onChoose: (id: string) => void
}

function TimelineRow({ row, totalMs, nowMs, chosenId, onChoose }: TimelineRowProps) {
  const { stepId, type, spans, lanes } = row
  const Icon = type === null ? null : stepNames[type].icon
  const depth = stepId.split('/').length - 1
  return (
    <tr className="border-b border-line last:border-b-0">
      <th scope="row" className="px-3 py-2 text-left align-top font-normal">
        <span className="flex items-center gap-2" style={{ paddingLeft: depth * 12 }}>
          {Icon && <Icon size={14} aria-hidden className="shrink-0 text-accent" />}
          <span className="truncate font-mono text-xs">{stepId}</span>
          <Outcome spans={spans} />
        </span>
      </th>
      <td className="px-3 py-2 align-top">
        <div className="flex flex-col gap-1">
          {lanes.map((lane, index) => (
            <div key={index} className="relative h-5">
              {lane.map((bar) => (
                <BarButton
                  key={bar.id}
                  {...{ bar, totalMs, nowMs }}
                  isChosen={bar.id === chosenId}
                  onChoose={() => onChoose(bar.id)}
                />
              ))}
            </div>
          ))}
          {lanes.length === 0 && <Spans spans={spans} totalMs={totalMs} />}
        </div>
      </td>
    </tr>
  )
}

const outcomes: Record<StepTrace['outcome'], { text: string; tone: Tone } | null> = {
  done: null,
  skipped: { text: t('skipped'), tone: 'neutral' },
  fallback: { text: t('used fallback'), tone: 'warn' },
  failed: { text: t('failed'), tone: 'bad' },
  cancelled: { text: t('cancelled'), tone: 'warn' },
}

/** The number of repetitions and the first outcome that is not a success. */
function Outcome({ spans }: { spans: readonly StepTrace[] }) {
  const notable = spans.map(({ outcome }) => outcome).find((outcome) => outcome !== 'done')
  const look = notable ? outcomes[notable] : null
  return (
    <>
      {spans.length > 1 && (
        <span className="text-xs text-muted tabular-nums">× {spans.length}</span>
      )}
      {look && <Badge tone={look.tone}>{look.text}</Badge>}
    </>
  )
}

/** The duration of a step without own model requests. */
function Spans({ spans, totalMs }: { spans: readonly StepTrace[]; totalMs: number }) {
  return (
    <div className="relative h-5">
      {spans.map(({ startedMs, tookMs }, index) => (
        <span
          key={index}
          title={formatDuration(tookMs)}
          className="absolute top-2 h-1 min-w-0.5 rounded-full bg-edge"
          style={placeOf(startedMs, tookMs, totalMs)}
        />
      ))}
    </div>
  )
}

function placeOf(startedMs: number, tookMs: number, totalMs: number) {
  return { left: `${(startedMs / totalMs) * 100}%`, width: `${(tookMs / totalMs) * 100}%` }
}

interface BarButtonProps {
  bar: Bar
  totalMs: number
  nowMs: number
  isChosen: boolean
  onChoose: () => void
}

function BarButton({ bar, totalMs, nowMs, isChosen, onChoose }: BarButtonProps) {
  const tookMs = bar.tookMs ?? Math.max(0, nowMs - bar.startedMs)
  const state = bar.tookMs === null ? t('running') : formatDuration(tookMs)
  const look = bar.error === null ? 'bg-accent text-on-accent' : 'bg-bad text-on-bad'
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-label={nameWith(
        bar.stepId,
        joinWords([state, bar.model ?? '', bar.error ? t('failed') : '']),
      )}
      onClick={onChoose}
      style={placeOf(bar.startedMs, tookMs, totalMs)}
      className={`absolute h-5 min-w-2 overflow-hidden rounded px-1.5 text-left text-xs leading-5 whitespace-nowrap tabular-nums hover:opacity-90 aria-pressed:ring-2 aria-pressed:ring-ink ${look} ${bar.tookMs === null ? 'animate-pulse' : ''}`}
    >
      {tookMs / totalMs > 0.12 && state}
    </button>
  )
}

/** One model request. */
function RequestDetail({ bar }: { bar: Bar }) {
  const figures = [
    { name: t('Model'), text: bar.model ?? '—' },
    { name: t('Cost'), text: formatUsd(bar.costUsd) },
    { name: t('Latency'), text: formatDuration(bar.tookMs) },
    { name: t('CO₂e, estimated'), text: formatGrams(bar.carbonGrams) },
    { name: t('Attempts'), text: bar.attempts === null ? '—' : String(bar.attempts) },
  ]
  return (
    <section
      aria-label={t('Request of {stepId}', { stepId: bar.stepId })}
      className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-4"
    >
      <h2 className="font-mono text-sm font-semibold">{bar.stepId}</h2>
      <dl className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
        {figures.map(({ name, text }) => (
          <div key={name}>
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="tabular-nums">{text}</dd>
          </div>
        ))}
      </dl>
      {bar.error !== null && <p className="text-sm text-bad first-letter:uppercase">{bar.error}</p>}
      {bar.texts ? <Texts texts={bar.texts} /> : <StoredTexts requestId={bar.id} />}
    </section>
  )
}

function Texts({ texts: { system, user, output } }: { texts: StoredTexts }) {
  return (
    <div className="grid gap-3 min-[64rem]:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-3">
        {system !== null && (
          <Text title={t('Instructions')} what={t('instructions')} text={system} />
        )}
        <Text title={t('Input')} what={t('input')} text={user} />
      </div>
      <Text title={t('Output')} what={t('output')} text={output ?? ''} />
    </div>
  )
}

/** The texts of a finished run, if its router has content logging on. */
function StoredTexts({ requestId }: { requestId: string }) {
  const [texts, setTexts] = useState<StoredTexts | null>(null)
  useEffect(() => {
    let isCurrent = true
    call('requests:content', { id: requestId }).then(
      (content) => isCurrent && setTexts(content && readStoredTexts(content)),
      // On an error the texts count as not stored.
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [requestId])
  if (texts) return <Texts texts={texts} />
  return (
    <p className="text-sm text-muted">
      {t(
        'Prompts and answers are stored only if the router has content logging on. Test runs show them while the window is open.',
      )}
    </p>
  )
}

function Text({ title, what, text }: { title: string; what: string; text: string }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1">
      <h3 className="flex items-center gap-1 text-xs font-semibold text-muted">
        {title}
        {text !== '' && <CopyButton text={text} what={what} />}
      </h3>
      <pre
        tabIndex={0}
        role="region"
        aria-label={t('{title}, whole text', { title })}
        className="max-h-72 overflow-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
      >
        {text === '' ? '—' : text}
      </pre>
    </section>
  )
}
