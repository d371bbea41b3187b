import { useOpenTab } from '../../components/page-tabs.tsx'
import { ChartsView } from './charts-view.tsx'
import { ReconcileView } from './reconcile-view.tsx'
import { RefusedView } from './refused-view.tsx'
import { RequestsView } from './requests-view.tsx'
import { SessionsView } from './sessions-view.tsx'

/** What happened, in views with one set of filters: the requests, charts of them, sessions of coding agents, what was refused, and bills. */
export function ActivityPage() {
  switch (useOpenTab('view', ['requests', 'charts', 'sessions', 'refused', 'reconcile'])) {
    case 'requests':
      return <RequestsView />
    case 'charts':
      return <ChartsView />
    case 'sessions':
      return <SessionsView />
    case 'refused':
      return <RefusedView />
    case 'reconcile':
      return <ReconcileView />
  }
}
