import { useMemo } from 'react'
import { formatTokens } from '../../../shared/strings/format.ts'
import { noFilter, type ChartProps } from './chart-props.ts'
import { Legend } from './legend.tsx'
import { stackOf } from './stacks.ts'
import { TimeChart } from './time-chart.tsx'
import { tokensOf } from './tokens.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Tokens by class. */
export function TokensChart({ report, range, filter = noFilter, size }: ChartProps) {
  const tokens = useMemo(() => tokensOf(report, range, filter), [report, range, filter])
  const { buckets, classes } = tokens
  const stack = useMemo(
    () =>
      stackOf({
        series: classes,
        buckets,
        valueOf: (index, { point }) => {
          const name = classes[index]?.name
          return (name && point?.total.tokens[name]) ?? 0
        },
        steps: 'whole',
      }),
    [classes, buckets],
  )
  return (
    <TimeChart
      title={t('Tokens')}
      question={t('What are the prompts and answers made of?')}
      data={tokens}
      {...{ range, filter, size }}
      legend={
        <Legend
          entries={classes.map((each) => ({
            ...each,
            value: formatTokens(each.total),
            filter: null,
          }))}
        />
      }
      plots={[{ scale: stack.scale, format: formatTokens, stack }]}
    />
  )
}
