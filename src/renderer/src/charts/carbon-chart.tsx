import { useMemo } from 'react'
import { formatGrams } from '../../../shared/strings/format.ts'
import type { Bucket } from './buckets.ts'
import { carbonOf, type Carbon } from './carbon.ts'
import { ChartCard } from './chart-card.tsx'
import { heightOf, noFilter, type ChartProps } from './chart-props.ts'
import { filterOfBucket, gramMarks } from './chart-text.ts'
import { Keys, LineMark } from './keys.tsx'
import type { PlotLine } from './line-plot.ts'
import type { Frame } from './plot-frame.ts'
import { TimePlot } from './time-plot.tsx'
import { t } from '../../../shared/strings/strings.ts'

const color = 'var(--color-series-6)'
const looks: readonly PlotLine[] = [{ color: 'var(--color-series-7)', look: 'line' }]
const draftLook = { color: 'var(--color-ink)', look: 'line', dash: [5, 4] } as const
const looksWithDraft: readonly PlotLine[] = [...looks, draftLook]
/** In pixels: the plot of grams per 1,000 tokens. */
const lowerHeight = 92

/** Estimated emissions: a bar with its range for each bucket, and a line per 1,000 tokens. */
export function CarbonChart(props: ChartProps) {
  const { report, range, filter = noFilter, size, draft = null } = props
  const carbon = useMemo(
    () => carbonOf(report, range, { base: filter, draft }),
    [report, range, filter, draft],
  )
  const { buckets, scale, perKtokScale, gramsPerKtok, draftPerKtok, text } = carbon
  const lines = useMemo(
    () => ({
      looks: draftPerKtok ? looksWithDraft : looks,
      data: {
        times: buckets.map(({ startMs, endMs }) => (startMs + endMs) / 2),
        values: [gramsPerKtok, ...(draftPerKtok ? [draftPerKtok] : [])],
      },
    }),
    [buckets, gramsPerKtok, draftPerKtok],
  )
  const formats = useMemo(
    () => ({ grams: gramMarks(scale), perKtok: gramMarks(perKtokScale) }),
    [scale, perKtokScale],
  )
  const shared = {
    range,
    buckets,
    valuesOf: (bucket: Bucket) => tipRows(carbon, bucket),
    filterOf: (bucket: Bucket) => filterOfBucket(bucket, filter),
  }
  return (
    <ChartCard
      title={t('Carbon')}
      question={t('What did it emit, and is it getting greener? An estimate.')}
      text={text}
      size={size}
      legend={<CarbonKeys hasDraft={draftPerKtok !== null} />}
      note={<Method />}
    >
      <TimePlot
        {...shared}
        label={t('Estimated grams of CO₂e')}
        scale={scale}
        format={formats.grams}
        height={heightOf(size) - (size === 'small' ? 0 : lowerHeight / 2)}
      >
        {(frame) => <Bars carbon={carbon} frame={frame} />}
      </TimePlot>
      <TimePlot
        {...shared}
        label={t('Grams per 1,000 tokens')}
        scale={perKtokScale}
        format={formats.perKtok}
        height={lowerHeight}
        lines={lines}
      >
        {() => null}
      </TimePlot>
    </ChartCard>
  )
}

function Bars({ carbon: { buckets, scale }, frame }: { carbon: Carbon; frame: Frame }) {
  return buckets.map(({ startMs, endMs, point }) => {
    if (!point) return null
    const { carbonGrams, carbonLowGrams, carbonHighGrams } = point.total
    const left = frame.xOf(startMs)
    const wide = frame.xOf(endMs) - left
    const width = Math.max(1, wide - Math.min(2, wide * 0.2))
    const top = frame.yOf(carbonGrams)
    const middle = left + width / 2
    return (
      <g key={startMs}>
        <rect
          x={left}
          y={top}
          width={width}
          height={frame.top + frame.height - top}
          style={{ fill: color }}
        />
        <rect
          x={left}
          y={frame.yOf(carbonHighGrams)}
          width={width}
          height={Math.max(0, frame.yOf(carbonLowGrams) - frame.yOf(carbonHighGrams))}
          style={{ fill: color }}
          opacity="0.25"
        />
        <path
          d={`M${middle} ${frame.yOf(carbonLowGrams)}V${frame.yOf(carbonHighGrams)}`}
          className="stroke-ink/50"
        />
        {carbonHighGrams > scale.max && (
          <path
            d={`M${left - 1} ${frame.top + 8}l${width / 2 + 1} -4l${width / 2 + 1} 4`}
            className="fill-none stroke-surface"
            strokeWidth="2"
          />
        )}
      </g>
    )
  })
}

function CarbonKeys({ hasDraft }: { hasDraft: boolean }) {
  return (
    <Keys
      entries={[
        {
          label: t('Estimate'),
          mark: <rect width="14" height="10" rx="2" style={{ fill: color }} />,
        },
        {
          label: t('Range of the estimate'),
          mark: (
            <>
              <rect width="14" height="10" rx="2" style={{ fill: color }} opacity="0.25" />
              <path d="M7 0v10" className="stroke-ink/50" />
            </>
          ),
        },
        {
          label: t('Per 1,000 tokens (lower plot)'),
          mark: <LineMark color="var(--color-series-7)" />,
        },
        ...(hasDraft
          ? [
              {
                label: t('Per 1,000 tokens, unsaved settings'),
                mark: <LineMark color={draftLook.color} dash={draftLook.dash} />,
              },
            ]
          : []),
      ]}
    />
  )
}

function Method() {
  return (
    <details>
      <summary className="w-fit underline decoration-line underline-offset-3 hover:decoration-current">
        {t('How this is estimated')}
      </summary>
      <span className="mt-1 block max-w-prose">
        {t(
          'The energy of a token comes from your own figure for the model, or from its size, fitted to published measurements. It is multiplied by the yearly mean of the grid in the model’s region, or of the world. Training and hardware are not included. The range covers unknown hardware and batch sizes. docs/models.md has the sources.',
        )}
      </span>
    </details>
  )
}

function tipRows({ buckets, gramsPerKtok }: Carbon, bucket: Bucket) {
  const total = bucket.point?.total
  return [
    { name: t('Estimate'), value: formatGrams(total?.carbonGrams ?? null), color },
    { name: t('At least'), value: formatGrams(total?.carbonLowGrams ?? null) },
    { name: t('At most'), value: formatGrams(total?.carbonHighGrams ?? null) },
    {
      name: t('Per 1,000 tokens'),
      value: formatGrams(gramsPerKtok[buckets.indexOf(bucket)] ?? null),
      color: 'var(--color-series-7)',
    },
  ]
}
