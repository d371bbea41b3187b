import { useMemo } from 'react'
import type { Budget } from '../../../shared/routers/budget.ts'
import type { Model } from '../../../shared/entities.ts'
import { formatShortUsd, formatUsd } from '../../../shared/strings/format.ts'
import { Select } from '../components/select.tsx'
import type { Forecast } from '../usage/forecast.ts'
import { useAddressSearch, useSetSearch } from '../usage/search.ts'
import { bucketsOf, type Bucket } from './buckets.ts'
import { ChartCard } from './chart-card.tsx'
import { heightOf, noFilter, type ChartProps } from './chart-props.ts'
import { filterOfBucket } from './chart-text.ts'
import type { PlotLine } from './line-plot.ts'
import { Keys, LineMark } from './keys.tsx'
import { formatAbout } from '../decision/estimates.ts'
import { draftName } from './draft-overlay.ts'
import { dearestModel, savingOf } from './savings.ts'
import { spendOf, type Spend } from './spend.ts'
import { TimePlot } from './time-plot.tsx'
import { t } from '../../../shared/strings/strings.ts'

interface SpendChartProps extends ChartProps {
  /** To compare with; prices of today. */
  models: readonly Model[]
  nowMs: number
  budget?: Budget | null
  forecast?: Forecast | null
}

const looks = {
  spent: { color: 'var(--color-series-1)', look: 'line' },
  always: { color: 'var(--color-series-2)', look: 'line', dash: [6, 3] },
  budget: { color: 'var(--color-bad)', look: 'line', dash: [2, 3] },
  forecast: { color: 'var(--color-series-1)', look: 'line', dash: [2, 4] },
  draft: { color: 'var(--color-ink)', look: 'line', dash: [5, 4] },
} as const satisfies Record<string, PlotLine>

const noBucket = t('No model')

/** What was spent, and what one model for everything would have cost. */
export function SpendChart(props: SpendChartProps) {
  const {
    report,
    range,
    filter = noFilter,
    size,
    models,
    nowMs,
    budget = null,
    forecast = null,
    draft = null,
  } = props
  const [baseline, setBaseline] = useBaseline(props)
  const saving = useMemo(
    () => baseline && savingOf(report, bucketsOf(report, range), { model: baseline, nowMs }),
    [report, range, baseline, nowMs],
  )
  const spend = useMemo(
    () => spendOf(report, range, { base: filter, budget, forecast, saving, draft }),
    [report, range, filter, budget, forecast, saving, draft],
  )
  const drawn = useMemo(() => drawnLines(spend), [spend])
  const { buckets, scale, untilMs } = spend
  return (
    <ChartCard
      title={t('Spend')}
      question={t('What does routing cost and save?')}
      text={spend.text}
      size={size}
      controls={
        models.length > 0 && <BaselinePicker {...{ models, baseline }} onChange={setBaseline} />
      }
      legend={
        <Keys
          entries={drawn.names.map((name) => ({
            mark: <LineMark {...looks[name]} />,
            label: labelOf(name, { model: saving?.model ?? noBucket, days: forecast?.days ?? 0 }),
          }))}
        />
      }
    >
      <TimePlot
        label={t('Spend')}
        {...{ range, buckets, scale, untilMs, height: heightOf(size) }}
        format={formatShortUsd}
        valuesOf={(bucket) => tipRows(spend, bucket, saving?.model)}
        filterOf={(bucket) => filterOfBucket(bucket, filter)}
        lines={drawn}
      >
        {() => null}
      </TimePlot>
    </ChartCard>
  )
}

type LineName = keyof typeof looks

function drawnLines(spend: Spend) {
  const { times } = spend
  const values = {
    spent: spend.spentUsd,
    always: spend.alwaysUsd,
    budget: spend.budgetUsd,
    forecast: spend.forecastUsd,
    draft: spend.draftUsd,
  }
  const names = (['always', 'budget', 'forecast', 'draft', 'spent'] as const).filter(
    (name) => values[name],
  )
  return {
    names: names.toReversed(),
    looks: names.map((name) => looks[name]),
    data: { times, values: names.map((name) => values[name] ?? []) },
  }
}

function labelOf(name: LineName, { model, days }: { model: string; days: number }): string {
  const labels: Record<LineName, string> = {
    spent: t('Spend'),
    always: t('Always {model}', { model }),
    budget: t('Even use of the budget'),
    forecast: t(
      '{count, plural, one {Forecast: as yesterday} other {Forecast: mean of # whole days}}',
      { count: days },
    ),
    draft: draftName,
  }
  return labels[name]
}

function tipRows(
  { buckets, spentUsd, alwaysUsd, draftUsd }: Spend,
  bucket: Bucket,
  model: string | undefined,
) {
  const index = buckets.indexOf(bucket) + 1
  return [
    { name: t('In this time'), value: formatUsd(bucket.point?.total.costUsd ?? 0) },
    {
      name: t('Since the start'),
      value: formatUsd(spentUsd[index] ?? null),
      color: looks.spent.color,
    },
    ...(alwaysUsd && model
      ? [
          {
            name: `Always ${model}`,
            value: formatUsd(alwaysUsd[index] ?? null),
            color: looks.always.color,
          },
        ]
      : []),
    ...(draftUsd
      ? [
          {
            name: draftName,
            value: formatAbout('usd', draftUsd[index] ?? 0),
            color: looks.draft.color,
          },
        ]
      : []),
  ]
}

/** The model to compare with, in the address; at first the dearest one if several were used. */
function useBaseline({ report, models, nowMs }: SpendChartProps) {
  const { baseline } = useAddressSearch()
  const setSearch = useSetSearch()
  const used = new Set(report.groups.map(({ name }) => name).filter(Boolean))
  const chosen = models.find(({ id }) => id === baseline)
  const usual = dearestModel(
    report,
    models.filter(({ id }) => used.size > 1 && used.has(id)),
    nowMs,
  )
  return [chosen ?? usual, (id: string) => setSearch({ baseline: id })] as const
}

interface BaselinePickerProps {
  models: readonly Model[]
  baseline: Model | null
  onChange: (id: string) => void
}

function BaselinePicker({ models, baseline, onChange }: BaselinePickerProps) {
  return (
    <div className="w-52 max-w-full">
      <Select
        label={t('Compare with always')}
        isLabelHidden
        placeholder={t('Compare with always…')}
        choices={models.map(({ id, inputUsdPerMtok }) => ({
          value: id,
          label: id,
          ...(inputUsdPerMtok === null && { hint: t('No price yet') }),
        }))}
        value={baseline?.id ?? null}
        onChange={onChange}
      />
    </div>
  )
}
