import { culpritWords } from '../../../../shared/requests/cache-words.ts'
import type {
  NumberedRequest,
  SessionPage,
  ShownSession,
} from '../../../../shared/requests/session-page.ts'
import { depthOf, type SessionState } from '../../../../shared/requests/session.ts'
import type { SessionStep } from '../../../../shared/requests/session-step.ts'
import { stuckWords, whyWords } from '../../../../shared/requests/why-words.ts'
import {
  formatClock,
  formatCount,
  formatDateTime,
  formatDuration,
  formatTokens,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Button } from '../../components/button.tsx'
import { DataTable, type Row } from '../../components/data-table.tsx'
import { SessionActions } from './session-actions.tsx'
import { SessionLine } from './session-line.tsx'

const usd = (nanoUsd: number) => formatUsd(nanoUsd / 1e9)

const stateWords: Readonly<Record<SessionState, string>> = {
  running: t('running'),
  waiting: t('waiting for you'),
  ended: t('ended'),
}

interface SessionDetailsProps {
  session: ShownSession
  /** Shows earlier steps. */
  onMore: () => void
}

/** What a session cost, its agents, and its steps. */
export function SessionDetails({ session, onMore }: SessionDetailsProps) {
  const { client, version, state, startedAtMs, endedAtMs, turns, steps } = session
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex flex-col gap-1">
          <h2 className="text-lg font-semibold">
            {t('Session of {client}', {
              client: version === null ? client : `${client} ${version}`,
            })}
          </h2>
          <p className="text-sm text-muted">
            {[
              stateWords[state],
              t('began {when}', { when: formatDateTime(startedAtMs) }),
              formatDuration(endedAtMs - startedAtMs),
              t('{count, plural, one {# turn} other {# turns}}', { count: turns }),
              t('{count, plural, one {# step} other {# steps}}', { count: steps }),
            ].join(' · ')}
          </p>
        </div>
        <SessionActions session={session} />
      </header>
      <Costs session={session} />
      <SessionLine points={session.line} />
      <Agents session={session} />
      <Steps session={session} onMore={onMore} />
    </div>
  )
}

function Costs({ session }: { session: SessionPage }) {
  const { costs, costNanoUsd, lostNanoUsd, longestPrompt } = session
  const figures: [string, string][] = [
    [t('Cost'), usd(costNanoUsd)],
    [t('Read from cache'), usd(costs.read)],
    [t('Written to cache'), usd(costs.written)],
    [t('Uncached'), usd(costs.uncached)],
    [t('Output'), usd(costs.output)],
    ...(costs.other === 0 ? [] : [[t('Other tries'), usd(costs.other)] satisfies [string, string]]),
    [t('Lost to broken caches'), usd(lostNanoUsd)],
    [t('Longest prompt'), formatTokens(longestPrompt)],
  ]
  return (
    <dl className="flex flex-wrap gap-px overflow-hidden rounded-xl border border-line bg-line">
      {figures.map(([name, value]) => (
        <div
          key={name}
          className="flex min-w-0 flex-1 basis-28 flex-col justify-between gap-0.5 bg-surface px-3 py-2.5"
        >
          <dt className="text-xs text-balance text-muted">{name}</dt>
          <dd className="truncate text-lg font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Agents({ session: { agents } }: { session: SessionPage }) {
  if (agents.length < 2) return null
  return (
    <DataTable
      label={t('Agents')}
      isLimited
      columns={[
        { name: t('Agent') },
        { name: t('Type') },
        { name: t('Steps'), isFigure: true },
        { name: t('Cost'), isFigure: true },
        { name: t('Models') },
      ]}
      rows={agents.map((agent) => ({
        key: agent.id ?? '',
        cells: [
          <span key="agent" style={{ paddingLeft: `${depthOf(agent, agents)}rem` }}>
            {agent.id ?? t('Main')}
          </span>,
          agent.type ?? '–',
          formatCount(agent.steps),
          usd(agent.costNanoUsd),
          agent.models.join(', '),
        ],
      }))}
    />
  )
}

export const stepsOfPage = 50

/** The newest steps first; a long session has thousands. */
function Steps({ session: { requests, steps }, onMore }: SessionDetailsProps) {
  return (
    <>
      <DataTable
        label={t('Steps')}
        columns={[
          { name: t('Step') },
          { name: t('Time') },
          { name: t('Agent') },
          { name: t('Class') },
          { name: t('Tools') },
          { name: t('Model') },
          { name: t('Why this model') },
          { name: t('Marks'), className: 'min-w-40' },
          { name: t('Read'), isFigure: true },
          { name: t('Written'), isFigure: true },
          { name: t('Uncached'), isFigure: true },
          { name: t('Output'), isFigure: true },
          { name: t('Cost'), isFigure: true },
          { name: t('First token'), isFigure: true },
        ]}
        rows={requests.map(stepRow)}
      />
      {steps > requests.length && (
        <Button size="small" className="self-start" onClick={onMore}>
          {t('Show {count} earlier steps', {
            count: Math.min(stepsOfPage, steps - requests.length),
          })}
        </Button>
      )}
    </>
  )
}

function stepRow({ record, step, number }: NumberedRequest): Row {
  const { tokens, cache } = step
  const broken = cache && culpritWords(cache)
  return {
    key: record.id,
    isMarked: broken !== undefined && broken !== null,
    cells: [
      formatCount(number),
      formatClock(record.startedAtMs),
      agentWords(record.agentId, step),
      step.class ?? '–',
      step.tools.join(', '),
      [record.modelUsed ?? '–', step.effort ?? ''].join(' ').trim(),
      whyWords(step),
      [
        ...step.marks,
        ...(step.stuck ?? []).map((mark) => stuckWords[mark]),
        ...(broken ? [broken] : []),
        ...(record.errorCode ? [record.errorCode] : []),
      ].join(', '),
      formatTokens(tokens.read),
      formatTokens(tokens.written),
      formatTokens(tokens.uncached),
      formatTokens(tokens.output),
      usd(record.costNanoUsd),
      formatDuration(record.firstTokenMs),
    ],
  }
}

/** The agent, and what it asked for besides its steps. */
function agentWords(agentId: string | null, { kind }: SessionStep): string {
  const agent = agentId ?? t('Main')
  return kind === 'main' || kind === 'subagent' ? agent : `${agent} · ${kind}`
}
