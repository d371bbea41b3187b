import { useEffect, useState } from 'react'
import type { Execution } from '../../../../shared/agents/agent.ts'
import type { ExecutionDetail } from '../../../../shared/agents/agent-window.ts'
import {
  formatDateTime,
  formatDuration,
  formatGrams,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { readExecutions } from '../../stores/agents.ts'
import { call, toCallError, type CallError } from '../../stores/client.ts'
import { AgentCharts } from './agent-charts.tsx'
import { Meta } from './test-run-panel.tsx'
import { RunTimeline } from './run-timeline.tsx'
import { barsOfExecution } from './timeline.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** How many runs the list shows. The charts show more. */
const listed = 50

type LoadedRuns = { runs: readonly Execution[] | null; error: CallError | null }

/** An agent's runs as a list and over time. */
export function RunsPanel({ agent }: { agent: string }) {
  const [{ runs, error }, setLoaded] = useState<LoadedRuns>({ runs: null, error: null })
  const [opened, setOpened] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    readExecutions(agent).then(
      (read) => isCurrent && setLoaded({ runs: read, error: null }),
      (reason: unknown) => isCurrent && setLoaded({ runs: null, error: toCallError(reason) }),
    )
    return () => {
      isCurrent = false
    }
  }, [agent])
  if (error) return <ErrorNote error={error} />
  if (!runs) return <p className="text-sm text-muted">{t('Loading runs…')}</p>
  if (runs.length === 0) {
    return (
      <p className="text-sm text-muted">
        {t(
          'No runs yet. Start a test run, pick this agent in Chat, or send a request with the model',
        )}{' '}
        <code className="font-mono">agent:{agent}</code>.
      </p>
    )
  }
  return (
    <div className="grid items-start gap-4 min-[64rem]:grid-cols-[1fr_20rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <RunTable runs={runs.slice(0, listed)} opened={opened} onOpen={setOpened} />
        {opened !== null && <OneRun key={opened} id={opened} />}
      </div>
      <div className="overflow-hidden rounded-xl border border-line bg-surface">
        <AgentCharts runs={runs} />
      </div>
    </div>
  )
}

const states: Record<Execution['state'], Tone> = {
  running: 'neutral',
  done: 'ok',
  failed: 'bad',
  interrupted: 'warn',
}

interface RunTableProps {
  runs: readonly Execution[]
  opened: string | null
  onOpen: (id: string) => void
}

function RunTable({ runs, opened, onOpen }: RunTableProps) {
  const columns = ['When', 'State', 'Steps', 'Cost', 'Latency', 'CO₂e', '']
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={t('All runs')}
      className="max-h-80 overflow-auto rounded-xl border border-line bg-surface"
    >
      <table className="w-full text-left text-sm tabular-nums" aria-label={t('Runs')}>
        <thead className="sticky top-0 bg-sunken text-xs text-muted">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-3 py-1.5 font-medium whitespace-nowrap">
                {column === '' ? <span className="sr-only">{t('Trace')}</span> : column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id} className="border-b border-line last:border-b-0">
              <td className="px-3 py-1.5 whitespace-nowrap">{formatDateTime(run.startedAtMs)}</td>
              <td className="px-3 py-1.5">
                <Badge tone={states[run.state]}>{run.state}</Badge>
              </td>
              <td className="px-3 py-1.5">{run.steps}</td>
              <td className="px-3 py-1.5">{formatUsd(run.costNanoUsd / 1e9)}</td>
              <td className="px-3 py-1.5 whitespace-nowrap">{formatDuration(run.latencyMs)}</td>
              <td className="px-3 py-1.5 whitespace-nowrap">{formatGrams(run.carbonGrams)}</td>
              <td className="px-2 py-1 text-right">
                <Button
                  size="small"
                  aria-pressed={run.id === opened}
                  aria-label={t('Trace of {startedAtMs}', {
                    startedAtMs: formatDateTime(run.startedAtMs),
                  })}
                  className="aria-pressed:bg-accent-soft"
                  onClick={() => onOpen(run.id)}
                >
                  {t('Trace')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function OneRun({ id }: { id: string }) {
  const [detail, setDetail] = useState<ExecutionDetail | null>(null)
  const [error, setError] = useState<CallError | null>(null)
  useEffect(() => {
    let isCurrent = true
    call('agents:execution', { id }).then(
      (read) => isCurrent && setDetail(read),
      (reason: unknown) => isCurrent && setError(toCallError(reason)),
    )
    return () => {
      isCurrent = false
    }
  }, [id])
  if (error) return <ErrorNote error={error} />
  if (!detail) return null
  const { execution } = detail
  return (
    <section aria-label={t('Trace')} className="flex flex-col gap-3">
      {execution.errorCode !== null && (
        <p className="text-sm text-bad">
          {execution.failedStep === null
            ? execution.errorCode
            : t('{errorCode} in {failedStep}', {
                errorCode: execution.errorCode,
                failedStep: execution.failedStep,
              })}
        </p>
      )}
      <Meta execution={execution} />
      <RunTimeline
        bars={barsOfExecution(detail)}
        spans={execution.trace}
        nowMs={execution.latencyMs ?? 0}
      />
    </section>
  )
}
