import type { Router } from '../../../../shared/entities.ts'
import { RouterCharts } from '../../charts/router-charts.tsx'
import { Drawer } from '../../components/drawer.tsx'

interface ChartsPanelProps {
  router: Router
  /** Beside the thread; otherwise over it. */
  isDocked: boolean
  onClose: () => void
}

/** The charts of the conversation's router. */
export function ChartsPanel({ router, isDocked, onClose }: ChartsPanelProps) {
  const title = `${router.name} over time`
  const charts = <RouterCharts router={router} />
  if (!isDocked) {
    return (
      <Drawer title={title} side="right" onClose={onClose}>
        {charts}
      </Drawer>
    )
  }
  return (
    <aside
      aria-label={`Charts of ${router.name}`}
      className="w-72 shrink-0 overflow-y-auto border-l border-line bg-surface min-[80rem]:w-80"
    >
      <h2 className="flex h-14 items-center truncate border-b border-line px-4 text-sm font-semibold">
        {title}
      </h2>
      {charts}
    </aside>
  )
}
