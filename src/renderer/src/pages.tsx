import {
  Navigate,
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router'
import { AgentPage, NewAgentPage } from './pages/agents/agent-page.tsx'
import { AgentsPage } from './pages/agents/agents-page.tsx'
import { ChatPage } from './pages/chat/chat-page.tsx'
import { ConnectPage } from './pages/connect/connect-page.tsx'
import { HomePage } from './pages/home/home-page.tsx'
import { KeysPage } from './pages/keys/keys-page.tsx'
import { ModelsPage } from './pages/models/models-page.tsx'
import { ProvidersPage } from './pages/providers/providers-page.tsx'
import { RequestsPage } from './pages/requests/requests-page.tsx'
import { NewRouterPage } from './pages/routers/new-router-page.tsx'
import { RouterPage } from './pages/routers/router-page.tsx'
import { RoutersPage } from './pages/routers/routers-page.tsx'
import { SettingsPage } from './pages/settings/settings-page.tsx'
import { NewRunPage } from './pages/tune/new-run-page.tsx'
import { RunPage } from './pages/tune/run-page.tsx'
import { TunePage } from './pages/tune/tune-page.tsx'
import { UsagePage } from './pages/usage/usage-page.tsx'
import { NotFound, PageFailure } from './shell/page-failure.tsx'
import { Shell } from './shell/shell.tsx'
import { parseSearch, stringifySearch, type Search } from './usage/search.ts'

const root = createRootRoute({
  component: Shell,
  validateSearch: (search: Search) => search,
})
const getParentRoute = () => root
const firstSection = { section: 'general' }

/** The route table: one line per page. */
const routeTree = root.addChildren([
  createRoute({ getParentRoute, path: '/', component: () => <Navigate to="/home" replace /> }),
  createRoute({ getParentRoute, path: '/home', component: HomePage }),
  createRoute({ getParentRoute, path: '/chat', component: ChatPage }),
  createRoute({ getParentRoute, path: '/routers', component: RoutersPage }),
  createRoute({ getParentRoute, path: '/routers/new', component: NewRouterPage }),
  createRoute({ getParentRoute, path: '/routers/$routerId', component: RouterPage }),
  createRoute({ getParentRoute, path: '/tune', component: TunePage }),
  createRoute({ getParentRoute, path: '/tune/new', component: NewRunPage }),
  createRoute({ getParentRoute, path: '/tune/$runId', component: RunPage }),
  createRoute({ getParentRoute, path: '/agents', component: AgentsPage }),
  createRoute({ getParentRoute, path: '/new-agent', component: NewAgentPage }),
  createRoute({ getParentRoute, path: '/agents/$agentName', component: AgentPage }),
  createRoute({ getParentRoute, path: '/requests', component: RequestsPage }),
  createRoute({ getParentRoute, path: '/usage', component: UsagePage }),
  createRoute({ getParentRoute, path: '/models', component: ModelsPage }),
  createRoute({ getParentRoute, path: '/connect', component: ConnectPage }),
  createRoute({ getParentRoute, path: '/keys', component: KeysPage }),
  createRoute({ getParentRoute, path: '/providers', component: ProvidersPage }),
  createRoute({
    getParentRoute,
    path: '/settings',
    component: () => <Navigate to="/settings/$section" params={firstSection} replace />,
  }),
  createRoute({ getParentRoute, path: '/settings/$section', component: SettingsPage }),
])

export const windowRouter = createRouter({
  routeTree,
  history: createHashHistory(),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: NotFound,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof windowRouter
  }
}
