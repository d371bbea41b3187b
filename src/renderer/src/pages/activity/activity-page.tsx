import { useOpenTab } from '../../components/page-tabs.tsx'
import { ChartsView } from './charts-view.tsx'
import { RefusedView } from './refused-view.tsx'
import { RequestsView } from './requests-view.tsx'

/** What happened, in three views with one set of filters: the requests, charts of them, and what was refused. */
export function ActivityPage() {
  switch (useOpenTab('view', ['requests', 'charts', 'refused'])) {
    case 'requests':
      return <RequestsView />
    case 'charts':
      return <ChartsView />
    case 'refused':
      return <RefusedView />
  }
}
