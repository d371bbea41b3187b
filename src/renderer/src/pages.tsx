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

/** A page that is loaded on its own. */
function page<Path extends string, Module extends Record<string, unknown>>(
  path: Path,
  load: () => Promise<Module>,
  component: keyof Module & string,
) {
  return createRoute({ getParentRoute, path, component: lazyRouteComponent(load, component) })
}

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
  page('/chat', () => import('./pages/chat/chat-page.tsx'), 'ChatPage'),
  page('/routers', () => import('./pages/routers/routers-page.tsx'), 'RoutersPage'),
  page('/routers/new', () => import('./pages/routers/new-router-page.tsx'), 'NewRouterPage'),
  page('/routers/$routerId', () => import('./pages/routers/router-page.tsx'), 'RouterPage'),
  page('/tune', () => import('./pages/tune/router-runs.tsx'), 'NewestRuns'),
  page('/tune/new', () => import('./pages/tune/new-run-page.tsx'), 'NewRunPage'),
  page('/tune/$runId', () => import('./pages/tune/run-page.tsx'), 'RunPage'),
  page('/tune/$runId/with/$otherId', () => import('./pages/tune/compare-page.tsx'), 'ComparePage'),
  page('/new-agent', () => import('./pages/agents/agent-page.tsx'), 'NewAgentPage'),
  page('/agents/$agentName', () => import('./pages/agents/agent-page.tsx'), 'AgentPage'),
  page('/activity', () => import('./pages/activity/activity-page.tsx'), 'ActivityPage'),
  page('/models', () => import('./pages/models/models-page.tsx'), 'ModelsPage'),
  page('/connect', () => import('./pages/connect/connect-page.tsx'), 'ConnectPage'),
  createRoute({
    getParentRoute,
    path: '/settings',
    component: () => <Navigate to="/settings/$section" params={firstSection} replace />,
  }),
  page('/settings/$section', () => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
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
