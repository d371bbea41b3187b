import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button, buttonClass } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Page } from '../../components/page.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { useReport } from '../../stores/reports.ts'
import {
  closeRequestList,
  followRequests,
  openRequestList,
  useRequestList,
} from '../../stores/request-list.ts'
import { periodBefore } from '../../usage/range.ts'
import { useRange } from '../../usage/use-range.ts'
import { useRangedReport } from '../../usage/use-ranged-report.ts'
import { RefusedToday } from '../requests/refusal-tables.tsx'
import { Attention } from './attention-list.tsx'
import { FigureTiles, TileSkeletons } from './figure-tiles.tsx'
import { LatestRequests } from './latest-requests.tsx'
import { RouterGlance } from './router-glance.tsx'
import { SetupCard } from './setup-card.tsx'
import { tileFigures } from './tile-figures.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The start page: what is set up, what happened, and what needs attention. */
export function HomePage() {
  const total = useRequestList((list) => list.total)
  useEffect(() => {
    void openRequestList({})
    followRequests(true)
    return closeRequestList
  }, [])
  return (
    <Page title={t('Home')} width="wide" actions={<RangePicker />}>
      <SetupCard requests={total} />
      <Attention />
      <RefusedToday most={5} />
      {total === 0 ? <NoTraffic /> : <Figures />}
      <div className="grid items-start gap-5 min-[85rem]:grid-cols-2">
        <LatestRequests />
        <RouterGlance />
      </div>
    </Page>
  )
}

/** The four figures of the range, against the period before it. */
function Figures() {
  const [range] = useRange()
  const { shown, error, reload } = useRangedReport({}, range)
  const before = shown && periodBefore(shown.range)
  const compared = useReport(before && { ...before, bucketMs: before.toMs - before.fromMs })
  if (error) {
    return (
      <ErrorNote error={error}>
        <Button size="small" onClick={reload}>
          {t('Try again')}
        </Button>
      </ErrorNote>
    )
  }
  if (shown === null) return <TileSkeletons />
  const past = compared.isStale ? null : compared.report
  return (
    <FigureTiles figures={tileFigures(shown.report, shown.range, past)} range={shown.range.name} />
  )
}

function NoTraffic() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-dashed border-line px-5 py-4">
      <p className="text-sm text-muted">{t('No traffic yet.')}</p>
      <Link to="/chat" className={buttonClass('primary')}>
        {t('Send a test message')}
      </Link>
    </div>
  )
}
