import { formatQuality } from '../../../../shared/models/quality-words.ts'
import { useId, type ReactNode } from 'react'
import { formatDuration, formatShare, formatUsd } from '../../../../shared/strings/format.ts'
import type {
  TuningJudgeResult,
  TuningModelResult,
  TuningResult,
  TuningRun,
} from '../../../../shared/tuning/tuning-run.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { Note } from '../../components/error-note.tsx'
import { Card } from '../../components/page.tsx'
import { ShareBar } from '../../components/share-bar.tsx'
import { DomainTable, GradeTable } from './group-tables.tsx'
import { LearnedCard } from './learned-card.tsx'
import { LearnedTable } from './learned-table.tsx'
import { QualityCell } from './quality-cell.tsx'
import { joinSentences, joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { hasGrade } from './run-words.ts'

interface RunResultProps {
  result: TuningResult
  /** The run as it is now; the result has it as it ended. */
  run: TuningRun
}

/** What a run found and taught. */
export function RunResult({ result, run }: RunResultProps) {
  const { models, judge, change, summary, notes, learned } = result
  const ranked = models.toSorted((a, b) => meanOf(b) - meanOf(a))
  return (
    <>
      {hasGrade(models) ? (
        <Card>
          <p className="text-lg font-medium text-pretty wrap-anywhere">{summary}</p>
        </Card>
      ) : (
        <Note kind="warn">
          <span className="min-w-0 flex-1">
            {t(
              'No answer was graded above 0, so this run says nothing about quality. Check the expected answers or the judge, then run it again.',
            )}
          </span>
        </Note>
      )}
      <Section title={t('Quality')}>
        <ModelTable models={ranked} />
      </Section>
      <Disclosure title={t('By kind of prompt')} isOpenAtFirst hasError={false}>
        <DomainTable models={ranked} />
      </Disclosure>
      <Disclosure title={t('By difficulty')} isOpenAtFirst hasError={false}>
        <GradeTable models={ranked} />
      </Disclosure>
      {change !== null && (
        <Section title={t('Where these prompts would go')}>
          <DecisionTable change={change} />
        </Section>
      )}
      {judge !== null && (
        <Section title={t('Judge')}>
          <p className="max-w-prose text-sm wrap-anywhere text-muted">{judgeText(judge)}</p>
        </Section>
      )}
      {learned.length > 0 && (
        <Section title={t('What routing expects now')}>
          <LearnedTable models={learned} />
        </Section>
      )}
      <Section title={t('What routing learned')}>
        <LearnedCard run={run} notes={notes} />
      </Section>
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
      label={t('Quality of each model')}
      columns={[
        { name: t('Model') },
        { name: t('Quality') },
        { name: t('Expected before'), isFigure: true },
        { name: t('Cost'), isFigure: true },
        { name: t('Duration'), isFigure: true },
        ...(hasProblems ? [{ name: t('Problems') }] : []),
      ]}
      rows={models.map((one, index) => ({
        key: one.model,
        cells: [
          one.model,
          <QualityCell key="quality" quality={one.all.quality} expected={one.expected} />,
          formatQuality(one.expected),
          formatUsd(one.costUsd),
          formatDuration(one.latencyMs),
          ...(hasProblems ? [problems[index]] : []),
        ],
      }))}
      note={t(
        'Quality is the mean grade, 0 to 100, with its 90 % interval; the ring marks what was expected before. Cost and time are means of an answer.',
      )}
    />
  )
}

function problemsOf({ cut, failed, ownFamily }: TuningModelResult): string {
  const problems = [
    ...(failed > 0 ? [t('{failed} without an answer', { failed })] : []),
    ...(cut > 0 ? [t('{cut} cut off', { cut })] : []),
    ...(ownFamily > 0
      ? [t('{ownFamily} not judged, same vendor as the judge', { ownFamily })]
      : []),
  ]
  return joinWords(problems)
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
      label={t('Prompts per model, before and after')}
      columns={[{ name: t('Model') }, { name: t('Before') }, { name: t('With this run') }]}
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
      note={t(
        '{prompts} prompts: {costBefore} before, {costAfter} with this run. Expected quality {qualityBefore} before, {qualityAfter} with this run.',
        {
          prompts,
          costBefore: formatUsd(before.costUsd),
          costAfter: formatUsd(after.costUsd),
          qualityBefore: formatQuality(before.quality),
          qualityAfter: formatQuality(after.quality),
        },
      )}
    />
  )
}

function judgeText(judge: TuningJudgeResult): string {
  const { model, comparisons, ownFamily, unreadable, repeated, errorRate } = judge
  const rate = formatShare(errorRate)
  const wrong = judge.isErrorRateMeasured
    ? t('{rate} of its grades are wrong, measured on {repeated} that it gave twice.', {
        rate,
        repeated,
      })
    : t('Too few grades were given twice to measure its errors; {rate} are assumed to be wrong.', {
        rate,
      })
  const left = [
    ...(ownFamily > 0 ? [t('{ownFamily} with an answer of its own vendor', { ownFamily })] : []),
    ...(unreadable > 0 ? [t('{unreadable} that could not be read', { unreadable })] : []),
  ]
  const rest = left.length === 0 ? [] : [t('Left out: {left}.', { left: joinWords(left) })]
  return joinSentences([
    t('{model} made {comparisons} comparisons.', { model, comparisons }),
    wrong,
    t('All its grades are corrected for this.'),
    ...rest,
  ])
}
