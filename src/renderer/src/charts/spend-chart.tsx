import { useMemo } from 'react'
import type { Budget } from '../../../shared/routers/budget.ts'
import type { Model } from '../../../shared/entities.ts'
import { formatShortUsd } from '../../../shared/strings/format.ts'
import { Select } from '../components/select.tsx'
import type { Forecast } from '../usage/forecast.ts'
import { useAddressSearch, useSetSearch } from '../usage/search.ts'
import { bucketsOf } from './buckets.ts'
import { noFilter, type ChartProps } from './chart-props.ts'
import type { PlotLine } from './line-plot.ts'
import { draftKey, Keys, LineMark } from './keys.tsx'
import { chattingModels, dearestModel, savingOf } from './savings.ts'
import { spendColors, spendOf, type Spend } from './spend.ts'
import { TimeChart } from './time-chart.tsx'
import { t } from '../../../shared/strings/strings.ts'

interface SpendChartProps extends ChartProps {
  /** Models to compare with, at today's prices. */
  models: readonly Model[]
  nowMs: number
  budget?: Budget | null
  forecast?: Forecast | null
}

const looks = {
  spent: { color: spendColors.spent, look: 'line' },
  always: { color: spendColors.always, look: 'line', dash: [6, 3] },
  budget: { color: 'var(--color-bad)', look: 'line', dash: [2, 3] },
  forecast: { color: spendColors.spent, look: 'line', dash: [2, 4] },
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
    () =>
      baseline && savingOf(report, bucketsOf(report, range), { model: baseline, models, nowMs }),
    [report, range, baseline, models, nowMs],
  )
  const spend = useMemo(
    () => spendOf(report, range, { base: filter, budget, forecast, saving, draft }),
    [report, range, filter, budget, forecast, saving, draft],
  )
  const drawn = useMemo(() => drawnLines(spend), [spend])
  const { scale, untilMs, draftUsd } = spend
  return (
    <TimeChart
      title={t('Spend')}
      question={t('What does routing cost and save?')}
      data={spend}
      {...{ range, filter, size }}
      controls={
        models.length > 0 && <BaselinePicker {...{ models, baseline }} onChange={setBaseline} />
      }
      legend={
        <Keys
          entries={[
            ...drawn.names.map((name) => ({
              mark: <LineMark {...looks[name]} />,
              label: labelOf(name, { model: saving?.model ?? noBucket, days: forecast?.days ?? 0 }),
            })),
            ...draftKey(draftUsd),
          ]}
        />
      }
      plots={[{ scale, untilMs, format: formatShortUsd, lines: drawn, level: draftUsd }]}
    />
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
  }
  const names = (['always', 'budget', 'forecast', 'spent'] as const).filter((name) => values[name])
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
    budget: t('Budget, spread evenly'),
    forecast: t(
      '{count, plural, one {Forecast: as yesterday} other {Forecast: mean of # whole days}}',
      { count: days },
    ),
  }
  return labels[name]
}

/** The model to compare with, in the address; at first the dearest one if several were used. */
function useBaseline({ report, models, nowMs }: SpendChartProps) {
  const { baseline } = useAddressSearch()
  const setSearch = useSetSearch()
  const used = chattingModels(report, models)
  const chosen = models.find(({ id }) => id === baseline)
  const usual = dearestModel(
    report,
    models.filter(({ id }) => used.size > 1 && used.has(id)),
    { models, nowMs },
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
