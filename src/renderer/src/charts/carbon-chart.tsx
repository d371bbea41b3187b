import { useMemo } from 'react'
import { carbonColors, carbonOf, type Carbon } from './carbon.ts'
import { heightOf, noFilter, type ChartProps } from './chart-props.ts'
import { gramMarks } from './chart-text.ts'
import { draftKey, Keys, LineMark } from './keys.tsx'
import type { PlotLine } from './line-plot.ts'
import type { Frame } from './plot-frame.ts'
import { TimeChart } from './time-chart.tsx'
import { t } from '../../../shared/strings/strings.ts'

const looks: readonly PlotLine[] = [{ color: carbonColors.perKtok, look: 'line' }]
/** Height of the plot of grams per 1,000 tokens, in pixels. */
const lowerHeight = 92

/** Estimated emissions: a bar with its range for each bucket, and a line per 1,000 tokens. */
export function CarbonChart(props: ChartProps) {
  const { report, range, filter = noFilter, size, draft = null } = props
  const carbon = useMemo(
    () => carbonOf(report, range, { base: filter, draft }),
    [report, range, filter, draft],
  )
  const { buckets, scale, perKtokScale, gramsPerKtok, draftPerKtok } = carbon
  const lines = useMemo(
    () => ({
      looks,
      data: {
        times: buckets.map(({ startMs, endMs }) => (startMs + endMs) / 2),
        values: [gramsPerKtok],
      },
    }),
    [buckets, gramsPerKtok],
  )
  const formats = useMemo(
    () => ({ grams: gramMarks(scale), perKtok: gramMarks(perKtokScale) }),
    [scale, perKtokScale],
  )
  return (
    <TimeChart
      title={t('Carbon')}
      question={t('What did it emit, and is it getting greener? An estimate.')}
      data={carbon}
      {...{ range, filter, size }}
      legend={<CarbonKeys draftPerKtok={draftPerKtok} />}
      note={<Method />}
      plots={[
        {
          label: t('Estimated grams of CO₂e'),
          scale,
          format: formats.grams,
          height: heightOf(size) - (size === 'small' ? 0 : lowerHeight / 2),
          renderMarks: (frame) => <Bars carbon={carbon} frame={frame} />,
        },
        {
          label: t('Grams per 1,000 tokens'),
          scale: perKtokScale,
          format: formats.perKtok,
          height: lowerHeight,
          lines,
          level: draftPerKtok,
        },
      ]}
    />
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
          style={{ fill: carbonColors.grams }}
        />
        <rect
          x={left}
          y={frame.yOf(carbonHighGrams)}
          width={width}
          height={Math.max(0, frame.yOf(carbonLowGrams) - frame.yOf(carbonHighGrams))}
          style={{ fill: carbonColors.grams }}
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

function CarbonKeys({ draftPerKtok }: { draftPerKtok: number | null }) {
  return (
    <Keys
      entries={[
        {
          label: t('Estimate'),
          mark: <rect width="14" height="10" rx="2" style={{ fill: carbonColors.grams }} />,
        },
        {
          label: t('Range of the estimate'),
          mark: (
            <>
              <rect
                width="14"
                height="10"
                rx="2"
                style={{ fill: carbonColors.grams }}
                opacity="0.25"
              />
              <path d="M7 0v10" className="stroke-ink/50" />
            </>
          ),
        },
        {
          label: t('Per 1,000 tokens (lower plot)'),
          mark: <LineMark color={carbonColors.perKtok} />,
        },
        ...draftKey(draftPerKtok),
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
