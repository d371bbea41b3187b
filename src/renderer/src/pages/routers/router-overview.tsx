import { Skeleton } from '../../components/page.tsx'
import { useMemo, type ReactNode } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import {
  formatCount,
  formatDuration,
  formatGrams,
  formatShare,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import type { UsageFigures, UsageReport } from '../../../../shared/requests/usage.ts'
import { useReplays } from '../../stores/replay.ts'
import { DataTable } from '../../components/data-table.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { ShareBar } from '../../components/share-bar.tsx'
import { errorsOf } from '../../usage/errors.ts'
import { colourOfModel } from '../../usage/model-colours.ts'
import { useRange } from '../../usage/use-range.ts'
import { useRangedReport } from '../../usage/use-ranged-report.ts'
import { RefusedToday } from '../activity/refused-today.tsx'
import { RouterCharts } from './router-charts.tsx'
import { toRouterTexts } from './router-texts.ts'
import { StrategySwitch } from './strategy-switch.tsx'
import type { RouterEditor } from './use-router-editor.ts'
import { shownDraft } from './use-what-if.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The figures of a router in the chosen range, and its strategy. */
export function RouterOverview({ router, editor }: { router: Router; editor: RouterEditor }) {
  const [range] = useRange()
  const filter = { routerId: router.id, group: 'model' as const }
  const { shown, error, reload } = useRangedReport(filter, range)
  // Loaded by the switch of strategies.
  const replay = useReplays((replays) => replays[router.id])
  const { texts } = editor
  const draft = useMemo(
    () => shownDraft(replay, texts, toRouterTexts(router)),
    [replay, texts, router],
  )
  return (
    <>
      <StrategySwitch editor={editor} />
      {error && <ErrorNote error={error} onRetry={reload} />}
      {shown && (
        <>
          <Tiles total={shown.report.total} />
          <RouterCharts {...{ router, draft }} {...shown} />
          <ModelTable report={shown.report} />
          <RefusedToday routerId={router.id} />
        </>
      )}
      {!shown && !error && <Skeleton>{t('Loading figures…')}</Skeleton>}
    </>
  )
}

function Tiles({ total }: { total: UsageFigures }) {
  const { requests, fallbacks, latencyMs, firstTokenMs } = total
  const errors = errorsOf(total)
  const share = (count: number) => (requests === 0 ? '—' : formatShare(count / requests))
  return (
    <dl className="flex flex-wrap gap-px overflow-hidden rounded-xl border border-line bg-line">
      <Tile
        name={t('Requests')}
        value={formatCount(requests)}
        detail={t('{share} by fallback', { share: share(fallbacks) })}
      />
      <Tile
        name={t('Spend')}
        value={formatUsd(total.costUsd)}
        detail={
          requests === 0
            ? ''
            : t('{cost} per request', { cost: formatUsd(total.costUsd / requests) })
        }
      />
      <Tile
        name={t('p95 latency')}
        value={formatDuration(latencyMs?.p95 ?? null)}
        detail={t('{time} to the first token', {
          time: formatDuration(firstTokenMs?.p95 ?? null),
        })}
      />
      <Tile
        name={t('Errors')}
        value={share(errors)}
        detail={t('{count, plural, one {1 request} other {# requests}}', { count: errors })}
      />
      <Tile
        name={t('CO₂e')}
        value={formatGrams(total.carbonGrams)}
        detail={
          requests === 0
            ? ''
            : t('{grams} per request', { grams: formatGrams(total.carbonGrams / requests) })
        }
      />
    </dl>
  )
}

function Tile({ name, value, detail }: { name: string; value: ReactNode; detail: string }) {
  return (
    <div className="flex min-w-0 flex-1 basis-36 flex-col gap-0.5 bg-surface px-4 py-3">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-lg font-semibold tracking-tight tabular-nums">{value}</dd>
      <dd className="text-xs text-muted tabular-nums">{detail}</dd>
    </div>
  )
}

function ModelTable({ report: { groups, total } }: { report: UsageReport }) {
  if (groups.length === 0) return null
  return (
    <DataTable
      label={t('Models')}
      columns={[
        { name: t('Model') },
        { name: t('Requests') },
        { name: t('Spend'), isFigure: true },
        { name: 'p50', isFigure: true },
        { name: 'p95', isFigure: true },
        { name: t('CO₂e'), isFigure: true },
      ]}
      rows={groups.map(({ name, figures }) => ({
        key: name,
        cells: [
          name === '' ? t('No model') : name,
          <ShareBar
            key="share"
            count={figures.requests}
            all={total.requests}
            color={colourOfModel(name).color}
          />,
          formatUsd(figures.costUsd),
          formatDuration(figures.latencyMs?.p50 ?? null),
          formatDuration(figures.latencyMs?.p95 ?? null),
          formatGrams(figures.carbonGrams),
        ],
      }))}
    />
  )
}
