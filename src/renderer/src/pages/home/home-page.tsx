import { useEffect } from 'react'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Page } from '../../components/page.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { useNow } from '../../components/use-now.ts'
import { useModels } from '../../stores/models.ts'
import { useReport } from '../../stores/reports.ts'
import {
  closeRequestList,
  followRequests,
  openRequestList,
  reloadRequestList,
  useRequestList,
} from '../../stores/request-list.ts'
import { periodBefore } from '../../usage/range.ts'
import { useRange } from '../../usage/use-range.ts'
import { useRangedReport } from '../../usage/use-ranged-report.ts'
import { RefusedToday } from '../activity/refused-today.tsx'
import { Attention } from './attention-list.tsx'
import { FigureTiles, TileSkeletons } from './figure-tiles.tsx'
import { LatestRequests } from './latest-requests.tsx'
import { CallerGlance, RouterGlance } from './router-glance.tsx'
import { SetupCard } from './setup-card.tsx'
import { tileFigures } from './tile-figures.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The start page: whether anything is wrong, what was spent and saved, who used it, and what to do next. */
export function HomePage() {
  const total = useRequestList((list) => list.total)
  const hasListFailed = useRequestList((list) => list.error !== null)
  const [range] = useRange()
  const figures = useRangedReport({ group: 'model' }, range)
  const { shown } = figures
  useEffect(() => {
    void openRequestList({})
    followRequests(true)
    return closeRequestList
  }, [])
  return (
    <Page title={t('Home')} width="wide" actions={<RangePicker />}>
      <SetupCard hasRequests={total === null ? null : total > 0} />
      <Attention
        shown={shown && { figures: shown.report.total, range: shown.range.name }}
        hasFailed={figures.error !== null}
      />
      <RefusedToday most={5} />
      {total !== 0 && <Figures {...figures} />}
      <div className="grid items-start gap-5 min-[85rem]:grid-cols-2">
        {/* What the figures could not read either is said once, above. */}
        {!(hasListFailed && figures.error) && <LatestRequests />}
        <div className="grid gap-5">
          <CallerGlance />
          <RouterGlance />
        </div>
      </div>
    </Page>
  )
}

/** The figures of the range, against the period before it. */
function Figures({ shown, error, reload }: ReturnType<typeof useRangedReport>) {
  const before = shown && periodBefore(shown.range)
  const compared = useReport(before && { ...before, bucketMs: before.toMs - before.fromMs })
  const models = useModels((state) => state.items) ?? []
  const nowMs = useNow()
  if (error) {
    return (
      <ErrorNote error={error}>
        <Button
          size="small"
          onClick={() => {
            reload()
            void reloadRequestList()
          }}
        >
          {t('Try again')}
        </Button>
      </ErrorNote>
    )
  }
  if (shown === null) return <TileSkeletons />
  const { report, range } = shown
  const past = compared.isStale ? null : compared.report
  return (
    <FigureTiles
      figures={tileFigures(report, { range, before: past, models, nowMs })}
      range={range.name}
    />
  )
}
