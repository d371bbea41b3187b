import {
  Navigate,
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { HomePage } from './pages/home/home-page.tsx'
import { movedPages } from './shell/addresses.ts'
import { NotFound, PageFailure } from './shell/page-failure.tsx'
import { Shell } from './shell/shell.tsx'
import { parseSearch, stringifySearch, type Search } from './usage/search.ts'

/** Whether this window is the small one: src/main/quick-entry/quick-window.ts. */
export const isQuickEntry = location.search === '?quick-entry'

const root = createRootRoute({
  component: isQuickEntry
    ? lazyRouteComponent(() => import('./pages/quick-entry/quick-entry.tsx'), 'QuickEntry')
    : Shell,
  validateSearch: (search: Search) => search,
})
const getParentRoute = () => root
const firstSection = { section: 'general' }

/** The route table. Home is in the window's first script; each other page is loaded on its own. */
const routeTree = root.addChildren([
  ...Object.entries(movedPages).map(([path, { to, search: added }]) =>
    createRoute({
      getParentRoute,
      path,
      component: () => (
        <Navigate to={to} search={(search: Search) => ({ ...added, ...search })} replace />
      ),
    }),
  ),
  createRoute({ getParentRoute, path: '/', component: () => <Navigate to="/home" replace /> }),
  createRoute({ getParentRoute, path: '/home', component: HomePage }),
  createRoute({
    getParentRoute,
    path: '/chat',
    component: lazyRouteComponent(() => import('./pages/chat/chat-page.tsx'), 'ChatPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/routers',
    component: lazyRouteComponent(() => import('./pages/routers/routers-page.tsx'), 'RoutersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/routers/new',
    component: lazyRouteComponent(
      () => import('./pages/routers/new-router-page.tsx'),
      'NewRouterPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/routers/$routerId',
    component: lazyRouteComponent(() => import('./pages/routers/router-page.tsx'), 'RouterPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tune',
    component: lazyRouteComponent(() => import('./pages/tune/router-runs.tsx'), 'NewestRuns'),
  }),
  createRoute({
    getParentRoute,
    path: '/tune/new',
    component: lazyRouteComponent(() => import('./pages/tune/new-run-page.tsx'), 'NewRunPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tune/$runId',
    component: lazyRouteComponent(() => import('./pages/tune/run-page.tsx'), 'RunPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/tune/$runId/with/$otherId',
    component: lazyRouteComponent(() => import('./pages/tune/compare-page.tsx'), 'ComparePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/new-agent',
    component: lazyRouteComponent(() => import('./pages/agents/agent-page.tsx'), 'NewAgentPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/agents/$agentName',
    component: lazyRouteComponent(() => import('./pages/agents/agent-page.tsx'), 'AgentPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/activity',
    component: lazyRouteComponent(
      () => import('./pages/activity/activity-page.tsx'),
      'ActivityPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/models',
    component: lazyRouteComponent(() => import('./pages/models/models-page.tsx'), 'ModelsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/connect',
    component: lazyRouteComponent(() => import('./pages/connect/connect-page.tsx'), 'ConnectPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings',
    component: () => <Navigate to="/settings/$section" params={firstSection} replace />,
  }),
  createRoute({
    getParentRoute,
    path: '/settings/$section',
    component: lazyRouteComponent(
      () => import('./pages/settings/settings-page.tsx'),
      'SettingsPage',
    ),
  }),
])

export const windowRouter = createRouter({
  routeTree,
  history: createHashHistory(),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: NotFound,
})

/**
 * Loads the code of all pages while the window has nothing to do. A page then opens at once, also after an update has
 * replaced the app's files.
 */
export async function loadPages(): Promise<void> {
  for (const route of Object.values(windowRouter.routesById)) {
    await new Promise<void>((resolve) => requestIdleCallback(() => resolve()))
    await windowRouter.loadRouteChunk(route)
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof windowRouter
  }
}
