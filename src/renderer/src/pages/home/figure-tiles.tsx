import { Link } from '@tanstack/react-router'
import { Sparkline } from '../../components/sparkline.tsx'
import type { RangeName } from '../../usage/range.ts'
import type { TileFigure } from './tile-figures.ts'
import { t } from '../../../../shared/strings/strings.ts'

const grid =
  'grid grid-cols-2 gap-3 max-[60rem]:[&>:last-child:nth-child(odd)]:col-span-2 min-[60rem]:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]'

/** The figures as tiles. Each leads to what is behind it. */
export function FigureTiles({
  figures,
  range,
}: {
  figures: readonly TileFigure[]
  range: RangeName
}) {
  return (
    <ul aria-label={t('Figures')} className={grid}>
      {figures.map((figure) => (
        <li key={figure.name} className="min-w-0">
          <Tile figure={figure} range={range} />
        </li>
      ))}
    </ul>
  )
}

function Tile({ figure, range }: { figure: TileFigure; range: RangeName }) {
  const { name, text, note, hint, values, view } = figure
  return (
    <Link
      to="/activity"
      search={{ view, range }}
      title={hint}
      className="flex h-full flex-col gap-1 rounded-xl border border-line bg-surface px-4 py-3 hover:border-edge"
    >
      <span className="text-xs text-muted">{name}</span>
      <span className="truncate text-xl font-semibold tracking-tight tabular-nums">{text}</span>
      <Sparkline
        values={values}
        label={t('{name} over time', { name })}
        className="mt-1 h-8 w-full text-accent"
      />
      <span className="min-h-4 text-xs wrap-anywhere text-muted tabular-nums">{note}</span>
      {hint !== undefined && <span className="sr-only">{hint}</span>}
    </Link>
  )
}

export function TileSkeletons() {
  return (
    <div aria-busy className={grid}>
      <p className="sr-only">{t('Loading figures…')}</p>
      {['requests', 'spend', 'saved', 'latency', 'carbon'].map((name) => (
        <div key={name} className="h-[8.25rem] rounded-xl border border-line bg-surface p-4">
          <span className="block h-2.5 w-16 rounded-full bg-line" />
          <span className="mt-3 block h-5 w-24 rounded-md bg-line" />
        </div>
      ))}
    </div>
  )
}
