import { useState } from 'react'
import { culpritWords } from '../../../../shared/requests/cache-words.ts'
import {
  depthOf,
  type Session,
  type SessionRequest,
  type SessionState,
} from '../../../../shared/requests/session.ts'
import type { ModelReason } from '../../../../shared/requests/session-step.ts'
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
import { SessionLine } from './session-line.tsx'

const usd = (nanoUsd: number) => formatUsd(nanoUsd / 1e9)

const stateWords: Readonly<Record<SessionState, string>> = {
  running: t('running'),
  waiting: t('waiting for you'),
  ended: t('ended'),
}

/** What a session cost, its agents, and its steps. */
export function SessionDetails({ session }: { session: Session }) {
  const { client, version, state, startedAtMs, endedAtMs, requests } = session
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p className="text-sm text-muted">
        {t('{client}, {state}. Began {when}, {duration}.', {
          client: version === null ? client : `${client} ${version}`,
          state: stateWords[state],
          when: formatDateTime(startedAtMs),
          duration: formatDuration(endedAtMs - startedAtMs),
        })}
      </p>
      <Costs session={session} />
      <SessionLine requests={requests} />
      <Agents session={session} />
      <Steps requests={requests} />
    </div>
  )
}

function Costs({ session }: { session: Session }) {
  const { costs, costNanoUsd, lostNanoUsd, longestPrompt, turns } = session
  const figures: [string, string][] = [
    [t('Cost'), usd(costNanoUsd)],
    [t('Read from cache'), usd(costs.read)],
    [t('Written to cache'), usd(costs.written)],
    [t('Uncached'), usd(costs.uncached)],
    [t('Output'), usd(costs.output)],
    ...(costs.other === 0 ? [] : [[t('Other tries'), usd(costs.other)] satisfies [string, string]]),
    [t('Lost to broken caches'), usd(lostNanoUsd)],
    [t('Longest prompt'), formatTokens(longestPrompt)],
    [t('Turns'), formatCount(turns)],
  ]
  return (
    <dl className="flex flex-wrap gap-px overflow-hidden rounded-xl border border-line bg-line">
      {figures.map(([name, value]) => (
        <div
          key={name}
          className="flex min-w-0 flex-1 basis-28 flex-col gap-0.5 bg-surface px-4 py-3"
        >
          <dt className="truncate text-xs text-muted">{name}</dt>
          <dd className="truncate text-lg font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Agents({ session: { agents } }: { session: Session }) {
  return (
    <DataTable
      label={t('Agents')}
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

const stepsOfPage = 200

/** The newest steps first; a long session has thousands. */
function Steps({ requests }: { requests: readonly SessionRequest[] }) {
  const [shown, setShown] = useState(stepsOfPage)
  const numbered = requests.map((request, index) => ({ request, number: index + 1 })).toReversed()
  return (
    <>
      <DataTable
        label={t('Steps')}
        columns={[
          { name: t('Step') },
          { name: t('Time') },
          { name: t('Agent') },
          { name: t('Kind') },
          { name: t('Class') },
          { name: t('Tools') },
          { name: t('Model') },
          { name: t('Why this model') },
          { name: t('Read'), isFigure: true },
          { name: t('Written'), isFigure: true },
          { name: t('Uncached'), isFigure: true },
          { name: t('Output'), isFigure: true },
          { name: t('Cost'), isFigure: true },
          { name: t('First token'), isFigure: true },
          { name: t('Marks') },
        ]}
        rows={numbered.slice(0, shown).map(({ request, number }) => stepRow(request, number))}
      />
      {numbered.length > shown && (
        <Button size="small" onClick={() => setShown(shown + stepsOfPage)}>
          {t('Show {count} earlier steps', {
            count: Math.min(stepsOfPage, numbered.length - shown),
          })}
        </Button>
      )}
    </>
  )
}

const whyWords: Readonly<Record<ModelReason, string>> = {
  tool: t('Kept: its tool’s result'),
  near: t('Kept: warm cache, near enough'),
  pinned: t('Named by the request'),
  look: t('A first look'),
  explored: t('Explored'),
  only: t('The only one'),
  chosen: t('Chosen'),
}

function stepRow({ record, step }: SessionRequest, number: number): Row {
  const { tokens, cache } = step
  const broken = cache && culpritWords(cache)
  return {
    key: record.id,
    isMarked: broken !== undefined && broken !== null,
    cells: [
      formatCount(number),
      formatClock(record.startedAtMs),
      record.agentId ?? t('Main'),
      step.kind,
      step.class ?? '–',
      step.tools.join(', '),
      [record.modelUsed ?? '–', step.effort ?? ''].join(' ').trim(),
      whyWords[step.why],
      formatTokens(tokens.read),
      formatTokens(tokens.written),
      formatTokens(tokens.uncached),
      formatTokens(tokens.output),
      usd(record.costNanoUsd),
      formatDuration(record.firstTokenMs),
      [
        ...step.marks,
        ...(broken ? [broken] : []),
        ...(record.errorCode ? [record.errorCode] : []),
      ].join(', '),
    ],
  }
}
