import { useMemo } from 'react'
import { formatTokens } from '../../../shared/strings/format.ts'
import type { Bucket } from './buckets.ts'
import { ChartCard } from './chart-card.tsx'
import { heightOf, noFilter, type ChartProps } from './chart-props.ts'
import { filterOfBucket } from './chart-text.ts'
import { Legend } from './legend.tsx'
import { StackedBars } from './stacked-bars.tsx'
import { stackOf } from './stacks.ts'
import { TimePlot } from './time-plot.tsx'
import { tokensOf, type Tokens } from './tokens.ts'
import { t } from '../../../shared/strings/strings.ts'

type TokenClass = Tokens['series'][number]['name']

/** Parts of the prompt share a colour, and so do those of the completion. */
const looks: Record<TokenClass, { color: string; isHatched: boolean }> = {
  input: { color: 'var(--color-series-5)', isHatched: false },
  cacheRead: { color: 'var(--color-series-5)', isHatched: true },
  cacheWrite: { color: 'var(--color-series-3)', isHatched: true },
  output: { color: 'var(--color-series-2)', isHatched: false },
  reasoning: { color: 'var(--color-series-2)', isHatched: true },
}

/** Tokens by class. */
export function TokensChart({ report, range, filter = noFilter, size }: ChartProps) {
  const tokens = useMemo(() => tokensOf(report, range, filter), [report, range, filter])
  const { buckets, series, text } = tokens
  const stack = useMemo(
    () =>
      stackOf({
        series: series.map((each) => ({ ...each, ...looks[each.name] })),
        buckets,
        valueOf: (index, { point }) => {
          const name = series[index]?.name
          return (name && point?.total.tokens[name]) ?? 0
        },
        steps: 'whole',
      }),
    [series, buckets],
  )
  return (
    <ChartCard
      title={t('Tokens')}
      question={t('What are the prompts and answers made of?')}
      text={text}
      size={size}
      legend={
        <Legend
          entries={series.map(({ name, label, total }) => ({
            ...looks[name],
            name,
            label,
            value: formatTokens(total),
            filter: null,
          }))}
        />
      }
    >
      <TimePlot
        label={t('Tokens')}
        {...{ range, buckets, scale: stack.scale, height: heightOf(size) }}
        format={formatTokens}
        valuesOf={(bucket) => tipRows(tokens, bucket)}
        filterOf={(bucket) => filterOfBucket(bucket, filter)}
      >
        {(frame) => <StackedBars stack={stack} frame={frame} />}
      </TimePlot>
    </ChartCard>
  )
}

function tipRows({ series }: Tokens, { point }: Bucket) {
  return series.map(({ name, label }) => ({
    ...looks[name],
    name: label,
    value: formatTokens(point?.total.tokens[name] ?? 0),
  }))
}
