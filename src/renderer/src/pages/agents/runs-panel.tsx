import { Skeleton } from '../../components/page.tsx'
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
import { DataTable, type Column } from '../../components/data-table.tsx'
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
  if (!runs) return <Skeleton>{t('Loading runs…')}</Skeleton>
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
  return (
    <DataTable
      label={t('Runs')}
      look="page"
      isLimited
      columns={runColumns}
      rows={runs.map((run) => ({
        key: run.id,
        isMarked: run.id === opened,
        cells: [
          formatDateTime(run.startedAtMs),
          <Badge key="state" tone={states[run.state]}>
            {run.state}
          </Badge>,
          run.steps,
          formatUsd(run.costNanoUsd / 1e9),
          formatDuration(run.latencyMs),
          formatGrams(run.carbonGrams),
          <TraceButton key="trace" run={run} isOpen={run.id === opened} onOpen={onOpen} />,
        ],
        values: [
          run.startedAtMs,
          run.state,
          run.steps,
          run.costNanoUsd,
          run.latencyMs,
          run.carbonGrams,
        ],
      }))}
    />
  )
}

const runColumns: readonly Column[] = [
  { name: t('When'), className: 'whitespace-nowrap' },
  { name: t('State') },
  { name: t('Steps'), isFigure: true },
  { name: t('Cost'), isFigure: true },
  { name: t('Latency'), isFigure: true },
  { name: t('CO₂e'), isFigure: true },
  { name: t('Trace'), isActions: true },
]

interface TraceButtonProps {
  run: Execution
  isOpen: boolean
  onOpen: (id: string) => void
}

function TraceButton({ run: { id, startedAtMs }, isOpen, onOpen }: TraceButtonProps) {
  return (
    <span className="flex justify-end">
      <Button
        size="small"
        aria-pressed={isOpen}
        aria-label={t('Trace of {startedAtMs}', { startedAtMs: formatDateTime(startedAtMs) })}
        className="aria-pressed:bg-accent-soft"
        onClick={() => onOpen(id)}
      >
        {t('Trace')}
      </Button>
    </span>
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
