import { Link } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { buttonClass } from '../../components/button.tsx'
import { EmptyState } from '../../components/page.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** Shown in place of figures: what the page will look like, and a way to the first request. */
export function EmptyUsage({ hasFilter }: { hasFilter: boolean }) {
  if (hasFilter) {
    return (
      <EmptyState icon={ChartColumn} title={t('No matching requests')}>
        {t('Remove a filter or choose a longer range.')}
      </EmptyState>
    )
  }
  return (
    <div className="relative">
      <SampleChart />
      <div className="absolute inset-0 flex items-center justify-center p-4">
        <div className="flex max-w-sm flex-col items-center gap-3 rounded-xl border border-line bg-surface px-6 py-5 text-center shadow-sm">
          <p className="font-medium">{t('No requests in this range')}</p>
          <p className="text-sm text-muted">
            {t('Send a message, and its cost, tokens, latency and emissions appear here.')}
          </p>
          <Link to="/chat" className={buttonClass('primary')}>
            {t('Send a test message')}
          </Link>
        </div>
      </div>
    </div>
  )
}

/** Any figures. */
const sample = [3, 5, 4, 7, 9, 6, 8, 12, 10, 7, 9, 13, 11, 8, 6, 9, 12, 14, 10, 8, 11, 9, 7, 5]
const tallest = 15

function SampleChart() {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${sample.length * 10} 100`}
      preserveAspectRatio="none"
      className="h-80 w-full rounded-xl border border-line bg-surface p-6"
    >
      {sample.map((value, index) => {
        const height = (value / tallest) * 100
        return (
          <g key={index} className="fill-hover">
            <rect x={index * 10} y={100 - height} width="8" height={height * 0.6} />
            <rect
              x={index * 10}
              y={100 - height * 0.4}
              width="8"
              height={height * 0.4}
              opacity="0.6"
            />
          </g>
        )
      })}
    </svg>
  )
}
