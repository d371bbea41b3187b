import { useMemo } from 'react'
import type { UsageReport } from '../../../../shared/requests/usage.ts'
import { formatShare } from '../../../../shared/strings/format.ts'
import { filterOfBucket, type BaseFilter } from '../../charts/chart-text.ts'
import { Legend } from '../../charts/legend.tsx'
import { seriesAt, stackOf } from '../../charts/stacks.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { Segmented } from '../../components/segmented.tsx'
import type { UsageRange } from '../../usage/range.ts'
import { barsOf, type BarPart, type GroupBars as Bars } from './bars.ts'
import { byWords, filterOfGroup, type Grouping, type Names } from './grouping.ts'
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
  const stack = useMemo(() => stackOfBars(bars, measure), [bars, measure])
  const filterOfPart = (part: BarPart | undefined) =>
    part?.id == null || grouping === 'day' ? null : filterOfGroup(grouping, part.id, range)
  const total = bars.parts.reduce((sum, part) => sum + part.total, 0)
  return (
    <TimeChart
      title={
        grouping === 'day'
          ? measureWords[measure]
          : t('{measure} {byGroup}', {
              measure: measureWords[measure],
              byGroup: byWords[grouping],
            })
      }
      question={questions[measure]}
      data={bars}
      range={range}
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
      filterOf={(bucket, share) => {
        const part =
          bars.parts[stack.series.findIndex((each) => each === seriesAt(stack, bucket, share))]
        return { ...filter, ...filterOfPart(part), ...filterOfBucket(bucket, {}) }
      }}
      plots={[
        {
          label: measureWords[measure],
          scale: stack.scale,
          format: (value) => formatMeasure(value, measure).replace('≈ ', ''),
          height: plotHeight,
          stack,
        },
      ]}
    />
  )
}

const questions: Readonly<Record<Measure, string>> = {
  requests: t('Where do the requests go?'),
  spend: t('Where does the money go?'),
  tokens: t('Where do the tokens go?'),
  carbon: t('Where do the emissions come from? An estimate.'),
}

/** Height of the plot in pixels. */
const plotHeight = 260

function mergedFilter(base: BaseFilter, part: BaseFilter | null) {
  return part && { ...base, ...part }
}

function stackOfBars({ buckets, parts, valueOf }: Bars, measure: Measure) {
  return stackOf({
    series: parts.map((part) => ({ ...part, name: part.id ?? 'others' })),
    buckets,
    valueOf: (index, bucket) => {
      const part = parts[index]
      return part ? valueOf(part, bucket) : 0
    },
    steps: measure === 'requests' || measure === 'tokens' ? 'whole' : 'decimal',
  })
}
