import { Link, useNavigate } from '@tanstack/react-router'
import { Copy, Plus, Upload, Workflow } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Execution } from '../../../../shared/agents/agent.ts'
import type { AgentFigures, AgentSummary } from '../../../../shared/agents/agent-window.ts'
import {
  formatCount,
  formatDuration,
  formatGrams,
  formatShare,
  formatRelativeTime,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { DataTable, rowLinkClass, type Column } from '../../components/data-table.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { EmptyState, Loaded, Page } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { useNow } from '../../components/use-now.ts'
import { beginAgent, readExecutions, useAgents } from '../../stores/agents.ts'
import { CallableTabs } from '../routers/callable-tabs.tsx'
import { AgentCharts } from './agent-charts.tsx'
import { agentExamples } from './examples.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** All agents with figures of their runs, and examples. */
export function AgentList() {
  const agents = useAgents()
  useEffect(() => {
    void useAgents.getState().load()
  }, [])
  return (
    <Page
      title={t('Routers')}
      width="wide"
      intro={
        <>
          {t('An agent is a workflow of model requests. Call it with the model')}{' '}
          <code className="font-mono text-xs whitespace-nowrap">agent:&lt;name&gt;</code>
        </>
      }
      actions={
        <>
          <ImportAgent />
          {agents.items?.length !== 0 && <CreateAgent />}
        </>
      }
    >
      <CallableTabs open="agents" />
      <Loaded list={agents} what={t('agents')}>
        {(items) =>
          items.length === 0 ? (
            <>
              <EmptyState icon={Workflow} title={t('No agents yet')} action={<CreateAgent />}>
                {t('Start with an empty agent or an example. All examples run on the demo model.')}
              </EmptyState>
              <Examples taken={[]} />
            </>
          ) : (
            <>
              <AgentTable agents={items} />
              <MetaOverTime agents={items} />
              <Disclosure title={t('Examples')} hasError={false}>
                <Examples taken={items.map(({ name }) => name)} />
              </Disclosure>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

/** Charts of one agent's runs: the selected agent, or the one that ran last. */
function MetaOverTime({ agents }: { agents: readonly AgentSummary[] }) {
  const [chosen, choose] = useState<string | null>(null)
  const [runs, setRuns] = useState<readonly Execution[]>([])
  const ran = agents
    .filter(({ figures }) => figures.lastRunAtMs !== null)
    .toSorted((a, b) => (b.figures.lastRunAtMs ?? 0) - (a.figures.lastRunAtMs ?? 0))
  const shown = ran.find(({ name }) => name === chosen) ?? ran[0]
  const name = shown?.name
  const count = shown?.figures.runs
  useEffect(() => {
    if (name === undefined) return
    let isCurrent = true
    // On an error the charts stay empty. The list of runs shows the error.
    readExecutions(name).then(
      (read) => isCurrent && setRuns(read),
      () => isCurrent && setRuns([]),
    )
    return () => {
      isCurrent = false
    }
  }, [name, count])
  if (name === undefined) return null
  return (
    <section aria-label={t('Runs over time')} className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold">{t('Runs over time')}</h2>
        <div className="w-56">
          <Select
            label={t('Agent')}
            isLabelHidden
            choices={ran.map((agent) => ({ value: agent.name, label: agent.name }))}
            value={name}
            onChange={choose}
          />
        </div>
      </div>
      <div className="grid gap-px overflow-hidden rounded-xl border border-line bg-line *:border-b-0 *:bg-surface min-[70rem]:grid-cols-2">
        <AgentCharts runs={runs} />
      </div>
    </section>
  )
}

function CreateAgent() {
  return (
    <Link to="/new-agent" className={buttonClass('primary')}>
      <Plus size={15} aria-hidden /> {t('Create agent')}
    </Link>
  )
}

/** Opens a file as a new agent, which is not saved yet. */
function ImportAgent() {
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  async function read(file: File | undefined): Promise<void> {
    if (!file) return
    beginAgent(await file.text())
    await navigate({ to: '/new-agent' })
  }
  return (
    <>
      <input
        ref={field}
        type="file"
        accept=".yaml,.yml,.json"
        aria-label={t('Agent file')}
        className="hidden"
        onChange={({ target }) => void read(target.files?.[0])}
      />
      <Button onClick={() => field.current?.click()}>
        <Upload size={14} aria-hidden /> {t('Import')}
      </Button>
    </>
  )
}

const columns: readonly Column[] = [
  { name: t('Agent'), className: 'w-full max-w-0' },
  { name: t('Runs'), isFigure: true },
  { name: t('Success'), isFigure: true },
  { name: t('Cost'), isFigure: true },
  { name: t('Latency'), isFigure: true },
  { name: t('CO₂e'), isFigure: true },
  { name: t('Last run'), isFigure: true },
]

function AgentTable({ agents }: { agents: readonly AgentSummary[] }) {
  const nowMs = useNow()
  return (
    <DataTable
      label={t('Agents')}
      look="page"
      opensRows
      columns={columns}
      rows={agents.map((agent) => ({
        key: agent.name,
        cells: [<AgentName key="name" agent={agent} />, ...figureTexts(agent.figures, nowMs)],
        values: [agent.name, ...figureValues(agent.figures)],
      }))}
      note={t('Cost, latency and CO₂e are averages of successful runs.')}
    />
  )
}

function AgentName({ agent: { name, description, steps } }: { agent: AgentSummary }) {
  return (
    <>
      <Link
        to="/agents/$agentName"
        params={{ agentName: name }}
        className={`font-semibold ${rowLinkClass}`}
      >
        {name}
      </Link>
      <p className="truncate text-xs font-normal text-muted">
        {t('{count, plural, one {1 step} other {# steps}}', { count: steps })}
        {description !== '' && ` · ${description}`}
      </p>
    </>
  )
}

/** The share of finished runs that succeeded; null without one. */
function successOf({ done, failed }: AgentFigures): number | null {
  return done + failed === 0 ? null : done / (done + failed)
}

function figureValues(figures: AgentFigures): (number | null)[] {
  const { runs, costUsdMean, latencyMsMean, carbonGramsMean, lastRunAtMs } = figures
  return [runs, successOf(figures), costUsdMean, latencyMsMean, carbonGramsMean, lastRunAtMs]
}

function figureTexts(figures: AgentFigures, nowMs: number): string[] {
  const success = successOf(figures)
  return [
    formatCount(figures.runs),
    success === null ? '—' : formatShare(success),
    formatUsd(figures.costUsdMean),
    formatDuration(figures.latencyMsMean),
    formatGrams(figures.carbonGramsMean),
    formatRelativeTime(figures.lastRunAtMs, nowMs),
  ]
}

function Examples({ taken }: { taken: readonly string[] }) {
  const navigate = useNavigate()
  function begin(source: string): void {
    beginAgent(source)
    void navigate({ to: '/new-agent' })
  }
  return (
    <ul
      aria-label={t('Examples')}
      className="grid grid-cols-[repeat(auto-fill,minmax(16rem,1fr))] gap-3"
    >
      {agentExamples.map(({ name, description, source }) => {
        const action = taken.includes(name) ? t('Already added') : t('Use this example')
        return (
          <li
            key={name}
            className="flex flex-col gap-2 rounded-xl border border-line bg-surface p-4"
          >
            <h2 className="text-sm font-semibold">{name}</h2>
            <p className="flex-1 text-xs text-muted">{description}</p>
            <Button
              size="small"
              className="self-start"
              aria-label={`${action}: ${name}`}
              disabled={taken.includes(name)}
              onClick={() => begin(source)}
            >
              <Copy size={13} aria-hidden /> {action}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
