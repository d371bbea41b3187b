import { Download } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { formatDuration, formatUsd } from '../../../../shared/format.ts'
import type {
  TuningJudgeResult,
  TuningModelResult,
  TuningResult,
  TuningRun,
} from '../../../../shared/tuning-run.ts'
import { Button } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { downloadFile } from '../../components/download-file.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { Card } from '../../components/page.tsx'
import { ShareBar } from '../../components/share-bar.tsx'
import { useAction } from '../../components/use-action.ts'
import { readJudgedPrompts } from '../../stores/tuning.ts'
import { DomainTable, GradeTable } from './group-tables.tsx'
import { LearnedTable } from './learned-table.tsx'
import { QualityCell } from './quality-cell.tsx'

interface RunResultProps {
  result: TuningResult
  /** As it is now; the result has the run as it ended. */
  run: TuningRun
}

/** What a run found and taught. */
export function RunResult({ result, run }: RunResultProps) {
  const { models, judge, change, summary, notes, learned = [] } = result
  const ranked = models.toSorted((a, b) => meanOf(b) - meanOf(a))
  return (
    <>
      <Card>
        <p className="text-lg font-medium text-pretty wrap-anywhere">{summary}</p>
      </Card>
      <Section title="Quality">
        <ModelTable models={ranked} />
      </Section>
      <Disclosure title="By kind of prompt" isOpenAtFirst hasError={false}>
        <DomainTable models={ranked} />
      </Disclosure>
      <Disclosure title="By difficulty" isOpenAtFirst hasError={false}>
        <GradeTable models={ranked} />
      </Disclosure>
      {change !== null && (
        <Section title="Where these prompts would go">
          <DecisionTable change={change} />
        </Section>
      )}
      {judge !== null && (
        <Section title="Judge">
          <p className="max-w-prose text-sm wrap-anywhere text-muted">{judgeText(judge)}</p>
        </Section>
      )}
      {learned.length > 0 && (
        <Section title="What routing expects now">
          <LearnedTable models={learned} />
        </Section>
      )}
      <Learned run={run} notes={notes} />
    </>
  )
}

function meanOf({ all }: TuningModelResult): number {
  return all.quality?.mean ?? -1
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

function ModelTable({ models }: { models: readonly TuningModelResult[] }) {
  const problems = models.map(problemsOf)
  const hasProblems = problems.some((text) => text !== '')
  return (
    <DataTable
      label="Quality of each model"
      columns={[
        { name: 'Model' },
        { name: 'Quality' },
        { name: 'Expected before', isFigure: true },
        { name: 'Cost', isFigure: true },
        { name: 'Time', isFigure: true },
        ...(hasProblems ? [{ name: 'Problems' }] : []),
      ]}
      rows={models.map((one, index) => ({
        key: one.model,
        cells: [
          one.model,
          <QualityCell key="quality" quality={one.all.quality} expected={one.expected} />,
          one.expected.toFixed(2),
          formatUsd(one.costUsd),
          formatDuration(one.latencyMs),
          ...(hasProblems ? [problems[index]] : []),
        ],
      }))}
      note="Quality is the mean grade, 0 to 1, with its 90 % interval; the ring marks what was expected before. Cost and time are means of an answer."
    />
  )
}

function problemsOf({ cut, failed, ownFamily }: TuningModelResult): string {
  const problems = [
    ...(failed > 0 ? [`${failed} without an answer`] : []),
    ...(cut > 0 ? [`${cut} cut off`] : []),
    ...(ownFamily > 0 ? [`${ownFamily} not judged, same maker as the judge`] : []),
  ]
  return problems.join(', ')
}

type Change = NonNullable<TuningResult['change']>

function DecisionTable({ change: { before, after, prompts } }: { change: Change }) {
  const shareIn = (decisions: Change['before'], model: string) =>
    decisions.shares.find((share) => share.model === model)?.share ?? 0
  const models = [...new Set([...after.shares, ...before.shares].map(({ model }) => model))]
  const count = (decisions: Change['before'], model: string) =>
    Math.round(shareIn(decisions, model) * prompts)
  return (
    <DataTable
      label="Prompts per model, before and after"
      columns={[{ name: 'Model' }, { name: 'Before' }, { name: 'With this run' }]}
      rows={models.map((model) => ({
        key: model,
        cells: [
          model,
          <ShareBar
            key="before"
            count={count(before, model)}
            all={prompts}
            color="var(--color-edge)"
          />,
          <ShareBar
            key="after"
            count={count(after, model)}
            all={prompts}
            color="var(--color-accent)"
          />,
        ],
      }))}
      note={`${prompts} prompts: ${formatUsd(before.costUsd)} before, ${formatUsd(after.costUsd)} with this run. Expected quality ${before.quality.toFixed(2)} before, ${after.quality.toFixed(2)} with this run.`}
    />
  )
}

function judgeText(judge: TuningJudgeResult): string {
  const { model, comparisons, ownFamily, unreadable, repeated, errorRate } = judge
  const rate = `${Math.round(errorRate * 100)} %`
  const wrong = judge.isErrorRateMeasured
    ? `${rate} of its grades are wrong, measured on ${repeated} that it gave twice.`
    : `Too few grades were given twice to measure its errors; ${rate} are assumed to be wrong.`
  const left = [
    ...(ownFamily > 0 ? [`${ownFamily} with an answer of its own maker`] : []),
    ...(unreadable > 0 ? [`${unreadable} that could not be read`] : []),
  ]
  const rest = left.length === 0 ? '' : ` Left out: ${left.join(', ')}.`
  return `${model} made ${comparisons} comparisons. ${wrong} All its grades are corrected for this.${rest}`
}

function Learned({ run, notes }: { run: TuningRun; notes: readonly string[] }) {
  const { run: save, error } = useAction(async () => {
    const text = await readJudgedPrompts(run.id)
    downloadFile({ name: `tuning-${run.id}.jsonl`, type: 'application/jsonl', text })
  })
  const { graded } = run.prompts
  return (
    <Section title="What routing learned">
      <Card className="flex flex-col gap-3 text-sm">
        <p className="max-w-prose">
          {graded === 1 ? 'The grades of 1 prompt count' : `The grades of ${graded} prompts count`}{' '}
          for all routers with these models, whatever their strategy. They fade by 2 % a week. Only
          numbers are stored, no word of a prompt or an answer.
        </p>
        {notes.length > 0 && (
          <ul className="flex list-disc flex-col gap-1 pl-4 text-muted">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        {error && <ErrorNote error={error} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button onClick={() => save()}>
            <Download size={14} aria-hidden /> Export grades
          </Button>
          <span className="text-xs text-muted">To make routing forget them, delete the run.</span>
        </div>
      </Card>
    </Section>
  )
}
