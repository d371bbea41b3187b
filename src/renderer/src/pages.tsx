import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
} from '@tanstack/react-router'
import { ChatPage } from './pages/chat/chat-page.tsx'
import { KeysPage } from './pages/keys/keys-page.tsx'
import { ProvidersPage } from './pages/providers/providers-page.tsx'
import { NewRouterPage, RouterPage } from './pages/routers/router-page.tsx'
import { RoutersPage } from './pages/routers/routers-page.tsx'
import { SettingsPage } from './pages/settings/settings-page.tsx'
import { NotFound, PageFailure } from './shell/page-failure.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Shell })
const under = { getParentRoute: () => root }

/** The route table: one line per page. */
const routeTree = root.addChildren([
  createRoute({ ...under, path: '/', beforeLoad: () => redirect({ to: '/chat', throw: true }) }),
  createRoute({ ...under, path: '/chat', component: ChatPage }),
  createRoute({ ...under, path: '/routers', component: RoutersPage }),
  createRoute({ ...under, path: '/routers/new', component: NewRouterPage }),
  createRoute({ ...under, path: '/routers/$routerId', component: RouterPage }),
  createRoute({ ...under, path: '/keys', component: KeysPage }),
  createRoute({ ...under, path: '/providers', component: ProvidersPage }),
  createRoute({ ...under, path: '/settings', component: SettingsPage }),
])

export const windowRouter = createRouter({
  routeTree,
  history: createHashHistory(),
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: NotFound,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof windowRouter
  }
}
