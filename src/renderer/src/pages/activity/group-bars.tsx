import { useMemo } from 'react'
import type { UsageReport } from '../../../../shared/requests/usage.ts'
import type { Bucket } from '../../charts/buckets.ts'
import { ChartCard } from '../../charts/chart-card.tsx'
import { filterOfBucket, formatShare, type BaseFilter } from '../../charts/chart-text.ts'
import { Legend } from '../../charts/legend.tsx'
import { StackedBars } from '../../charts/stacked-bars.tsx'
import { seriesAt, stackOf } from '../../charts/stacks.ts'
import { TimePlot } from '../../charts/time-plot.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { colourOfModel } from '../../usage/model-colours.ts'
import type { UsageRange } from '../../usage/range.ts'
import { barsOf, type BarPart, type GroupBars as Bars } from './bars.ts'
import { filterOfGroup, groupingWords, type Grouping, type Names } from './grouping.ts'
import { formatMeasure, measures, measureWords, type Measure } from './usage-table.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface GroupBarsProps {
  report: UsageReport
  range: UsageRange
  grouping: Grouping
  measure: Measure
  names: Names
  filter: BaseFilter
  onMeasure: (measure: Measure) => void
}

/** A measure over time, in parts of the grouping. */
export function GroupBars(props: GroupBarsProps) {
  const { report, range, grouping, measure, names, filter, onMeasure } = props
  const bars = useMemo(
    () => barsOf(report, range, { grouping, measure, names, base: filter }),
    [report, range, grouping, measure, names, filter],
  )
  const stack = useMemo(() => stackOfBars(bars, grouping, measure), [bars, grouping, measure])
  const filterOfPart = (part: BarPart | undefined) =>
    part?.id == null || grouping === 'day' ? null : filterOfGroup(grouping, part.id, range)
  const total = bars.parts.reduce((sum, part) => sum + part.total, 0)
  return (
    <ChartCard
      title={
        grouping === 'day'
          ? measureWords[measure]
          : t('{measureWords} by {groupingWords}', {
              measureWords: measureWords[measure],
              groupingWords: groupingWords[grouping].toLowerCase(),
            })
      }
      question={questions[measure]}
      text={bars.text}
      controls={
        <Segmented
          label={t('Measure')}
          choices={measures.map((value) => ({ value, label: measureWords[value] }))}
          value={measure}
          onChange={onMeasure}
        />
      }
      legend={
        grouping !== 'day' && (
          <Legend
            entries={stack.series.map((series, index) => ({
              ...series,
              value: formatShare((bars.parts[index]?.total ?? 0) / total),
              filter: mergedFilter(filter, filterOfPart(bars.parts[index])),
            }))}
          />
        )
      }
    >
      <TimePlot
        label={measureWords[measure]}
        {...{ range, buckets: bars.buckets, scale: stack.scale, height: plotHeight }}
        format={(value) => formatMeasure(value, measure).replace('≈ ', '')}
        valuesOf={(bucket) => tipRows({ bars, stack, measure }, bucket)}
        filterOf={(bucket, share) => {
          const part =
            bars.parts[stack.series.findIndex((each) => each === seriesAt(stack, bucket, share))]
          return { ...filter, ...filterOfPart(part), ...filterOfBucket(bucket, {}) }
        }}
      >
        {(frame) => <StackedBars stack={stack} frame={frame} />}
      </TimePlot>
    </ChartCard>
  )
}

const questions: Readonly<Record<Measure, string>> = {
  requests: t('Where do the requests go?'),
  spend: t('Where does the money go?'),
  tokens: t('Where do the tokens go?'),
  carbon: t('Where do the emissions come from? An estimate.'),
}

/** In pixels. */
const plotHeight = 260

function mergedFilter(base: BaseFilter, part: BaseFilter | null) {
  return part && { ...base, ...part }
}

function stackOfBars({ buckets, parts, valueOf }: Bars, grouping: Grouping, measure: Measure) {
  return stackOf({
    series: parts.map((part, index) => ({
      name: part.id ?? 'others',
      label: part.label,
      ...colourOf(part, grouping, index),
    })),
    buckets,
    valueOf: (index, bucket) => {
      const part = parts[index]
      return part ? valueOf(part, bucket) : 0
    },
    steps: measure === 'requests' || measure === 'tokens' ? 'whole' : 'decimal',
  })
}

function colourOf({ id }: BarPart, grouping: Grouping, index: number) {
  if (id === null) return { color: 'var(--color-edge)', isHatched: false }
  const isUnanswered = id === '' && (grouping === 'model' || grouping === 'provider')
  if (isUnanswered) return { color: 'var(--color-bad)', isHatched: true }
  if (grouping === 'model') return colourOfModel(id)
  return { color: `var(--color-series-${(index % 7) + 1})`, isHatched: false }
}

interface TipInput {
  bars: Bars
  stack: ReturnType<typeof stackOfBars>
  measure: Measure
}

function tipRows({ bars, stack, measure }: TipInput, bucket: Bucket) {
  return bars.parts.flatMap((part, index) => {
    const value = bars.valueOf(part, bucket)
    const { color, isHatched } = stack.series[index] ?? {}
    return value === 0
      ? []
      : { name: part.label, value: formatMeasure(value, measure), color, isHatched }
  })
}
